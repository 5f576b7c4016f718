"""Wraps any program that speaks JSON lines, so that a bot may be written in any language.

The program reads a turn as one line on its standard input and writes an action as one line on its standard
output; it is started once and asked again and again. Its command is in the environment:

    TURNLOG_BOT_COMMAND="./my-bot --level 3" turnlog bot run pipe.py:Pipe --url … --token …
"""

import json
import os
import shlex
import subprocess
import threading
from dataclasses import asdict
from typing import Any

from bots.sdk import Action, Turn

PATIENCE = 60.0  # seconds for one answer


class Pipe:
    def __init__(self) -> None:
        self._command = shlex.split(os.environ["TURNLOG_BOT_COMMAND"])
        self._lock = threading.Lock()  # one program, one question at a time
        self._process: subprocess.Popen[str] | None = None

    def choose(self, turn: Turn) -> Action:
        with self._lock:
            answer: Any = json.loads(self._ask(json.dumps(asdict(turn))))
        return answer  # type: ignore[no-any-return] # whether it is legal is checked by whoever asked

    def _ask(self, line: str) -> str:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        watchdog = threading.Timer(PATIENCE, process.kill)  # a killed program ends the read below
        watchdog.start()
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        finally:
            watchdog.cancel()
        if not answer:
            raise RuntimeError(f"{self._command[0]} stopped without an answer")
        return answer

    def _running(self) -> "subprocess.Popen[str]":
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
        return self._process

    def close(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
