"""The command `precedent`."""

from __future__ import annotations

import signal
import sys

from . import _native


def main() -> None:
    # Ctrl-C goes to the program, not to Python, which waits for it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_native.command_line(["precedent", *sys.argv[1:]]))
