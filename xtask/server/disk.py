"""A small disk in memory, which can be filled. Needs Linux and root."""

import atexit
import os
import subprocess
from pathlib import Path


class Disk:
    """A new folder with a file system of its own, or why there is none, as `problem`."""

    def __init__(self, folder, size):
        self.folder = Path(folder)
        self.ballast = self.folder / "ballast"
        self.folder.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", self.folder], capture_output=True)
        self.problem = mounted.stderr.decode().strip() or "unknown" if mounted.returncode else None
        atexit.register(self.end)
        self.free()

    def fill(self, left=0):
        """Leaves this many bytes."""
        self.free()
        # Unbuffered, because closing a buffered file would write again.
        with self.ballast.open("wb", buffering=0) as file:
            for size in [65536, 4096]:
                try:
                    while file.write(b"x" * size):
                        pass
                except OSError:
                    pass
        if left:
            os.truncate(self.ballast, max(0, self.ballast.stat().st_size - left))

    def free(self):
        # It stays, because a full disk may have no room for its name.
        self.ballast.write_bytes(b"")

    def end(self):
        if self.problem is None:
            self.problem = "ended"
            subprocess.run(["umount", "--lazy", self.folder], check=True)
