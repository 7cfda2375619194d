"""Matches between computer players, and what they tell of their strength."""
