#!/usr/bin/env python3
"""Makes a CSV and Markdown tables of what sample.py found.

usage: table.py RESULTS.jsonl|EARLIER.csv... --csv OUT.csv

Takes what sample.py wrote, and tables that this program wrote earlier. Of a program that is in several files the last line counts; what a GPU
did with the same command stays. Prints, for each suite, how many programs there are of each class, the rates, and every program that did not
do well, with the reason.
"""
import argparse
import collections
import csv
import json
import pathlib

import outcome

WELL = (outcome.PASSED, outcome.NO_CHECK, outcome.WAIVED)
NOT_THERE = (outcome.NOT_BUILT, outcome.DATA, outcome.CLOSED, outcome.ABSENT)
UNDECIDED = (outcome.LIMIT, outcome.UNFINISHED)
ORDER = (outcome.PASSED, outcome.NO_CHECK, outcome.WAIVED, outcome.WRONG, outcome.REFUSED, outcome.FAULT, outcome.CRASHED, outcome.EXIT,
         outcome.LIMIT, outcome.UNFINISHED, outcome.DATA, outcome.NOT_BUILT, outcome.CLOSED, outcome.ABSENT)
OWN = "fails on a GPU in the same way"
SLOW = "over the limit on a GPU as well"


def on_gpu(result):
    return result.get("on_gpu", {}).get("class", "")


def kind_of(result):
    """A program that fails on a GPU in the same way, with the same arguments, is no failure of the emulator's."""
    kind = result["class"]
    if result.get("judged"):
        return kind
    if kind == outcome.LIMIT and on_gpu(result) == kind:
        return SLOW
    failed = kind not in WELL + NOT_THERE + UNDECIDED
    return OWN if failed and on_gpu(result) == kind else kind


def read_lines(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [{"suite": row["suite"], "program": row["program"], "class": row["outcome"], "judged": True, "command": row["command"],
                 "on_gpu": {"class": row["on an H200"]}, "detail": row["detail"]} for row in csv.DictReader(file)]


def with_gpu(result, earlier):
    """What a GPU did with the same command was seen earlier, where this run had none."""
    if earlier and not result.get("on_gpu") and plain_command(result) == plain_command(earlier):
        return dict(result, on_gpu=earlier.get("on_gpu", {}))
    return result


def plain_command(result):
    """Without the folder of this run."""
    return result.get("command", "").split("/")[-1] if result["suite"] == "cuda-samples" else result.get("command", "")


def read(paths):
    results = {}
    for path in paths:
        for result in read_csv(path) if path.endswith(".csv") else read_lines(path):
            key = result["suite"], result["program"]
            results[key] = with_gpu(result, results.get(key))
    return sorted(results.values(), key=lambda result: (result["suite"], result["program"]))


def write_csv(path, results):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["suite", "program", "outcome", "on an H200", "command", "detail"])
        for result in results:
            writer.writerow([result["suite"], result["program"], kind_of(result), on_gpu(result), plain_command(result), clean(result["detail"])])


def clean(text):
    """Without this run's addresses and folders."""
    words = ["..." if word.count("/") > 2 else word for word in text.split()]
    return " ".join(words)[:140]


def percent(part, whole):
    return f"{part} of {whole}, {100 * part / whole:.1f} %" if whole else "none"


def tell(suite, results):
    counts = collections.Counter(kind_of(result) for result in results)
    well = sum(counts[kind] for kind in WELL)
    ended = len(results) - sum(counts[kind] for kind in NOT_THERE + UNDECIDED) - counts[OWN] - counts[SLOW]
    ran = ended + sum(counts[kind] for kind in UNDECIDED)
    print(f"\n### {suite}\n\n| outcome | programs |\n|---|---|")
    for kind in ORDER + (SLOW, OWN):
        if counts[kind]:
            print(f"| {kind} | {counts[kind]} |")
    print(f"| all | {len(results)} |\n")
    print(f"- Of those that build, have their data and ran to an end: {percent(well, ended)} do well.")
    print(f"- With those that the limit of time ended: {percent(well, ran)}.")
    passed = [result for result in results if result["class"] in WELL]
    agreeing = sum(1 for result in passed if on_gpu(result) in WELL)
    compared = sum(1 for result in passed if on_gpu(result) in WELL or on_gpu(result) in (outcome.WRONG, outcome.FAULT, outcome.CRASHED))
    print(f"- Of those that do well here and ran on an H200 with the same arguments: {percent(agreeing, compared)} do well there.")


def tell_failures(results):
    failures = [result for result in results if kind_of(result) not in WELL + NOT_THERE + UNDECIDED + (SLOW,)]
    if not failures:
        return
    print("\n| program | outcome | why |\n|---|---|---|")
    for result in failures:
        detail = clean(result["detail"]).replace("|", "/")
        print(f"| {result['program']} | {kind_of(result)} | {detail} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+")
    parser.add_argument("--csv", required=True)
    options = parser.parse_args()
    results = read(options.results)
    write_csv(options.csv, results)
    for suite in sorted({result["suite"] for result in results}):
        of_suite = [result for result in results if result["suite"] == suite]
        tell(suite, of_suite)
        tell_failures(of_suite)


if __name__ == "__main__":
    main()
