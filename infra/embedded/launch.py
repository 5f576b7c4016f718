"""Becomes the store's server, after asking Linux to end it together with whoever started it.

Run as a script of its own (`python launch.py PARENT PROGRAM ARGUMENT…`) because the wish must be made inside
the new process, and running Python between fork and exec of a process with threads may deadlock.
"""

from __future__ import annotations

import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    parent, program, *arguments = sys.argv[1:]
    if sys.platform == "linux":
        _end_with_parent()
    if os.getppid() != int(parent):  # it died before the wish was made
        sys.exit(1)
    os.execv(program, [program, *arguments])


def _end_with_parent() -> None:
    import ctypes

    if ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM) != 0:
        sys.exit("the server cannot be tied to its parent (prctl failed)")


if __name__ == "__main__":
    main()
