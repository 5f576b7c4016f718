"""Further processes run our code, not what lies in somebody's folder."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
# What a process of ours does to start another one, and what that one then takes for `bots`.
STARTS = (
    "import subprocess; from infra.process.python import python;"
    " print(subprocess.run([*python(), '-c', 'import bots; print(bots.__file__)'],"
    " capture_output=True, text=True, check=True).stdout)"
)


@pytest.mark.parametrize("flags", [["-P"], []])
def test_a_file_of_somebody_s_is_not_taken_for_ours(tmp_path, flags):
    folder = tmp_path if flags else ROOT
    (tmp_path / "bots.py").write_text("raise SystemExit('not ours')")
    told = subprocess.run(
        [sys.executable, *flags, "-c", STARTS], cwd=folder, capture_output=True, text=True, check=False
    )
    assert told.stdout.strip() == str(ROOT / "bots" / "__init__.py"), told.stderr
