"""Many games at once: on threads of the CPU, or on a GPU, by the very same rules."""
