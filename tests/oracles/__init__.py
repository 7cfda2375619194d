"""Plain, slow Python written from the rules alone, to be compared with the real rules move by move."""
