"""Whatever a rewrite leaves alone stays as it is, byte for byte, and the same edit gives the same bytes twice: over
ONNX's operator tests and, where they are, over real models and the acceptance cases."""

import concurrent.futures
import filecmp
import os
import pathlib
import subprocess
import sys
import tempfile

from product import BINARY

EVERY = 1 if os.environ.get("AEGIS_ALL") else 12  # of the operator tests


def models():
    for variable, step in (("AEGIS_NODE_CASES", EVERY), ("AEGIS_MODELS", 1), ("AEGIS_CASES", EVERY)):
        folder = os.environ.get(variable)
        if folder and pathlib.Path(folder).is_dir():
            yield from sorted(pathlib.Path(folder).rglob("*.onnx"))[::step]


def rewrite(model, target, *options):
    return subprocess.run([BINARY, "rewrite", model, "-o", target, *options], capture_output=True, text=True, timeout=300)


def look_at(model):
    """What is wrong about a model, whether it could be read, whether the edit changed it."""
    with tempfile.TemporaryDirectory() as place:
        folders = [pathlib.Path(place, name) for name in ("as_it_is", "edited", "again")]
        targets = [folder / model.name for folder in folders]
        for folder in folders:
            folder.mkdir()
        done = rewrite(model, targets[0])
        if done.returncode != 0:
            return ([] if done.returncode == 3 else [f"{model}: exit {done.returncode}: {done.stderr}"]), False, False
        wrong = []
        for copy in folders[0].iterdir():
            if not filecmp.cmp(model.parent / copy.name, copy, shallow=False):
                wrong.append(f"{model}: {copy.name} is not what it was")
        edits = [rewrite(model, target, "--bf16", "--check", "never").returncode for target in targets[1:]]
        written = [sorted(file.name for file in folder.iterdir()) for folder in folders[1:]]
        if edits[0] != edits[1] or written[0] != written[1]:
            wrong.append(f"{model}: exits {edits}, files {written}")
        elif any(not filecmp.cmp(folders[1] / name, folders[2] / name, shallow=False) for name in written[0]):
            wrong.append(f"{model}: the same edit gave other bytes")
        return wrong, True, model.name in written[0] and not filecmp.cmp(model, targets[1], shallow=False)


if __name__ == "__main__":
    chosen = list(models())
    if not chosen:
        sys.exit(77)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(look_at, chosen))
    wrong, readable, edited = zip(*results)
    print(f"{len(chosen)} models, {sum(readable)} of them readable, {sum(edited)} changed by the edit")
    print("\n".join(problem for problems in wrong for problem in problems))
    sys.exit(any(wrong) or not any(readable) or not any(edited))
