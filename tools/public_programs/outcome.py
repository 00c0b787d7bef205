"""What became of a program that ran: read from its exit code and from what it printed."""
import re
import resource

PASSED = "passed its own check"
NO_CHECK = "ran to its end, has no check"
WRONG = "wrong answer"
REFUSED = "refused or not supported, by name"
CRASHED = "crashed"
FAULT = "a kernel's fault"
LIMIT = "time limit"
NOT_BUILT = "does not build"
DATA = "needs data that is not there"
CLOSED = "needs a closed library"
ABSENT = "needs a library that is not there"
UNFINISHED = "not finished when the sample ended"
WAIVED = "waived by the program itself"
EXIT = "ended with an error of its own"

GOOD = re.compile(r"\bPASS(ED|ES|)?\b|\bsuccess(ful(ly)?)?\b|\btest passed\b|results? (is|are) correct|\bcorrect\b|\bmatch(es)?\b|verification.{0,20}\bok\b|"
                  r"validat\w+.{0,12}\bok\b|\bno errors?\b|errors?:? *(= *)?0\b|\bSUCCEEDED\b|^\s*OK\s*$|: *OK\b", re.IGNORECASE | re.MULTILINE)
BAD = re.compile(r"\bFAIL(ED|S|URE|)?\b|\bmis-?match(es)?\b|\bincorrect\b|\bwrong\b|does not match|do not match|\bnot correct\b|"
                 r"\berror at\b|verification error|results? differs?\b|\bunsuccessful", re.IGNORECASE)
HARMLESS = re.compile(r"(mis-?match(es)?|fail(ed|ures?|s)?|wrong|incorrect)\s*(count|rate|results|elements|tests)?\s*[:=]?\s*(is|are)?\s*0+(\.0+)?\b|"
                      r"\b0 (mis-?match|fail|wrong|incorrect)|no (mis-?match|fail)|as expected", re.IGNORECASE)
NO_FILE = re.compile(r"(no such file|cannot open|can'?t open|could not open|unable to open|failed to open|failed opening|error opening|"
                     r"cannot read|could not read|unable to read|not found|fail(ed)? to (load|read))", re.IGNORECASE)


def own_check(text):
    """True: it says that it passed; False: that it failed; None: it says nothing."""
    bad = [line for line in text.splitlines() if BAD.search(line) and not HARMLESS.search(line)]
    if bad:
        return False
    return True if GOOD.search(text) else None


def refusal(errors):
    """The first message of ours that names something unsupported."""
    for line in errors.splitlines():
        if line.startswith("apod: ") and re.search(r"not supported|cannot run|not there|unsupported|is not|refuse|no PTX", line):
            return line[6:200]
    return None


def fault(errors):
    for line in errors.splitlines():
        if line.startswith("apod: error") and ": assertion `" not in line:  # an assertion that fails is what the program says
            return line[6:220]
    return None


def classify(code, output, errors, over_limit):
    """The class and what tells it."""
    if over_limit:
        return LIMIT, ""
    ours = refusal(errors)
    if code in (3, 4) and re.search(r"lib(cublas|cufft|curand|cusparse|cusolver|cudnn|nccl|nvidia-ml|npp|nvjpeg)", errors):
        return CLOSED, errors.splitlines()[-1][:160]
    broken = fault(errors)
    said = own_check(output)
    if said is False or code not in (0, None):
        if ours or broken:
            return (REFUSED if ours and not broken else FAULT), ours or broken
    if code == 2 and re.search(r"waiv", output, re.IGNORECASE):
        return WAIVED, last_line(output)
    if (said is False or code != 0) and NO_FILE.search(output + errors):
        return DATA, first(NO_FILE, output + errors)
    if code < 0 or 128 < code <= 128 + 64:
        return CRASHED, f"signal {-code if code < 0 else code - 128}: " + last_line(errors)
    if said is False:
        return WRONG, first(BAD, output)
    if code != 0:
        return EXIT, f"exit code {code}: " + last_line(output + errors)
    if ours:
        return REFUSED, ours
    if broken and not said:
        return FAULT, broken
    return (PASSED, "") if said else (NO_CHECK, "")


def first(pattern, text):
    return next((line.strip()[:160] for line in text.splitlines() if pattern.search(line)), "")


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:160] if lines else ""


def limit_process(seconds):
    """What is called in the process that becomes the program: it gets so many seconds of processor time and leaves no core file."""
    def apply():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return apply
