#!/usr/bin/env python3
"""Builds public CUDA programs as they are, runs them on the emulated GPU, and says what became of each.

usage: sample.py --hecbench CHECKOUT/src | --samples CHECKOUT/Samples   --apod PATH --work FOLDER [--only NAME ...]

A checkout is built in place, in an order that --seed decides, so that what has been run when time is over is a fair sample. Each program is
run with small arguments first; what does not pass then is run with its own sizes. FOLDER/results.jsonl has a line a program; programs
that are in it are not run again, unless --only names them. table.py makes CSV and Markdown of it.
"""
import argparse
import concurrent.futures
import contextlib
import hashlib
import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import commands
import outcome
from toolchain import Toolchain, libraries_named, why_not_built

WELL = (outcome.PASSED, outcome.NO_CHECK, outcome.WAIVED)
NOT_TRIED = "not tried"


def unpack(folder):
    """Data that a folder holds packed, which its README asks the user to unpack."""
    for path in folder.glob("*"):
        if path.name.endswith((".tar.gz", ".tgz", ".tar.bz2")):
            subprocess.run(["tar", "-xf", path.name], cwd=folder, capture_output=True, check=False)
        elif path.suffix in (".bz2", ".gz") and not path.with_suffix("").exists():
            with path.with_suffix("").open("wb") as file:
                subprocess.run(["bzip2" if path.suffix == ".bz2" else "gzip", "-dc", path.name], cwd=folder, stdout=file, check=False)


class Sampler:
    def __init__(self, options):
        self.options = options
        self.work = pathlib.Path(options.work)
        self.toolchain = Toolchain(options.toolkit, options.work, options.build_limit)
        self.results = self.work / "results.jsonl"
        self.lock = threading.Lock()
        self.begin = time.time()
        self.running = set()
        self.processes = set()

    def done(self):
        if not self.results.exists():
            return set()
        return {json.loads(line)["program"] for line in self.results.read_text().splitlines()}

    def write(self, result):
        with self.lock, self.results.open("a") as file:
            file.write(json.dumps(result) + "\n")
        print(f"{result['program']}: {result['class']} {result.get('detail', '')[:100]} ({result['seconds']:.0f} s)", flush=True)

    def apod(self):
        counted = "" if self.options.counted is None else f" --counted {self.options.counted}"
        return f"{self.options.apod} run -q -d {self.options.device} --threads {self.options.threads}{counted}"

    def run(self, command, folder, on_gpu=False):
        """Exit code, output, errors, whether a limit ended it."""
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(["bash", "-c", command], cwd=folder, stdout=output, stderr=errors, stdin=subprocess.DEVNULL,
                                       start_new_session=True, preexec_fn=outcome.limit_process(self.options.limit))
            self.processes.add(process.pid)
            over = False
            try:
                process.wait(timeout=self.options.limit if on_gpu else self.options.wall or self.options.limit * 10)
            except subprocess.TimeoutExpired:
                over = True
                os.killpg(process.pid, 9)
                process.wait()
            self.processes.discard(process.pid)
            texts = []
            for file in (output, errors):
                file.seek(0)
                texts.append(file.read(4 << 20).decode(errors="replace"))
        ended_by_limit = "signal 24" in texts[1] or "signal 9 (" in texts[1] or process.returncode in (128 + 24, -24, 128 + 9, -9)
        return process.returncode, texts[0], texts[1], over or ended_by_limit

    def attempt(self, lines, names, level, folder, result, prefix):
        """Runs all lines at a level; the first that does not do well decides."""
        kind, detail = outcome.NO_CHECK, "no command"
        for line in lines:
            command = commands.command_of(line, names, level, prefix)
            if command is None:
                continue
            result["command"] = command.replace(prefix + " -- ", "") if prefix else command
            code, output, errors, over = self.run(command, folder, not prefix)
            kind, detail = outcome.classify(code, output, errors, over)
            result["output"], result["errors"] = output[-3000:], errors[-1500:]
            if kind not in WELL:
                break
        return kind, detail

    def on_gpu(self, lines, names, level, folder, source):
        """What the same command does on hardware. Managed memory beyond what is free can hang a GPU: such programs are left out."""
        sources = [path for path in source.rglob("*") if path.suffix in (".cu", ".cpp", ".cuh", ".h") and path.is_file()]
        if any("cudaMallocManaged" in path.read_text(errors="replace") for path in sources):
            return {"class": NOT_TRIED, "detail": "managed memory", "level": level}
        attempt = {}
        kind, detail = self.attempt(lines, names, level, folder, attempt, "")
        return {"class": kind, "detail": detail, "output": attempt.get("output", "")[-1500:], "level": level}

    def run_levels(self, lines, names, folder, source, result):
        """Small sizes first. A program that is still too much gets smaller ones, one that does not do well its own."""
        def wanted(level):
            return [commands.command_of(line, names, level, "") for line in lines]

        level, tried, best = self.options.level, [], None
        while level is not None and wanted(level) not in tried:
            tried.append(wanted(level))
            attempt = {"level": level}
            if self.options.gpu:
                attempt["on_gpu"] = self.on_gpu(lines, names, level, folder, source)
                if attempt["on_gpu"]["class"] not in WELL + (NOT_TRIED,) and level == 1:
                    own = self.on_gpu(lines, names, 0, folder, source)
                    if own["class"] in WELL:
                        attempt.update({"level": 0, "on_gpu": own})
                        tried.append(wanted(0))
                if attempt["on_gpu"]["class"] == outcome.LIMIT:
                    result.update(attempt)
                    return outcome.LIMIT, "on a GPU as well"
            kind, detail = self.attempt(lines, names, attempt["level"], folder, attempt, self.apod())
            own = attempt["level"] == 0 and best[0] != outcome.LIMIT if best else False
            if best is None or kind in WELL or own or best[0] == outcome.LIMIT:  # small sizes may be none that the program takes
                best = (kind, detail)
                result.update(attempt)
            if kind in WELL or kind == outcome.CLOSED:
                break
            level = {1: 2 if kind == outcome.LIMIT else 0, 0: 2 if kind == outcome.LIMIT else None, 2: None}[attempt["level"]]
        return best

    def hecbench(self, folder, result):
        makefile = folder / "Makefile"
        if not makefile.exists():
            return outcome.NOT_BUILT, "no Makefile"
        text = makefile.read_text(errors="replace")
        closed, absent = libraries_named(text)
        if closed or absent:
            return (outcome.CLOSED, ", ".join(closed)) if closed else (outcome.ABSENT, ", ".join(absent))
        unpack(folder)
        code, output = self.toolchain.make(folder)
        if code != 0:
            result["output"] = output[-4000:]
            return outcome.NOT_BUILT, why_not_built(code, output)
        result["built"] = True
        _, printed = self.toolchain.make(folder, "-n", "run")
        lines = commands.run_lines(printed, folder)
        if not lines:
            lines = ["./main"] if (folder / "main").exists() else []
        if not lines:
            result["output"] = printed[-2000:]
            return outcome.NOT_BUILT, "its Makefile has no command to run it"
        return self.run_levels(lines, commands.usage_names(folder), folder, folder, result)

    def sample(self, folder, result):
        text = (folder / "CMakeLists.txt").read_text(errors="replace")
        closed, absent = libraries_named(text)
        if re.search(r"find_package\(OpenGL|find_package\(GLUT|\$\{OPENGL|GLES|D3D1|find_package\(Vulkan|EGL", text):
            absent = absent or ["graphics"]
        if closed or absent:
            return (outcome.CLOSED, ", ".join(closed)) if closed else (outcome.ABSENT, ", ".join(absent))
        build = self.work / "build" / folder.name
        code, output = self.toolchain.cmake(folder, build)
        program = build / folder.name
        if code != 0 or not program.exists():
            result["output"] = output[-4000:]
            return outcome.NOT_BUILT, why_not_built(code, output)
        result["built"] = True
        arguments = self.sample_arguments(folder.name)
        return self.run_levels([f"{program} {arguments}".strip()], [], build, folder, result)

    def sample_arguments(self, name):
        listed = pathlib.Path(self.options.samples).parent / "test_args.json"
        entry = json.loads(listed.read_text()).get(name, {}) if listed.exists() else {}
        arguments = entry.get("args") or (entry.get("runs") or [{}])[0].get("args") or []
        return " ".join(arguments)

    def one(self, folder):
        begin = time.time()
        if begin - self.begin > self.options.until:
            return
        print(f"{folder.name}: begun", flush=True)
        self.running.add(folder.name)
        result = {"program": folder.name, "suite": self.suite(), "built": False}
        try:
            kind, detail = (self.sample if self.options.samples else self.hecbench)(folder, result)
        except Exception as problem:  # one program must not end the sample
            kind, detail = "the sampler failed", repr(problem)
        result.update({"class": kind, "detail": detail, "seconds": time.time() - begin})
        self.running.discard(folder.name)
        self.write(result)

    def end(self, *_):
        """The sample is stopped: what was under way counts as not finished, or long programs would be missing from it."""
        for name in sorted(self.running):
            self.write({"program": name, "suite": self.suite(), "built": False, "class": outcome.UNFINISHED, "detail": "", "seconds": 0})
        for group in list(self.processes):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        os._exit(1)

    def suite(self):
        return "cuda-samples" if self.options.samples else "HeCBench"

    def programs(self):
        if self.options.samples:
            found = [path.parent for path in pathlib.Path(self.options.samples).rglob("CMakeLists.txt")]
            found = [path for path in found if re.search(r"add_executable|add_custom_target", (path / "CMakeLists.txt").read_text())]
        else:
            found = [path for path in pathlib.Path(self.options.hecbench).iterdir() if path.name.endswith("-cuda")]
        found.sort(key=lambda path: hashlib.sha256(f"{self.options.seed} {path.name}".encode()).hexdigest())  # random, whatever else is there
        only = set(self.options.only or [])
        done = self.done()
        if only:  # in the order in which they were named
            place = {name: number for number, name in enumerate(self.options.only)}
            return sorted((path for path in found if path.name in only), key=lambda path: place[path.name])
        return [path for path in found if path.name not in done][:self.options.most]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    suite = parser.add_mutually_exclusive_group(required=True)
    suite.add_argument("--hecbench", help="the folder src of a checkout of HeCBench")
    suite.add_argument("--samples", help="the folder Samples of a checkout of cuda-samples")
    parser.add_argument("--apod", required=True, help="the command")
    parser.add_argument("--device", default="emu:h200", help="the emulated GPU")
    parser.add_argument("--work", required=True, help="a folder for builds and results")
    parser.add_argument("--toolkit", default=os.environ.get("CUDA_HOME", "/usr/local/cuda"), help="the CUDA toolkit")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1, help="the emulator's threads in each run")
    parser.add_argument("--counted", type=int, help="launches of a kernel and a shape that are counted; the others only run; without it all are")
    parser.add_argument("--limit", type=int, default=60, help="seconds of processor time for each run")
    parser.add_argument("--wall", type=int, default=0, help="seconds for each run by the clock; without it ten times --limit")
    parser.add_argument("--build-limit", type=int, default=300, help="seconds for each build")
    parser.add_argument("--gpu", action="store_true", help="there is a GPU: run each command on it as well, and tell what became of it there")
    parser.add_argument("--level", type=int, default=1, choices=(1, 2), help="1: small sizes first; 2: begin with the smallest, for what is known to take long")
    parser.add_argument("--until", type=float, default=math.inf, help="start no program after so many seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=1 << 30, help="how many programs at most")
    parser.add_argument("--only", nargs="*", help="these programs, whether they have been run or not")
    options = parser.parse_args()
    options.apod = str(pathlib.Path(shutil.which(options.apod) or options.apod).resolve())
    options.work = str(pathlib.Path(options.work).resolve())
    sampler = Sampler(options)
    signal.signal(signal.SIGTERM, sampler.end)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(sampler.one, sampler.programs()))


if __name__ == "__main__":
    main()
