from numba.core import types as types
