"""The tables of a run of the benchmarks, in markdown: python bench/table.py [FILE.json].

Without a file the benchmarks are run first. FILE is what `pytest --benchmark-json` writes; the
tables go to the screen and to FILE.md beside it. Every figure is a median.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / ".benchmarks" / "bench.json"
RUN = (
    "-m", "pytest", "bench", "-o", "addopts=", "-q", "--benchmark-only", "--benchmark-sort=name",
    "--benchmark-group-by=func", "--benchmark-columns=median,iqr,rounds",
)  # fmt: skip

CALLS = {
    "test_position_plays": "`Position.plays`, opening 3-1, 16 results",
    "test_plays_of_one_board": "`batch.plays` of that board",
    "test_count_of_one_board": "`batch.count` of that board",
    "test_one_random_game": "`batch.playout` of one random game",
    "test_import[nothing]": "interpreter that imports nothing, start to end",
    "test_import[numpy]": "the same with `import numpy`",
    "test_import[nardy]": "the same with `import nardy`",
}


BEAROFF = {
    "test_one_sided_6_x_15[short]": ("one-sided table 6 x 15, 54,264 positions", None),
    "test_one_sided_6_x_15[old_english]": ("the same, `old_english`", None),
    "test_one_sided_10_x_15": ("one-sided table 10 x 15, 3,268,760 positions", None),
    "test_two_sided_6_x_6": ("two-sided table 6 x 6, 924 x 924 pairs", None),
    "test_means_of_many_positions": ("mean turns of a position, of many in a call", "positions"),
    "test_races": ("chances of a race, of many in a call", "races"),
    "test_contact[short]": ("`batch.contact` of a board, `short`", "boards"),
    "test_contact[long]": ("the same, `long`", "boards"),
}


def run():
    """Run the benchmarks into `RESULTS`."""
    RESULTS.parent.mkdir(exist_ok=True)
    command = [sys.executable, *RUN, f"--benchmark-json={RESULTS}"]
    subprocess.run(command, check=True, cwd=ROOT)


def short(number):
    """Three digits and a thousands sign: 23.4 k, 5.67 M."""
    sizes = ((1e9, " G"), (1e6, " M"), (1e3, " k"), (0, ""))
    size, sign = next(row for row in sizes if number >= row[0])
    number /= size or 1
    return f"{number:.{2 if number < 10 else 1 if number < 100 else 0}f}{sign}"


def duration(seconds):
    """Seconds in the unit that suits them."""
    sizes = ((1, "s"), (1e-3, "ms"), (1e-6, "µs"), (0, "ns"))
    size, unit = next(row for row in sizes if seconds >= row[0])
    return f"{seconds / (size or 1e-9):.3g} {unit}"


def table(head, rows):
    """Lines of a markdown table; all columns but the first are numbers."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return [f"| {' | '.join(row)} |" for row in (head, rule, *rows)] + [""]


def by_variant(benchmarks):
    """{variant: {bench: (median in seconds, extra_info)}} in the order of the run."""
    found = {}
    for bench in benchmarks:
        name = re.fullmatch(r"(test_\w+)\[(\w+)\]", bench["name"])
        if name and name[1] != "test_import":
            row = bench["stats"]["median"], bench["extra_info"]
            found.setdefault(name[2], {})[name[1]] = row
    return found


def positions_table(variants):
    """Boards of a roll, counts, faults and perft."""
    rows = []
    for variant, bench in variants.items():
        plays, info = bench["test_plays"]
        count, _ = bench["test_count"]
        _, two = bench["test_plays_two_threads"]
        faults, _ = bench["test_faults"]
        perft, deep = bench["test_perft"]
        pairs = info["pairs"]
        rows.append([
            f"`{variant}`",
            f"{info['boards'] / pairs:.1f}",
            f"{plays / pairs * 1e9:.0f}",
            short(pairs / plays),
            short(info["boards"] / plays),
            f"{count / pairs * 1e9:.0f}",
            short(pairs / count),
            f"{two['ratio']:.2f}",
            f"{faults / pairs * 1e9:.1f}",
            f"{short(deep['pairs'] / perft)} (depth {deep['depth']})",
        ])  # fmt: skip
    head = [
        "variant", "boards per pair", "plays: ns/pair", "pairs/s", "boards/s", "count: ns/pair",
        "pairs/s", "plays on two threads", "faults: ns/board", "perft: pairs/s",
    ]  # fmt: skip
    return table(head, rows)


def games_table(variants):
    """Whole games."""
    rows = []
    for variant, bench in variants.items():
        chance, info = bench["test_random_games"]
        _, two = bench["test_random_games_two_threads"]
        best, best_info = bench["test_heuristic_games"]
        rows.append([
            f"`{variant}`",
            f"{info['decisions'] / info['games']:.0f}",
            short(info["games"] / chance),
            short(info["decisions"] / chance),
            f"{two['ratio']:.2f}",
            f"{best_info['decisions'] / best_info['games']:.0f}",
            short(best_info["games"] / best),
            short(best_info["decisions"] / best),
        ])  # fmt: skip
    head = [
        "variant", "random: turns a game", "games/s", "turns/s", "on two threads",
        "heuristic: turns a game", "games/s", "decisions/s",
    ]  # fmt: skip
    return table(head, rows)


def calls_table(benchmarks):
    """Single calls and imports."""
    medians = {bench["name"]: bench["stats"]["median"] for bench in benchmarks}
    rows = [[words, duration(medians[name])] for name, words in CALLS.items() if name in medians]
    return table(["call", "time"], rows)


def bearoff_table(benchmarks):
    """Tables of the bear-off, races and contact."""
    rows = []
    for bench in benchmarks:
        words, per = BEAROFF.get(bench["name"], (None, None))
        if words:
            many = bench["extra_info"].get(per, 1)
            rows.append([words, duration(bench["stats"]["median"] / many)])
    return table(["bear-off", "time"], rows)


def conditions(results):
    """What the figures depend on."""
    facts = dict(results["machine_info"]["nardy"])
    command = f"python -m pytest {' '.join(facts.pop('arguments'))}"
    command = re.sub(r"--benchmark-json=\S+", "--benchmark-json=FILE", command)
    lines = [f"- {name}: {value}" for name, value in facts.items()]
    return [*lines, f"- date: {results['datetime'][:10]}", f"- command: `{command}`", ""]


def report(results):
    """The whole page."""
    benchmarks = results["benchmarks"]
    variants = by_variant(benchmarks)
    plays = next(iter(variants.values()))["test_plays"][1]
    return "\n".join([
        f"{plays['pairs']:,} different pairs (board, roll) a variant, from random play. One thread "
        "by processor time,",
        "two threads and imports by the clock. Turns include passes.",
        "",
        *positions_table(variants),
        *games_table(variants),
        *calls_table(benchmarks),
        *bearoff_table(benchmarks),
        *conditions(results),
    ])  # fmt: skip


def main(arguments):
    if arguments:
        source = Path(arguments[0])
    else:
        run()
        source = RESULTS
    text = report(json.loads(source.read_text()))
    source.with_suffix(".md").write_text(text)
    print(text)


if __name__ == "__main__":
    main(sys.argv[1:])
