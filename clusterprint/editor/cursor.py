"""The position of the cursor in a text that may not be valid YAML at the moment."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from clusterprint.find import IN_BRACKETS

Path = tuple[str, ...]

_KEY = re.compile(r"""[ \t]*(?:-[ \t]+)*["']?([A-Za-z_][\w.-]*)["']?[ \t]*:(?=[ \t]|$)""")
_SCALAR = re.compile(r"""[ \t]*["']?([\w.-]+)["']?[ \t]*(?=[,}#\r\n]|$)""")
_DASHES = re.compile(r"[ \t]*(?:-(?:[ \t]+|$))*")
_TOKEN = re.compile(
    r"""[\[\]{},]|["']?(?<![\w.-])([A-Za-z_][\w.-]*+)(?:["'][ \t]*:|[ \t]*:(?=[\s{\[]|$))"""
    r"""|(?<![^\s\[{,:])"(?:[^"\\]|\\.)*+"|'[^']*'|#[^\n]*"""
)
_WORD = re.compile(r"[^\s,\[\]{}:'\"]*\Z")
_LONGEST_WORD = 200
_REACH = 400


class Cursor(NamedTuple):
    """The keys that lead to it (lists without a word), and the word before it.

    `key` is the key whose value is being written, empty where a key is. `present` are the keys beside it,
    each with the word that is its value, empty for other values. `quoted`: a quote is before the word.
    """

    path: Path
    key: str
    word: str
    present: Mapping[str, str]
    indent: int
    in_brackets: bool
    quoted: bool = False


def cursor_at(lines: Sequence[str], line: int, column: int) -> Cursor:
    """Look around a position."""
    before = lines[line][:column] if line < len(lines) else ""
    first = _start_of_brackets(lines, line, before)
    text = "\n".join([*lines[first:line], before])
    word_found = _WORD.search(before[-_LONGEST_WORD:])
    word = word_found.group() if word_found else ""
    quoted = before[: len(before) - len(word)].endswith(('"', "'"))
    whole = "\n".join(lines)
    if IN_BRACKETS.match(whole):
        at = sum(len(each) + 1 for each in lines[:line]) + len(before)
        keys, current, known = _brackets(whole, at) or (("",), "", {})
        return Cursor(keys, current, word, known, 0, in_brackets=True, quoted=quoted)
    inner = _brackets(text, len(text))
    head = lines[first][:column] if first == line else lines[first]
    indent = len(_lead(head))
    own = _KEY.match(head)
    path = _above(lines, first, indent)
    if inner:
        keys, current, known = inner
        lead = (own[1],) if own else ()
        return Cursor((*path, *lead, *keys), current, word, known, indent, in_brackets=True, quoted=quoted)
    if own and own.end() <= len(head):
        return Cursor(path, own[1], word, {}, indent, in_brackets=False)
    stripped = before.strip()
    if stripped.startswith("- ") or stripped == "-":
        inside = before[len(_lead(before)) :]
        if not inside.strip():
            return Cursor(path, "", word, {}, indent, in_brackets=False)
    present = _beside(lines, line, indent)
    return Cursor(path, "", word, present, indent, in_brackets=False)


def _lead(line: str) -> str:
    """The indentation of a line: spaces, and the dashes of lists."""
    found = _DASHES.match(line)
    return found.group() if found else ""


def _space(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _above(lines: Sequence[str], line: int, indent: int) -> Path:
    """The keys that a line in this column stands under."""
    found: list[str] = []
    level = indent
    for number in range(line - 1, max(-1, line - _REACH), -1):
        each = lines[number]
        if not each.strip() or each.lstrip().startswith("#"):
            continue
        lead, key = len(_lead(each)), _KEY.match(each)
        is_parent = lead < level or (lead == level and _is_list_below(lines, line, lead, level))
        if key and is_parent:
            found.append(key[1])
            level = min(lead, _space(each))
        elif lead < level and not key:
            level = _space(each)
        if level == 0:
            break
    return tuple(reversed(found))


def _is_list_below(lines: Sequence[str], line: int, lead: int, level: int) -> bool:
    """Whether a list stands unindented below its key; then its dash is in the column of the key."""
    own = lines[line] if line < len(lines) else ""
    return lead == level and own.lstrip().startswith("-") and _space(own) == lead


def _beside(lines: Sequence[str], line: int, indent: int) -> dict[str, str]:
    """The keys of the map that a line belongs to, with their values."""
    found: dict[str, str] = {}
    for step in (-1, 1):
        number = line + step
        starts_item = step < 0 and _space(lines[line]) < indent if line < len(lines) else False
        while 0 <= number < len(lines) and not starts_item:
            each = lines[number]
            if each.strip() and not each.lstrip().startswith("#"):
                lead, key = len(_lead(each)), _KEY.match(each)
                if lead < indent or (step > 0 and _space(each) < indent):
                    break
                if lead == indent and key:
                    found[key[1]] = _scalar_at(each, key.end())
                if step < 0 and lead == indent and _space(each) < lead:
                    break  # the first key of an item
            number += step
    return found


def _scalar_at(text: str, start: int) -> str:
    """The word at a place of a text, without quotes; empty for other values."""
    found = _SCALAR.match(text, start)
    return found[1] if found else ""


def _start_of_brackets(lines: Sequence[str], line: int, before: str) -> int:
    """The line on which the outermost open bracket around a position begins; else the line itself."""
    depth = _balance(before)
    first = line
    while depth > 0 and first > 0 and not _opens_all(lines[first] if first != line else before, depth):
        first -= 1
        depth += _balance(lines[first])
    while depth < 0 and first > max(0, line - _REACH):
        first -= 1
        depth += _balance(lines[first])
    if depth <= 0 and before.strip() and not _KEY.match(before):
        return _continued(lines, line)
    if not before.strip():
        return _continued(lines, line)
    return first


def _continued(lines: Sequence[str], line: int) -> int:
    """The line with the bracket that is still open at the beginning of a line; else the line itself."""
    depth = 0
    for number in range(line - 1, max(-1, line - _REACH), -1):
        depth += _balance(lines[number])
        if depth > 0:
            return number
        if _KEY.match(lines[number]) and not _balance(lines[number]) and depth >= 0:
            return line
    return line


def _opens_all(line: str, depth: int) -> bool:
    return _balance(line) >= depth


def _balance(line: str) -> int:
    """How many brackets a line leaves open."""
    text = re.sub(r"""(?:^|(?<=\s))#.*|"[^"]*"|'[^']*'""", "", line)
    return sum((each in "[{") - (each in "]}") for each in text)


def _brackets(text: str, at: int) -> tuple[Path, str, dict[str, str]] | None:
    """The keys inside brackets up to a place, the one whose value is written, and those beside."""
    stack: list[tuple[str, str, dict[str, str]]] = []
    for token in _TOKEN.finditer(text, 0, at):
        sign = token.group()
        if sign in "[{":
            stack.append((sign, "", {}))
        elif sign in "]}":
            if stack:
                stack.pop()
        elif stack and sign == ",":
            kind, key, present = stack[-1]
            stack[-1] = (kind, "" if kind == "{" else key, present)
        elif stack and token[1] and stack[-1][0] == "{":
            kind, _, present = stack[-1]
            present[token[1]] = _scalar_at(text, token.end())
            stack[-1] = (kind, token[1], present)
    if not stack:
        return None
    path = tuple(key for _, key, _ in stack[:-1] if key)
    kind, key, present = stack[-1]
    if kind == "{":
        present |= _rest_of_brackets(text, at)
    return path, key, {each: value for each, value in present.items() if each != key}


def _rest_of_brackets(text: str, at: int) -> dict[str, str]:
    """The keys that follow in the same brackets, with their values."""
    depth, found = 0, {}
    for token in _TOKEN.finditer(text, at):
        sign = token.group()
        depth += (sign in "[{") - (sign in "]}")
        if depth < 0:
            break
        if token[1] and not depth:
            found[token[1]] = _scalar_at(text, token.end())
    return found
