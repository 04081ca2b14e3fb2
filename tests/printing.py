"""Finds where a module prints, or makes text that Python prints: the exits of text.

It looks at source text, so that it can be shown to find what a new module might do. What is
harmless as one sees on the spot is not told: a constant, or what a function of geminipty.visible
gives.
"""

import ast
from collections.abc import Iterator

#: Functions whose text is harmless, and those of ours that hand on to them.
_GUARDS = frozenset({"visible", "line", "coloured", "short", "as_json", "escaped", "_harmless"})
#: They print, or end with a text that Python prints.
_NAMES = frozenset({"print", "breakpoint", "SystemExit"})
#: Parts of a module that lead to somebody's terminal.
_PARTS = {
    "sys": {"stdout", "stderr", "__stdout__", "__stderr__", "displayhook", "excepthook", "exit"},
    "os": {"write", "writev", "pwrite", "system", "popen", "dup2"},
    "pytest": {"fail", "skip", "exit", "xfail", "UsageError", "PytestWarning"},
}
#: Modules that print, or hand on to what does.
_MODULES = frozenset({"logging", "warnings", "traceback", "faulthandler", "syslog", "curses"})
#: Methods that write: the first argument is the text.
_WRITES = frozenset({"write", "writelines", "_print", "write_line", "write_sep", "section"})
#: What pytest prints of a report.
_REPORTED = frozenset({"sections", "add_report_section", "longrepr"})


def exits(source: str) -> list[str]:
    """Each place as "function: what", in the order of the module."""
    return [f"{place}: {what}" for place, what in _walk(ast.parse(source), "module")]


def _walk(node: ast.AST, place: str) -> Iterator[tuple[str, str]]:
    for child in ast.iter_child_nodes(node):
        yield from ((place, what) for what in _found(child))
        inner = place
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = child.name if place == "module" else f"{place}.{child.name}"
        yield from _walk(child, inner)


def _found(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name) if name in _NAMES:
            yield name
        case ast.Attribute(value=ast.Name(id=module), attr=name) if name in _PARTS.get(module, ()):
            yield f"{module}.{name}"
        case ast.Attribute(attr=name) if name in _REPORTED or name.startswith("print_"):
            yield f".{name}"
        case ast.Constant(value="stdout" | "stderr" as name):
            yield repr(name)  # getattr(sys, "stdout")
        case ast.Import(names=names):
            yield from (one.name for one in names if one.name.partition(".")[0] in _MODULES)
        case ast.ImportFrom(module=str(module), names=names):
            parts = _PARTS.get(module, set())
            found = [f"{module}.{one.name}" for one in names if one.name in parts]
            yield from ([module] if module.partition(".")[0] in _MODULES else found)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="os"), attr="write")):
            return
        case ast.Call(func=ast.Attribute(attr="ArgumentParser") | ast.Name(id="ArgumentParser")):
            yield "ArgumentParser()"
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=args):
            if name in _WRITES and not all(map(_is_harmless, args[:1])):
                yield f"{name}()"
        case ast.ClassDef(bases=[ast.Attribute(attr="ArgumentParser")]):
            yield "ArgumentParser"
        case ast.FunctionDef(name="__str__" | "__repr__" | "__format__" as name):
            given = [one.value for one in ast.walk(node) if isinstance(one, ast.Return)]
            if not all(map(_is_harmless, given)):
                yield name


def _is_harmless(text: ast.expr | None) -> bool:
    """Whether it is, as far as one can see where it stands."""
    match text:
        case None | ast.Constant():
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in _GUARDS
        case ast.JoinedStr(values=parts):
            return all(map(_is_harmless, parts))
        case ast.FormattedValue(value=value):
            return _is_harmless(value)
        case ast.IfExp(body=one, orelse=other) | ast.BinOp(left=one, right=other):
            return _is_harmless(one) and _is_harmless(other)
    return False
