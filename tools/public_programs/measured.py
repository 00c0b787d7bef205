#!/usr/bin/env python3
"""Runs the programs that were measured on hardware under `apod run --json`, to their ends, and says which pass their own check.

usage: measured.py MEASURED.csv --programs FOLDER --apod PATH --reports FOLDER [--jobs N] [--threads N] [--inputs FOLDER]

FOLDER of --programs holds the executables by name ("HeCBench/reverse" is FOLDER/reverse), built with `-cudart shared` and PTX; each gets the
arguments that it was measured with. compare.py reads the reports. Of each kernel and shape as many launches are counted as were measured
of the program; the later ones only run.
"""
import argparse
import concurrent.futures
import csv
import os
import pathlib
import shlex
import subprocess
import sys
import time

import outcome

HEAVY = 1_000_000_000  # warp instructions of what was measured: such a program gets all threads


def programs_of(path):
    """By name: arguments, how many launches and how many warp instructions were measured; the longest first."""
    found = {}
    for row in csv.DictReader(open(path)):
        entry = found.setdefault(row["program"], {"program": row["program"], "args": row["args"], "launches": 0, "instructions": 0})
        entry["launches"] += 1
        entry["instructions"] += int(row["smsp__inst_executed.sum"])
    return sorted(found.values(), key=lambda entry: -entry["instructions"])


def run(entry, options):
    """The line that tells what became of a program."""
    name = entry["program"].replace("/", "_")
    program = pathlib.Path(options.programs).resolve() / entry["program"].split("/")[-1]
    if not program.exists():
        return False, f"{entry['program']}: not built"
    threads = options.threads if entry["instructions"] >= HEAVY or entry["program"] in options.heavy else 1
    command = [options.apod, "run", "-q", "-d", "emu:h200", "--threads", str(threads), "--counted", str(entry["launches"]),
               "--json", str(options.reports / f"{name}.json"), "--", str(program)] + shlex.split(entry["args"])
    environment = dict(os.environ)
    if options.inputs:
        folder = options.inputs / name
        folder.mkdir(parents=True, exist_ok=True)
        environment["APOD_MODEL_INPUTS"] = str(folder)
    begin = time.time()
    try:
        done = subprocess.run(command, cwd=program.parent, env=environment, capture_output=True, timeout=options.limit, check=False)
        code, output, errors, over = done.returncode, done.stdout, done.stderr, False
    except subprocess.TimeoutExpired as ended:
        code, output, errors, over = None, ended.stdout or b"", ended.stderr or b"", True
    output, errors = output.decode(errors="replace"), errors.decode(errors="replace")
    (options.reports / f"{name}.txt").write_text(output[-4000:] + errors[-2000:])
    kind, detail = outcome.classify(code, output, errors, over)
    well = kind in (outcome.PASSED, outcome.NO_CHECK)
    return well, f"{entry['program']} {entry['args']}: {kind} {detail} (exit code {code}, {time.time() - begin:.0f} s, {threads} threads)"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measured")
    parser.add_argument("--programs", required=True)
    parser.add_argument("--apod", required=True)
    parser.add_argument("--reports", type=pathlib.Path, required=True)
    parser.add_argument("--inputs", type=pathlib.Path, help="keep what predictions are made from, for keep.py")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--threads", type=int, default=0, help="the emulator's threads for programs with much work (0: all cores); others have one")
    parser.add_argument("--heavy", nargs="*", default=["HeCBench/jacobi", "HeCBench/shuffle"], help="programs with more work than was measured")
    parser.add_argument("--limit", type=float, default=3600, help="seconds for each by the clock")
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    options.apod = str(pathlib.Path(options.apod).resolve())
    options.reports = options.reports.resolve()
    options.inputs = options.inputs and options.inputs.resolve()
    options.reports.mkdir(parents=True, exist_ok=True)
    chosen = [entry for entry in programs_of(options.measured) if not options.only or entry["program"] in options.only]
    well = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(run, entry, options) for entry in chosen]):
            good, line = done.result()
            well += good
            print(line, flush=True)
    print(f"{well} of {len(chosen)} programs pass their own check, or have none and end well")
    return 0 if well == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
