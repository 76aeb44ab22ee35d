"""Runs the program on files that mean harm, under ceilings that the system keeps: CPU time, address space, memory.

A case says what it puts on disk and which codes its findings or its error may have. Whatever the file holds, the program
ends by itself with a document: no signal, no usage error, no fault of its own.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

try:
    import onnx
except ImportError:
    print("skipped: no onnx package")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = os.environ.get("AEGIS_BINARY", str(ROOT / "build/aegis"))
MIB = 1 << 20
ANY = None  # any outcome will do, as long as there is one
CLEAN = ()  # no error and no warning of these families


class Case:
    def __init__(self, name, make, codes=ANY, *, cpu_s=2, memory_mib=256, arguments=()):
        """make: bytes, a ModelProto, or a function of a folder that gives one of them or the path of what it put there.
        codes: one of them has to be told."""
        self.name, self.make, self.codes = name, make, codes
        self.cpu_s, self.memory_mib, self.arguments = cpu_s, memory_mib, arguments


def put(folder, made):
    if callable(made):
        made = made(folder)
    if isinstance(made, pathlib.Path):
        return made
    path = folder / "model.onnx"
    path.write_bytes(made if isinstance(made, bytes) else made.SerializeToString())
    return path


def put_apart(folder, made):
    """In a process of its own: the memory that a case takes to make would count as that of the program."""
    child = os.fork()
    if child == 0:
        (folder / ".path").write_text(str(put(folder, made)))
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit("a case could not be made")
    return pathlib.Path((folder / ".path").read_text())


def run(command, cpu_s):
    """(exit code, stdout, stderr, peak resident memory of the process and its workers in MiB)"""

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024 * MIB, 1024 * MIB))

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL, preexec_fn=limit)
        end = time.monotonic() + 300  # guards against a hang; the ceiling of time is CPU time
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > end:
                child.kill()
                return "hang", b"", b"", 0
            time.sleep(0.005)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        return child.returncode, out.read(), err.read(), usage.ru_maxrss / 1024


def codes_of(document):
    found = []
    for model in document.get("models", []):
        if model.get("error"):
            found.append(model["error"].get("code"))
        found += [finding["code"] for finding in model.get("findings") or []]
    return [code for code in found if code]


def judge(case, folder):
    """What is wrong with the outcome; empty: nothing."""
    path = put_apart(folder, case.make)
    command = [BINARY, "lint", str(path), "--preview", "--fail-on", "warning", "--format", "json", *case.arguments]
    code, out, err, memory = run(command, case.cpu_s)
    if code not in (0, 1, 3):
        return f"exit {code}: {err[-300:].decode(errors='replace')}"
    try:
        document = json.loads(out)
    except ValueError:
        return f"exit {code} without a document"
    if not document.get("models"):
        return "a document without models"
    found = codes_of(document)
    if "IO908" in found or any(c.startswith("PK") for c in found):
        return f"{found}"
    if memory > case.memory_mib:
        return f"{memory:.0f} MiB, at most {case.memory_mib} expected"
    if case.codes is ANY:
        return ""
    found = [code for code in found if code[:2] in ("IO", "ST") or code in case.codes]
    if not case.codes:
        return f"found {found}, nothing expected" if found else ""
    return "" if set(found) & set(case.codes) else f"found {found}, one of {list(case.codes)} expected"


def main(cases):
    failed = 0
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            problem = judge(case, pathlib.Path(folder))
        failed += bool(problem)
        print(f"{'FAIL' if problem else 'ok  '} {case.name}{': ' + problem if problem else ''}", flush=True)
    print(f"{len(cases) - failed} of {len(cases)} as expected")
    sys.exit(1 if failed or not cases else 0)


def model(text):
    """From ONNX's text form; a graph alone gets IR 10 and opset 21."""
    if not text.lstrip().startswith("<"):
        text = '<ir_version: 10, opset_import: ["": 21]> ' + text
    return onnx.parser.parse_model(text)
