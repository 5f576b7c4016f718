"""A probe in front of each statement that a mutant changes."""

import ast
from collections import defaultdict

# A process that looks for modules elsewhere does without.
IMPORT = """\
try:
    from mutants_probe import probe as _probe
except ImportError:
    _probe = lambda *_: None
"""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def planted(source: str, places: list[tuple[str, int]]) -> str:
    """The file with a call of `_probe` at each place: a name and the number of a line."""
    tree = ast.parse(source)
    lines = source.splitlines()
    probes: dict[int, list[str]] = defaultdict(list)  # by the line to stand in front of
    for name, line in places:
        for at in _spots(tree, lines, line):
            probes[at].append(name)
    for at in sorted(probes, reverse=True):
        indent = lines[at - 1][: len(lines[at - 1]) - len(lines[at - 1].lstrip())]
        lines.insert(at - 1, f"{indent}_probe({', '.join(repr(name) for name in sorted(set(probes[at])))})")
    lines.insert(_after_head(tree), IMPORT)
    return "\n".join(lines) + "\n"


def _spots(tree: ast.Module, lines: list[str], line: int) -> list[int]:
    """Where the changed line is run; of one that runs at import, wherever the file is used."""
    chain = _chain(tree, line)
    inside = [n for n, node in enumerate(chain) if isinstance(node, FUNCTIONS)]
    if not inside:
        return sorted(
            {spot for node in ast.walk(tree) if isinstance(node, FUNCTIONS) for spot in _first(node)}
        )
    if isinstance(chain[-1], FUNCTIONS):  # its head: defaults and decorators
        return _first(chain[-1])
    within = chain[inside[-1] + 1 :]
    fits = [node for node in within if not lines[node.lineno - 1].lstrip().startswith("elif ")]
    return [_top(fits[-1])] if fits else []


def _chain(tree: ast.Module, line: int) -> list[ast.stmt]:
    """The statements around a line, the innermost last."""
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and _top(node) <= line <= (node.end_lineno or node.lineno)
    ]
    return sorted(around, key=lambda node: (_top(node), -(node.end_lineno or 0)))


def _top(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(one.lineno for one in decorators)])


def _first(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[int]:
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    if not body or body[0].lineno == node.lineno:  # a stub: nothing runs
        return []
    return [_top(body[0])]


def _after_head(tree: ast.Module) -> int:
    """After the docstring and imports from the future: how many lines that is."""
    head = 0
    for number, node in enumerate(tree.body):
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not (future or (text and number == 0)):
            break
        head = node.end_lineno or 0
    return head
