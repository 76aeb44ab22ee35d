"""Runs every `$ aegis ...` line of README.md as a reader would, in a copy of the tree's examples.

Of lines that start with ./dev only the command's name is checked: the other tests are what they do.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from product import BINARY, ROOT


def commands():
    text = (ROOT / "README.md").read_text()
    for block in re.findall(r"^```(?:sh|console)\n(.*?)^```", text, re.S | re.M):
        joined = re.sub(r"\\\n\s*", " ", block)
        for line in joined.splitlines():
            if line.startswith(("$ aegis ", "./dev ")):
                yield line.removeprefix("$ ").split("  #")[0].strip()


def main():
    known = (ROOT / "dev").read_text()
    ran = 0
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "examples", pathlib.Path(folder, "examples"))
        pathlib.Path(folder, "build").mkdir()
        os.symlink(BINARY, pathlib.Path(folder, "build/aegis"))
        path = {"PATH": f"{folder}/build:{os.environ['PATH']}"}
        for line in commands():
            if line.startswith("./dev"):
                assert re.search(rf"\b{line.split()[1]}\b", known), f"README: {line}: no such command"
                continue
            done = subprocess.run(line, shell=True, cwd=folder, env=os.environ | path, capture_output=True, text=True)
            print(f"{line}: exit {done.returncode}")
            assert done.returncode in (0, 1), f"{line}\n{done.stdout}{done.stderr}"
            ran += 1
    assert ran, "README.md shows no aegis command"


main()
