"""Runs every `$ aegis ...` line of README.md as a reader would, in a copy of the tree's examples, and holds what it
prints against what README.md shows.

Of lines that start with ./dev only the command's name is checked: the other tests are what they do.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from product import BINARY, ROOT


def blocks():
    text = (ROOT / "README.md").read_text()
    for block in re.findall(r"^```(?:sh|console)\n(.*?)^```", text, re.S | re.M):
        yield re.sub(r"\\\n\s*", " ", block)


def commands():
    """Pairs of a command and the lines shown below it."""
    for block in blocks():
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            line, _, shown = part.partition("\n")
            yield line, shown


def main():
    known = (ROOT / "dev").read_text()
    for name in re.findall(r"^\./dev (\w+)", "\n".join(blocks()), re.M):
        assert re.search(rf"\b{name}\b", known), f"README: ./dev {name}: no such command"
    ran = 0
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "examples", pathlib.Path(folder, "examples"))
        pathlib.Path(folder, "build").mkdir()
        os.symlink(BINARY, pathlib.Path(folder, "build/aegis"))
        # The texts are those of an 80-column terminal without ONNX Runtime, whose versions differ from place to place.
        env = os.environ | {"PATH": f"{folder}/build:{os.environ['PATH']}", "COLUMNS": "80", "AEGIS_ORT_LIB": "absent"}
        for line, shown in commands():
            done = subprocess.run(line, shell=True, cwd=folder, env=env, capture_output=True, text=True)
            print(f"{line}: exit {done.returncode}")
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
            assert done.stdout == shown, f"README.md shows\n{shown}\nbut it prints\n{done.stdout}"
            ran += 1
    assert ran, "README.md shows no aegis command"


main()
