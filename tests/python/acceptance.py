"""Runs the acceptance cases of one kind with the check.py that lies beside them; skipped where $AEGIS_CASES is absent."""

import os
import pathlib
import subprocess
import sys

from product import BINARY, skip

check = pathlib.Path(os.environ.get("AEGIS_CASES", "")) / "check.py"
if not check.is_file():
    skip("no acceptance cases: set AEGIS_CASES to a folder with check.py")
sys.exit(subprocess.run([sys.executable, check, "--aegis", BINARY, "--kind", sys.argv[1]]).returncode)
