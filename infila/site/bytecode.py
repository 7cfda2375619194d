"""Run by Pyodide when a site is built: everything in a pack as bytecode, so that nobody's browser has to compile it.

What only a reader of the source or of a traceback needs is left out: comments on classes and functions, and line
numbers. `source` and `made` are zip files.
"""

import ast
import importlib.util
import marshal
import zipfile
from types import CodeType

LONG_AGO = (1980, 1, 1, 0, 0, 0)
NO_LINE = 15 << 3  # of an entry in a table of lines: eight instructions at most, and nothing known of them
HEADER = importlib.util.MAGIC_NUMBER + bytes(12)


def compiled(text: bytes, name: str) -> bytes:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            _without_docstring(node)
    return HEADER + marshal.dumps(_without_lines(compile(tree, name, "exec", dont_inherit=True)))


def _without_docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    if ast.get_docstring(node, clean=False) is not None:
        if len(node.body) > 1:
            del node.body[0]
        else:
            node.body[0] = ast.copy_location(ast.Pass(), node.body[0])


def _without_lines(code: CodeType) -> CodeType:
    eights, rest = divmod(len(code.co_code) // 2, 8)
    table = bytes([0x80 | NO_LINE | 7]) * eights + (bytes([0x80 | NO_LINE | rest - 1]) if rest else b"")
    inner = tuple(_without_lines(each) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_linetable=table, co_consts=inner)


def pack(source: str, made: str) -> None:
    """Write a pack with bytecode in place of sources."""
    with zipfile.ZipFile(source) as found, zipfile.ZipFile(made, "w") as out:
        for name in found.namelist():
            content = found.read(name)
            if name.endswith(".py"):
                name, content = f"{name}c", compiled(content, name)
            out.writestr(zipfile.ZipInfo(name, LONG_AGO), content)
