#!/usr/bin/env python3
"""Runs clang-tidy over what changed: tidy.py BUILD_FOLDER STAMP_FOLDER

A file is looked at again only when it, a header that it reads, its compiler flags, .clang-tidy or clang-tidy itself
changed. Which headers a file reads is what ninja knows from the last build. A clean file leaves a stamp named by the hash
of all that; a file with findings leaves none.

Files are read without the precompiled headers of the build, so one that does not include what it uses is found here.
"""

import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

TIDY = "clang-tidy-19"
ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("model", "ops", "exec", "linter", "rules", "rewriter", "validator", "cli")


@functools.cache
def fingerprint(path):
    """Contents for files of the project, size alone for the system's: those change with a version of the compiler."""
    if path.startswith(str(ROOT)):
        return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
    return str(os.stat(path).st_size)


def dependencies(build):
    """Object file -> files that it was made from, as ninja recorded them."""
    deps, target = {}, None
    for line in subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True).stdout.splitlines():
        if line.startswith("    "):
            deps[target].append(os.path.join(build, line.strip()))
        elif ": #deps" in line:
            target = line.split(": #deps")[0]
            deps[target] = []
    return deps


def jobs(build):
    """(file, key) for each source file of the product."""
    deps = dependencies(build)
    version = subprocess.run([TIDY, "--version"], capture_output=True, text=True, check=True).stdout
    common = version + (ROOT / ".clang-tidy").read_text()
    for entry in json.loads(pathlib.Path(build, "compile_commands.json").read_text()):
        file = os.path.relpath(entry["file"], ROOT)
        if file.split(os.sep)[0] not in FOLDERS:
            continue
        key = hashlib.sha256((common + entry["command"]).encode())
        target = re.search(r" -o (\S+)", entry["command"])[1]
        for path in sorted(deps.get(target, [])) or [entry["file"]]:
            key.update((path + fingerprint(os.path.abspath(path))).encode())
        yield file, key.hexdigest()


def commands_alone(build, folder):
    """The build's compile commands without its precompiled headers, in a folder of their own."""
    text = pathlib.Path(build, "compile_commands.json").read_text()
    folder.mkdir(exist_ok=True)
    (folder / "compile_commands.json").write_text(re.sub(r" -Winvalid-pch -include \S+", "", text))
    return str(folder)


def tidy(commands, file):
    headers = f"^{re.escape(str(ROOT))}/({'|'.join(FOLDERS)}|plugins)/"
    command = [TIDY, "-p", commands, "--quiet", f"--header-filter={headers}", "--warnings-as-errors=*", "--extra-arg=-w"]
    done = subprocess.run([*command, str(ROOT / file)], capture_output=True, text=True)
    return done.returncode, "\n".join(l for l in done.stdout.splitlines() if l.strip())


def main():
    build, stamps = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    stamps.mkdir(parents=True, exist_ok=True)
    everything = list(jobs(build))
    commands = commands_alone(build, stamps / "commands")
    todo = [(file, key) for file, key in everything if not (stamps / key).exists()]
    print(f"clang-tidy: {len(everything)} files, {len(todo)} to look at", file=sys.stderr)
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("AEGIS_JOBS", os.cpu_count()))) as pool:
        running = {pool.submit(tidy, commands, file): (file, key) for file, key in todo}
        for count, future in enumerate(concurrent.futures.as_completed(running), 1):
            file, key = running[future]
            status, output = future.result()
            print(f"[{count}/{len(todo)}] {file}", file=sys.stderr)
            if status == 0:
                (stamps / key).touch()
            else:
                bad += 1
                print(output, flush=True)
    if bad:
        sys.exit(f"clang-tidy: {bad} files with findings: mend them, or say NOLINT with the reason")


if __name__ == "__main__":
    main()
