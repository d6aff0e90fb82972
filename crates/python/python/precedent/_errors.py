"""The exception of this package."""

from __future__ import annotations


class PrecedentError(Exception):
    """A call failed. `kind` says what to do about it, `hint` how to fix it."""

    def __init__(self, message: str, kind: str = "bug", hint: str | None = None) -> None:
        super().__init__(message if hint is None else f"{message} ({hint})")
        self.message = message
        #: usage, input, model, nothing_searched, budget, not_verbatim, interrupted or bug
        self.kind = kind
        self.hint = hint

    def __reduce__(self) -> tuple[type[PrecedentError], tuple[str, str, str | None]]:
        return (PrecedentError, (self.message, self.kind, self.hint))
