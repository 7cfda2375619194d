"""Matches between computer players, and what they say about their strength."""
