"""The program as a process: signals, pipes that close, and no child that stays behind."""

import os
import pathlib
import signal
import subprocess
import tempfile
import time

from product import BINARY, DIGITS

MODEL = DIGITS / "digits.onnx"
FILES = 4000  # long enough to be caught at it


def start(folder, *arguments, **how):
    for position in range(FILES):
        link = folder / f"{position}.onnx"
        if not link.exists():
            link.symlink_to(MODEL)
    return subprocess.Popen([BINARY, "lint", folder, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            start_new_session=True, **how)


def members(session):
    """Processes of a session that still run."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if entry.name.isdigit() and int(fields[3]) == session and fields[0] != "Z":
            found.append(int(entry.name))
    return found


def wait_for_workers(running):
    limit = time.monotonic() + 30
    while len(members(running.pid)) < 2:
        assert time.monotonic() < limit and running.poll() is None, "no worker was seen"
        time.sleep(0.005)


def nobody_left(session):
    limit = time.monotonic() + 10
    while members(session):
        assert time.monotonic() < limit, f"still there: {members(session)}"
        time.sleep(0.01)


def interrupted(folder):
    for sent in (signal.SIGINT, signal.SIGTERM):
        running = start(folder, "--format", "json")
        wait_for_workers(running)
        os.killpg(running.pid, sent)  # as a terminal does
        out, err = running.communicate(timeout=30)
        assert running.returncode == -sent, (running.returncode, err)
        assert out == b"" and b"interrupted" in err, (out[:200], err)
        nobody_left(running.pid)


def killed(folder):
    running = start(folder)
    wait_for_workers(running)
    running.kill()
    running.wait()
    nobody_left(running.pid)


def reader_gone(folder):
    command = f"'{BINARY}' lint '{MODEL}' --format json | head -c 10"
    done = subprocess.run(["bash", "-c", command + "; exit ${PIPESTATUS[0]}"], capture_output=True, timeout=60)
    assert len(done.stdout) == 10 and b"fault of aegis" not in done.stderr, done
    assert done.returncode in (0, 3, 128 + signal.SIGPIPE), done


def full_output():
    for words in (["--help"], ["--version"], ["lint", "--help"], ["lint", MODEL], ["rules"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([BINARY, *words], stdout=full, stderr=subprocess.PIPE, timeout=60)
        assert done.returncode == 3 and b"cannot be written" in done.stderr, (words, done)


def misspelt_variable():
    done = subprocess.run([BINARY, "rules"], capture_output=True, env={**os.environ, "AEGIS_TARGT": "a100"}, timeout=60)
    assert done.returncode == 2 and b"AEGIS_TARGET" in done.stderr, done
    done = subprocess.run([BINARY, "rules"], capture_output=True, env={**os.environ, "AEGIS_WORKPLACE_OF_US": "x"}, timeout=60)
    assert done.returncode == 0, done


with tempfile.TemporaryDirectory() as place:
    folder = pathlib.Path(place)
    interrupted(folder)
    killed(folder)
    reader_gone(folder)
full_output()
misspelt_variable()
