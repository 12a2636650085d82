"""One run as it was written down, and the table of what each tool read of its exports."""

import json
import math
import os
import platform
import sys
from importlib.metadata import version

FOLDER = sys.argv[1]
os.chdir(FOLDER)
RECORDED = {
    (f"variant-{side}", row["id"], row["repeat"]): row
    for side in (0, 1)
    for row in map(json.loads, open(f"side-{side}.jsonl", encoding="utf8"))
}
SAMPLES = {row["id"]: row for row in map(json.loads, open("samples.jsonl", encoding="utf8"))}
REPORT = json.load(open("out/report.json", encoding="utf8"))
ROWS = {(r["variant"], r["sampleId"], r["repeat"]): r for r in map(json.loads, open("out/rows.jsonl", encoding="utf8"))}
VARIANTS = {v["name"]: v for v in REPORT["variants"]}
METRICS = [metric["name"] for metric in REPORT["metrics"]]
PRICE = {"input": 1e-6, "cached": 5e-7, "output": 5e-6}
TABLE = []


def cost(row):
    usage = row.get("usage")
    # A failure of the service costs nothing.
    if usage is None:
        return 0
    cached = usage["cachedPromptTokens"]
    return (usage["promptTokens"] - cached) * PRICE["input"] + cached * PRICE["cached"] + usage["completionTokens"] * PRICE["output"]


class Check:
    """What one tool read of one export."""

    def __init__(self):
        self.values, self.faults, self.fields = 0, {}, set()

    def __call__(self, field, got, expected):
        self.values += 1
        self.fields.add(field)
        if isinstance(got, (int, float)) and isinstance(expected, (int, float)) and not isinstance(got, bool):
            equal = math.isclose(got, expected, rel_tol=1e-9, abs_tol=1e-9)
        else:
            equal = type(got) is type(expected) and got == expected
        if not equal:
            count, example = self.faults.get(field, (0, None))
            self.faults[field] = (count + 1, example or f"{got!r:.60} instead of {expected!r:.60}")


def reader(tool, package, export):
    def run(read):
        check = Check()
        try:
            read(check)
        except Exception as error:  # noqa: BLE001 - what cannot be opened is a finding, too
            check.faults["it opens"] = (1, f"{type(error).__name__}: {error}"[:300])
        faults = "; ".join(f"{field} ({count}): {example}" for field, (count, example) in check.faults.items())
        TABLE.append((tool, version(package) if package else platform.python_version(), export, len(check.fields), check.values, faults))
        return read

    return run
