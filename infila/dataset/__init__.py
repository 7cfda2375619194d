"""Games played by the computer as data to learn from: made, written, read and replayed (docs/how-to/dataset.md)."""

from infila.dataset.data import Dataset
from infila.dataset.files import read
from infila.dataset.make import make

__all__ = ["Dataset", "make", "read"]
