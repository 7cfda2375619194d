"""What pages need of Babel: dates in words. Translations come compiled."""
