"""How long Ctrl-C takes to stop a long call: python bench/interrupt.py

Sends a real SIGINT to a process in each of the calls of tests/test_concurrency.py, five times, and
prints the median and the longest wait in milliseconds; 200 is what is promised.
"""

import signal
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from test_concurrency import LONG_CALLS, SCRIPT


def wait(call):
    """Milliseconds from the signal to the exception."""
    script = SCRIPT.format(call=call)
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, encoding="utf-8"
    ) as child:
        child.stdout.readline()
        time.sleep(0.5)
        sent = time.time()
        child.send_signal(signal.SIGINT)
        when = float(child.stdout.readline().split()[1])
        child.stdout.readline()
    return 1000 * (when - sent)


if __name__ == "__main__":
    for name, call in LONG_CALLS.items():
        waits = [wait(call) for _ in range(5)]
        print(f"{name}: median {median(waits):.0f} ms, longest {max(waits):.0f} ms")
