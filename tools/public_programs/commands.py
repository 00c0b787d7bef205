"""Which commands run a program, and with how little work.

What a Makefile's `run` target asks for is meant for a GPU. An emulator has enough with a fraction: repetitions become 1 or 2, large sizes are
divided by powers of two, so that what was a multiple of a tile stays one.
"""
import pathlib
import re
import shlex

REPEATS = re.compile(r"repeat|iter|times|steps|trials|loops|runs|rounds|passes|epoch|nsteps|time_step|timesteps|generations", re.IGNORECASE)
REPEAT_FLAGS = {"-r", "-i", "-t", "-iter", "--iter", "--iterations", "--num_iterations", "-n_iter", "--numtimes", "--repeat", "-I"}
USUAL_REPEATS = {10, 20, 50, 100, 102, 165, 200, 300, 500, 1000, 2000, 5000, 10000}


def usage_names(folder):
    """The names of the arguments, in order, as the first usage message of the program has them."""
    sources = [path for kind in ("*.cu", "*.cpp", "*.c", "*.cc", "*.h") for path in sorted(pathlib.Path(folder).rglob(kind))]
    for path in sources:
        text = path.read_text(errors="replace")
        found = re.search(r"[Uu](?:sage|SAGE)\b:?", text)
        if found is None:
            continue
        message = text[found.end():found.end() + 400].split(";")[0]
        names = re.findall(r"<([^<>\n]{1,60})>", message)
        if names:
            return names
    return []


def smaller(value, level):
    """Level 0 leaves sizes as they are, 1 and 2 divide them."""
    if level == 0:
        return value
    divisor = 1
    for limit, by in ((1 << 20, 256), (1 << 16, 64), (1 << 12, 16), (1 << 9, 4)):
        if value >= limit:
            divisor = by
            break
    value = max(value // divisor, 1)
    return value if level == 1 or value <= 64 else max(value // 8, 64)


def scaled(arguments, names, level):
    numbers = [(i, re.fullmatch(r"(|--?[\w-]+=)(\d+)", text)) for i, text in enumerate(arguments)]
    positional = len(names) == len(arguments)
    result = list(arguments)
    for i, number in numbers:
        if number is None:
            continue
        flag, value = number.group(1), int(number.group(2))
        before = arguments[i - 1] if i > 0 else ""
        if flag:
            repeats = REPEATS.search(flag) is not None
        elif positional:
            repeats = REPEATS.search(names[i]) is not None
        else:
            repeats = before in REPEAT_FLAGS or (i == len(arguments) - 1 and not before.startswith("-") and value in USUAL_REPEATS)
        result[i] = flag + str(min(value, 4 if level == 0 else 2) if repeats else smaller(value, level))
    return result


def is_program(path):
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def run_lines(make_output, folder, most=2):
    """The lines of `make -n run` that start a program of the folder."""
    programs = {path.name for path in pathlib.Path(folder).rglob("*") if path.suffix != ".o" and is_program(path)}
    lines = []
    for line in make_output.replace("\\\n", " ").splitlines():
        line = line.strip()
        words = line.split()
        if any("/" in word and word.split("/")[-1] in programs for word in words) and not re.search(r"\b(nvcc|g\+\+|gcc|make)\b", line):
            lines.append(line)
    return lines[:most]


def command_of(line, names, level, apod):
    """A shell line with its numbers made smaller, the program below `apod` (empty: as it is); None where no program is found in it."""
    line = re.sub(r"\bulimit\s+-s\s+unlimited\s*;?", "", line)
    parts = re.split(r"(\s*(?:&&|\|\||;|\|)\s*)", line)
    found = False
    for i, part in enumerate(parts):
        try:
            words = shlex.split(part)
        except ValueError:
            continue
        start = next((k for k, word in enumerate(words) if "=" not in word), None)
        if start is None or "/" not in words[start] or words[start].startswith("-"):
            continue
        arguments = words[start + 1:]
        redirect = next((k for k, word in enumerate(arguments) if word[0:1] in "<>" and word), len(arguments))
        tail = arguments[redirect:]
        program = shlex.join(words[start:start + 1] + scaled(arguments[:redirect], names, level))
        parts[i] = " ".join(words[:start] + ([apod, "--", program] if apod else [program]) + [word if word in ("<", ">", ">>") else shlex.quote(word).replace("'", "")
                                                                      for word in tail])
        found = True
    return "".join(parts) if found else None
