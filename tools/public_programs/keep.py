#!/usr/bin/env python3
"""Gathers the inputs of predictions, so that tests predict again what was measured without running anything.

usage: keep.py MEASURED.csv INPUTS_DIR OUT.inputs OUT.csv [--least-ns N]
       keep.py MEASURED.csv --again OUT.csv    (what was measured, beside inputs that stay)

INPUTS_DIR/PROGRAM ("/" as "_") holds what apod wrote with APOD_MODEL_INPUTS, one file a launch, 0.inputs and so on. Kernels and launches
that come again are kept once; OUT.csv says which launch of OUT.inputs each measured launch is.
"""
import argparse
import csv
import pathlib
import sys

# Of what was measured, what the judgement of predictions needs (tests/differential/accuracy.hpp); those that a recording lacks are left out.
COLUMNS = ["kernel", "gpu__time_duration.sum", "smsp__inst_executed.sum", "lts__t_sectors_op_read.sum", "lts__t_sectors_op_write.sum",
           "dram__bytes_read.sum", "dram__bytes_write.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "sm__cycles_elapsed.max",
           "sm__throughput.avg.pct_of_peak_sustained_elapsed", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
           "dram__throughput.avg.pct_of_peak_sustained_elapsed", "lts__throughput.avg.pct_of_peak_sustained_elapsed",
           "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"]


def write_csv(path, rows):
    """rows: (number of the input, what was measured)."""
    columns = [column for column in COLUMNS if rows and column in rows[0][1]]
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["input", "program", "launch"] + columns)
        for number, measured in rows:
            writer.writerow([number, measured["program"], measured["launch"]] + [measured[column] for column in columns])


def write_again(measured_path, csv_path):
    measured = {(row["program"], row["launch"]): row for row in csv.DictReader(open(measured_path))}
    kept = list(csv.DictReader(open(csv_path)))
    write_csv(csv_path, [(row["input"], measured[row["program"], row["launch"]]) for row in kept])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("measured")
    parser.add_argument("inputs", type=pathlib.Path, nargs="?")
    parser.add_argument("out_inputs", nargs="?")
    parser.add_argument("out_csv", nargs="?")
    parser.add_argument("--again", metavar="OUT.csv")
    parser.add_argument("--least-ns", type=float, default=5000)
    options = parser.parse_args()
    if options.again:
        write_again(options.measured, options.again)
        return 0
    if not options.out_csv:
        parser.error("INPUTS_DIR, OUT.inputs and OUT.csv are needed")
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
    write_csv(options.out_csv, [(first[kernel] + number, measured) for kernel, number, measured in rows])
    print(f"{len(rows)} measured launches, {count} inputs, {len(by_kernel)} kernels")
    return 0


if __name__ == "__main__":
    sys.exit(main())
