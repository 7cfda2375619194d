"""Computer players. They get a view, never a state."""
