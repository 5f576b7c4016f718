"""A rough world for remote bots: a wire that breaks and repeats itself, and bots that are killed."""

import os
import select
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path
from random import Random

from tests.house import free_port

CHUNK = 64 * 1024
RESET = struct.pack("ii", 1, 0)  # linger for no time: the other side sees a broken connection, not an end


class Wire:
    """A TCP proxy. It breaks every connection after some bytes, and sends some requests a second time.

    `cuts` and `repeats` say how often at most: a match must come to its end within a test's patience.
    """

    def __init__(self, upstream: int, seed: int, cuts: int = 8, repeats: int = 8, lengths=(2_000, 60_000)):
        self.upstream, self.rng, self.lengths = upstream, Random(seed), lengths
        self.cuts, self.repeats = cuts, repeats
        self.cut = self.repeated = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._open: set[socket.socket] = set()
        self._closed = False
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._closed = True
        self._listener.close()
        for one in list(self._open):
            one.close()

    def _accept(self) -> None:
        while not self._closed:
            try:
                here, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._connect, args=(here,), daemon=True).start()

    def _connect(self, here: socket.socket) -> None:
        try:
            there = socket.create_connection(("127.0.0.1", self.upstream), 5)
        except OSError:
            here.close()  # nobody is there: a bot that was killed
            return
        pair = {here, there}
        self._open |= pair
        try:
            self._pump(here, there, self.rng.randint(*self.lengths))
        except (OSError, ValueError):
            pass  # one side is gone, and with it the connection
        finally:
            self._open -= pair
            for one in pair:
                one.close()

    def _pump(self, here: socket.socket, there: socket.socket, budget: int) -> None:
        asked = b""
        while True:
            for side in select.select([here, there], [], [])[0]:
                data = side.recv(CHUNK)
                if not data:
                    self._repeat(asked)
                    return
                budget -= len(data)
                if budget < 0 and self.cut < self.cuts:
                    self.cut += 1
                    self._break(here, there, data[: len(data) // 2])
                    return
                asked = (asked + data if len(asked) < CHUNK else asked) if side is here else asked
                (there if side is here else here).sendall(data)

    def _break(self, here: socket.socket, there: socket.socket, half: bytes) -> None:
        """In the middle of a message."""
        here.sendall(half)
        for one in (here, there):
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)

    def _repeat(self, asked: bytes) -> None:
        """Everything that was asked over a connection, once more: as a clumsy proxy would."""
        if not asked or self.repeated >= self.repeats or self._closed:
            return
        self.repeated += 1
        with socket.create_connection(("127.0.0.1", self.upstream), 5) as again:
            again.sendall(asked)
            again.settimeout(3)
            while again.recv(CHUNK):
                pass


class BotProcess:
    """An SDK bot as a process of its own, which can be killed and comes back."""

    def __init__(self, bot: str, url: str, made: dict, kind: str, log: Path, port: int = 0):
        self._words = [sys.executable, "-m", "bots.sdk", "run", bot, "--url", url, "--delivery", kind]
        self._words += ["--threads", "4", "--port", str(port or free_port())]
        self._env = {
            **os.environ,
            "TURNLOG_BOT_TOKEN": made["token"],
            "TURNLOG_BOT_SECRET": made["secret"],
            "PYTHONPATH": str(Path(__file__).parents[1]),
        }
        self._log = log
        self.start()

    def start(self) -> None:
        with self._log.open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(self._words, env=self._env, stderr=log, stdout=log)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def again(self) -> None:
        self.kill()
        self.start()
