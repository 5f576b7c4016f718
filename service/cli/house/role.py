"""A child process of `turnlog up`: tied to it, and started again whenever it ends."""

import os
import socket
import subprocess
import sys
import time
from contextlib import suppress

import infra.embedded.launch
from infra.process.python import python

LONGEST_PAUSE_S = 5.0
HEALTHY_S = 10.0  # a role that ran so long is restarted without a pause


def say(text: str) -> None:
    with suppress(OSError):  # a log on a full disk
        print(f"turnlog: {text}", file=sys.stderr, flush=True)


class Role:
    """One child process that is restarted whenever it ends."""

    def __init__(
        self, name: str, arguments: list[str], env: dict[str, str], listener: socket.socket | None = None
    ) -> None:
        self.name = name
        self._shared = () if listener is None else (listener.fileno(),)
        self._arguments, self._env = arguments, env
        self._process: subprocess.Popen[bytes] | None = None
        self._started = self._again_at = 0.0
        self._pause = 0.1

    def start(self) -> None:
        self._started = time.monotonic()
        # A session of its own: Ctrl-C reaches only us, and we end the roles in order.
        # The launcher ties each role to this process, so that none survives it.
        launcher = [sys.executable, infra.embedded.launch.__file__, str(os.getpid())]
        role = [*python(), "-m", "service.cli", *self._arguments]
        self._process = subprocess.Popen(
            [*launcher, *role], env=self._env, pass_fds=self._shared, start_new_session=True
        )

    def look(self) -> None:
        """Restart the role if it has ended, more slowly the sooner it ended."""
        if self._process is not None and self._process.poll() is None:
            return
        now = time.monotonic()
        if self._process is not None:
            code, self._process = self._process.returncode, None
            self._pause = 0.1 if now - self._started > HEALTHY_S else min(LONGEST_PAUSE_S, self._pause * 2)
            self._again_at = now + self._pause
            say(f"{self.name} ended with {code}; starting it again")
        if now >= self._again_at:
            self.start()

    def ask_to_stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()

    def wait(self, deadline: float) -> None:
        if self._process is None:
            return
        try:
            self._process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
