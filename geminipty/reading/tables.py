"""Reads a table that the CLI drew with lines back into Markdown.

Rule: columns are where the top edge has its joints; a drawing that does not fit is left as it is.
"""

from collections.abc import Sequence
from itertools import pairwise

from geminipty.terminal import Row

from . import marks
from .lines import line
from .rows import Kind, note

_TOP, _LINE, _BOTTOM = marks.TABLE_EDGES.forms
_SIDES = frozenset(marks.SIDE.forms)
_RULE = frozenset(marks.RULE.forms)


def read_table(rows: Sequence[Row], y: int, end: int) -> tuple[str, int] | None:
    """The table whose top edge is in row `y`, and the row behind it; None if it is none."""
    edge = rows[y].cells
    start = line(rows[y]).start
    joints = [x for x in range(start, len(edge)) if edge[x] not in _RULE]
    if len(joints) < 2 or joints[-1] != len(edge) - 1:
        return None
    groups: list[list[list[str]]] = [[]]
    y += 1
    while y < end:
        row = rows[y]
        cells = row.cells
        if note(row).kind is not Kind.TEXT or len(cells) <= start:
            return None
        if cells[start] == _BOTTOM:
            return _markdown(groups), y + 1
        if cells[start] == _LINE:
            groups.append([])
        else:
            found = _cells(cells, joints)
            if found is None:
                return None
            groups[-1].append(found)
        y += 1
    return None


def _cells(cells: Sequence[str], joints: list[int]) -> list[str] | None:
    """The cells of a row; where the CLI miscounted columns, between its lines instead."""
    if not all(x < len(cells) and cells[x] in _SIDES for x in joints):
        sides = [x for x, cell in enumerate(cells) if cell in _SIDES]
        if len(sides) != len(joints):
            return None
        joints = sides
    return ["".join(cells[left + 1 : right]).strip(" ") for left, right in pairwise(joints)]


def _markdown(groups: list[list[list[str]]]) -> str:
    """Header, line and rows; cells that were wrapped into several rows are joined."""
    if not groups[0]:
        groups = groups[1:]
    if not groups or not groups[0]:
        return ""
    header = _merged(groups[0])
    body: list[list[str]] = []
    for group in groups[1:]:
        for cells in group:
            # A wrapped row goes on in rows whose first cell is blank.
            if body and not cells[0] and any(cells):
                body[-1] = _merged([body[-1], cells])
            else:
                body.append(cells)
    rule = ["---"] * len(header)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, rule, *body))


def _merged(rows: list[list[str]]) -> list[str]:
    return [" ".join(part for part in parts if part) for parts in zip(*rows, strict=True)]
