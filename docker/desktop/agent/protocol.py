"""What all operations share: refusals, checked arguments, and the wire format (one JSON object a line)."""

import json

PROTOCOL = 1
MAX_LINE = 2 * 1024 * 1024


class Refusal(Exception):
    """A failure that the caller can act on. `code` is one of: refused, timeout, lost, failed."""

    def __init__(self, code, message, fix=None):
        super().__init__(message)
        self.code = code
        self.message = message
        self.fix = fix


def number(args, name, low, high, default=None):
    value = args.get(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise Refusal("refused", f"'{name}' has to be a number from {low} to {high}, not {value!r}.")
    return value


def text(args, name, default=None, longest=1024 * 1024):
    value = args.get(name, default)
    if not isinstance(value, str) or len(value) > longest:
        raise Refusal("refused", f"'{name}' has to be a text of at most {longest} characters.")
    return value


def encode(message):
    return (json.dumps(message, ensure_ascii=True, separators=(",", ":")) + "\n").encode()
