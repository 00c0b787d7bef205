#!/usr/bin/env python3
"""Gathers the inputs of predictions, so that tests predict again what was measured without running anything.

usage: keep.py MEASURED.csv INPUTS_DIR OUT.inputs OUT.csv [--least-ns N]

INPUTS_DIR/PROGRAM ("/" as "_") holds what apod wrote with APOD_MODEL_INPUTS, one file a launch, 0.inputs and so on. Kernels and launches
that come again are kept once; OUT.csv says which launch of OUT.inputs each measured launch is.
"""
import argparse
import csv
import pathlib
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("measured")
    parser.add_argument("inputs", type=pathlib.Path)
    parser.add_argument("out_inputs")
    parser.add_argument("out_csv")
    parser.add_argument("--least-ns", type=float, default=5000)
    options = parser.parse_args()
    by_kernel, rows = {}, []
    for measured in csv.DictReader(open(options.measured)):
        path = options.inputs / measured["program"].replace("/", "_") / f"{measured['launch']}.inputs"
        if float(measured["gpu__time_duration.sum"]) < options.least_ns or not path.exists():
            continue
        kernel, launch = path.read_text().split("\nlaunch ", 1)
        launches = by_kernel.setdefault(kernel, {})
        rows.append((kernel, launches.setdefault("launch " + launch, len(launches)), measured))
    first, count = {}, 0
    with open(options.out_inputs, "w") as out:
        for kernel, launches in by_kernel.items():
            first[kernel] = count
            count += len(launches)
            out.write(kernel + "\n" + "".join(launches))
    with open(options.out_csv, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["input", "program", "launch", "gpu__time_duration.sum", "smsp__inst_executed.sum"])
        for kernel, number, measured in rows:
            writer.writerow([first[kernel] + number, measured["program"], measured["launch"], measured["gpu__time_duration.sum"],
                             measured["smsp__inst_executed.sum"]])
    print(f"{len(rows)} measured launches, {count} inputs, {len(by_kernel)} kernels")
    return 0


if __name__ == "__main__":
    sys.exit(main())
