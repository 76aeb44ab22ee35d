"""Runs the acceptance cases of one kind with the check.py that lies beside them; skipped where $AEGIS_CASES is absent."""

import os
import pathlib
import re
import subprocess
import sys

from product import BINARY, skip

check = pathlib.Path(os.environ.get("AEGIS_CASES", "")) / "check.py"
if not check.is_file():
    skip("no acceptance cases: set AEGIS_CASES to a folder with check.py")
kind = sys.argv[1]
if kind == "hostile":
    about = subprocess.run([BINARY, "--version"], capture_output=True, text=True).stdout
    missing = {"text", "json", "sarif", "github", "junit"} - set(re.search(r"^formats: (.*)$", about, re.M)[1].split())
    if missing:
        skip(f"the hostile cases are read in five report formats, of which this build lacks {', '.join(sorted(missing))}")
sys.exit(subprocess.run([sys.executable, check, "--aegis", BINARY, "--kind", kind]).returncode)
