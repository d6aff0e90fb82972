import os
from collections.abc import Callable, Sequence
from typing import Any

from .types import Event

__version__: str

def verify(path: os.PathLike[str] | str | None, text: str | None, quotes: Sequence[str]) -> str: ...
def overlap(
    path: os.PathLike[str] | str | None,
    text: str | None,
    others: Sequence[os.PathLike[str] | str],
    min_words: int | None,
) -> str: ...
def read(path: os.PathLike[str] | str | None, text: str | None) -> str: ...
def assess(
    paper: os.PathLike[str] | str, options: dict[str, Any], on_event: Callable[[Event], object] | None
) -> str: ...
def check_idea(
    idea: str,
    facets: dict[str, str],
    options: dict[str, Any],
    on_event: Callable[[Event], object] | None,
) -> str: ...
def command_line(arguments: Sequence[str]) -> int: ...

class Corpora:
    def __new__(cls, paths: Sequence[os.PathLike[str] | str]) -> Corpora: ...
    def search(self, query: str, limit: int | None, as_of: str | None, exclude: Sequence[str]) -> str: ...
    def match(self, claims: Sequence[str], limit: int, as_of: str | None, exclude: Sequence[str]) -> str: ...
