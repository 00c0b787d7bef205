#!/usr/bin/env python3
"""Holds what the emulator counts and predicts against hardware counters of the same programs, launch by launch.

usage: compare.py MEASURED.csv REPORTS_DIR [--csv OUT.csv]

MEASURED.csv has a row a launch with Nsight Compute's metric names (program, args, launch, kernel, ...). REPORTS_DIR holds for each program
what `apod run --json FILE` wrote, named PROGRAM with "/" as "_", ending in .json. Prints the agreement of each metric and every exception.
"""
import argparse
import csv
import json
import math
import pathlib
import statistics
import sys

LOADS = ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]
STORES = ["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"]
CONFLICTS = [
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
]
OTHERS = [
    "smsp__inst_executed.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
    "lts__t_sectors_op_read.sum",
    "lts__t_sectors_op_write.sum",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
]
TIME = "gpu__time_duration.sum"
MOST = 1000  # launches of a program that anybody measures
MACHINE = "apod__inst_executed_machine.sum"  # of ptxas's code, where it is installed
COLD = "apod__time_duration_cold.sum"  # ncu empties the caches before each pass


def launches_of(path, most):
    """The first launches in the order in which the program made them."""
    report = json.loads(path.read_text())
    order = []
    for position, times in report["order"]:
        order += [report["launches"][position]] * min(times, most - len(order))
    return order


def value(launch, metric):
    if metric == TIME:
        return launch["metrics"].get(COLD, launch["metrics"].get(TIME, launch["time_ns"]))["value"]
    found = launch["metrics"].get(metric)
    return None if found is None else found["value"]


def relative(ours, theirs):
    if theirs == 0:
        return 0.0 if ours == 0 else math.inf
    return abs(ours - theirs) / abs(theirs)


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    result = [0.0] * len(values)
    for rank, i in enumerate(order):
        result[i] = float(rank)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("measured")
    parser.add_argument("reports", type=pathlib.Path)
    parser.add_argument("--csv")
    options = parser.parse_args()
    rows, missing = [], []
    records = {}
    for measured in csv.DictReader(open(options.measured)):
        program = measured["program"]
        if program not in records:
            path = options.reports / (program.replace("/", "_") + ".json")
            records[program] = launches_of(path, MOST) if path.exists() else []
        number = int(measured["launch"])
        if number >= len(records[program]):
            missing.append(f"{program} launch {number} ({measured['kernel'][:60]}): not run")
            continue
        rows.append((measured, records[program][number]))
    print(f"{len(rows)} launches of {len({m['program'] for m, _ in rows})} programs, {len(missing)} missing")
    for line in missing:
        print("  missing:", line)

    def agreement(metrics, tolerance, noise=0, noise_share=0.0, ours_is=None):
        good, bad = 0, []
        for measured, launch in rows:
            worst, text = True, []
            for metric in metrics:
                theirs, ours = float(measured[metric]), value(launch, ours_is or metric) or 0
                allowed = max(noise, noise_share * float(measured["l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"]))
                if relative(ours, theirs) > tolerance and abs(ours - theirs) > allowed:
                    worst = False
                    text.append(f"{metric.split('__')[1]} {ours:.0f} / {theirs:.0f}")
            if worst:
                good += 1
            else:
                bad.append(f"{measured['program']} {measured['launch']} {measured['kernel'][:48]}: " + "; ".join(text))
        return good, bad

    for title, metrics, tolerance, noise, *share in [
        ("global requests and sectors, within 1 %", LOADS + STORES, 0.01, 0),
        ("shared bank conflicts, within 2 % or the noise (1.5 % of the wavefronts, or 300)", CONFLICTS, 0.02, 300, 0.015),
        ("warp instructions, within 5 %", ["smsp__inst_executed.sum"], 0.05, 0),
        ("warp instructions of the machine code, within 5 %", ["smsp__inst_executed.sum"], 0.05, 0, 0, MACHINE),
        ("shared wavefronts, within 2 % or 300", ["l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"], 0.02, 300),
        ("L2 read sectors, within 10 % or 2000", ["lts__t_sectors_op_read.sum"], 0.10, 2000),
        ("L2 write sectors, within 10 % or 2000", ["lts__t_sectors_op_write.sum"], 0.10, 2000),
        ("DRAM bytes read, within 10 % or 64 KiB", ["dram__bytes_read.sum"], 0.10, 65536),
    ]:
        good, bad = agreement(metrics, tolerance, noise, *share)
        print(f"\n{title}: {good} of {len(rows)} launches ({100 * good / max(len(rows), 1):.1f} %)")
        for line in bad:
            print("  ", line)

    for title, least in [("all launches", 0), ("launches over 5 us", 5000)]:
        errors, theirs_all, ours_all = [], [], []
        for measured, launch in rows:
            theirs, ours = float(measured[TIME]), value(launch, TIME)
            if theirs < least:
                continue
            errors.append((relative(ours, theirs), measured, ours, theirs))
            theirs_all.append(theirs)
            ours_all.append(ours)
        if not errors:
            continue
        sizes = sorted(e[0] for e in errors)
        a, b = ranks(theirs_all), ranks(ours_all)
        correlation = statistics.correlation(a, b) if len(a) > 2 else float("nan")
        print(f"\ntime, {title} ({len(errors)}): mean error {100 * statistics.mean(sizes):.1f} %, median {100 * statistics.median(sizes):.1f} %, "
              f"P90 {100 * sizes[int(0.9 * (len(sizes) - 1))]:.1f} %, worst {100 * sizes[-1]:.1f} %, rank correlation {correlation:.3f}")
        for error, measured, ours, theirs in sorted(errors, key=lambda e: -e[0])[:25]:
            print(f"   {100 * error:6.1f} %  {ours / 1000:10.2f} us predicted, {theirs / 1000:10.2f} measured  {measured['program']} "
                  f"{measured['launch']} {measured['kernel'][:40]}")
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            writer = csv.writer(file)
            names = LOADS + STORES + CONFLICTS + OTHERS + [TIME]
            writer.writerow(["program", "launch", "kernel"] + [f"{n} {s}" for n in names for s in ("apod", "H200")])
            for measured, launch in rows:
                cells = [measured["program"], measured["launch"], measured["kernel"]]
                for name in names:
                    cells += [value(launch, name), measured[name]]
                writer.writerow(cells)
    return 0


if __name__ == "__main__":
    sys.exit(main())
