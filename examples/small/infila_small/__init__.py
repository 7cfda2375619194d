"""Small siblings of Take That, Sequence, Completto and Zatre: small enough to be solved exactly (README.md)."""
