"""Finds the conditions of Swift sources and wraps each in a call that the environment can force."""
import re

KEYWORD = re.compile(r"(?<![\w.`#])(if|guard|while|where|return)(?![\w`:])")
# What a clause begins with that is no plain truth value, or cannot be an argument.
BINDING = re.compile(r"(let|var|case|await|try|if|switch|unsafe)\b|#|\w+:")
# A line that goes on: at its end, or at the start of the next.
OPEN_END = re.compile(r"(&&|\|\||[?:+\-*/<>,]|==|!=|\breturn)$")
OPEN_START = re.compile(r"(&&|\|\||[?:.+\-*/<>%]|==|!=)")


def masked(text):
    """The text with strings and comments as blanks, of the same length."""
    out, at = [], 0
    while at < len(text):
        end = end_of_literal(text, at)
        if end > at:
            out.append(re.sub(r"[^\n]", " ", text[at:end]) if text[at] == "/" else "_" + re.sub(r"[^\n]", "_", text[at + 1:end]))
            at = end
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


def end_of_literal(text, at):
    """Behind the string, the pattern or the comment that starts here; `at` if none does."""
    if text.startswith("//", at):
        end = text.find("\n", at)
        return len(text) if end < 0 else end
    if text.startswith("/*", at):
        return text.index("*/", at) + 2
    if text.startswith('"""', at):
        return text.index('"""', at + 3) + 3
    if text.startswith(('#"', "#/"), at):
        return text.index(text[at + 1] + "#", at + 2) + 2
    if text[at] != '"':
        return at
    at += 1
    while text[at] != '"':
        if text.startswith("\\(", at):
            depth, at = 1, at + 2
            while depth:
                depth += {"(": 1, ")": -1}.get(text[at], 0)
                at = max(at + 1, end_of_literal(text, at))
        else:
            at += 2 if text[at] == "\\" else 1
    return at + 1


def end_of_condition(code, at, keyword):
    """Where the condition behind a keyword ends; None if it has another form."""
    is_statement = keyword in ("return", "repeat")
    depth = 0
    while at < len(code):
        letter = code[at]
        if keyword == "guard" and not depth and re.match(r"else\b", code[at:at + 5]) and code[at - 1].isspace():
            return at
        if letter == "{" and not depth and not is_statement and keyword != "guard":
            return at
        if letter in "([{":
            depth += 1
        elif letter in ")]}":
            if not depth:
                return at if is_statement and letter == "}" else None
            depth -= 1
        elif not depth and (letter == ";" or is_statement and letter == "\n" and not OPEN_END.search(code[:at].rstrip()[-8:])
                            and not OPEN_START.match(code[at:].lstrip())):
            return at
        at += 1
    return None


def parts(code, start, end, separators):
    """Ranges between separators that are in no bracket, without blanks around them."""
    out, depth, at, first = [], 0, start, start
    while at < end:
        separator = next((one for one in separators if code.startswith(one, at)), None)
        if separator and not depth:
            out.append((first, at))
            first = at = at + len(separator)
            continue
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(code[at], 0)
        at += 1
    out.append((first, end))
    trimmed = [(a + len(code[a:b]) - len(code[a:b].lstrip()), a + len(code[a:b].rstrip())) for a, b in out]
    return [(a, b) for a, b in trimmed if a < b]


def conditions(text):
    """[(start, end)] of each operand of a condition: of `if`, `guard`, `while`, of loops' `where`, and of `&&` in `return`."""
    code, found = masked(text), []
    for match in KEYWORD.finditer(code):
        keyword = match[1]
        before = code[:match.start()].rstrip()
        if keyword == "where" and not re.search(r"\bfor\s[^{}]*\bin\b[^{}]*$", before[-300:]):
            continue
        if keyword == "while" and code[:match.start()].endswith("} "):
            keyword = "repeat"
        end = end_of_condition(code, match.end(), keyword)
        if end is None:
            continue
        for start, stop in parts(code, match.end(), end, [","] if keyword != "return" else []):
            if BINDING.match(code, start, stop):
                continue
            operands = parts(code, start, stop, ["&&", "||"])
            has_choice = len(parts(code, start, stop, [" ? ", "\n? ", " ?? "])) > 1
            if keyword == "return" and (has_choice or len(operands) == 1):
                continue
            found += [(start, stop)] if has_choice else operands
    return sorted(set(found))


def wrapped(text, first):
    """(the text with each condition in `forced(number, …)`, counted from `first`; [(line, condition)])."""
    found, events = conditions(text), []
    for number, (start, end) in enumerate(found, first):
        # Of conditions inside others, in closures, the outer one opens first and closes last.
        events += [(start, 1, start - end, f"forced({number}, "), (end, 0, end - start, ")")]
    out, last = [], 0
    for at, _, _, piece in sorted(events):
        out += [text[last:at], piece]
        last = at
    return "".join(out) + text[last:], [(text.count("\n", 0, start) + 1, " ".join(text[start:end].split())) for start, end in found]
