"""Draw the pictures of docs/pictures.md again.

    python docs/draw.py

tests/test_drawing.py fails while docs/img has others.
"""

from pathlib import Path

from nardy import Position

FOLDER = Path(__file__).parent / "img"


def pictures() -> dict[str, str]:
    """Return every picture of the page by the name of its file."""
    long = Position.from_text("long 24:11 18:1 15:1 10:1 6:1 | 24:11 21:1 20:1 14:1 7:1")
    tavla = Position.from_text("tavla 24:1 13:3 8:3 6:4 5:2 bar:2 | 22:1 13:4 8:3 6:5 3:1 bar:1")
    end = Position.from_text("nardegammon 6:3 4:3 2:2 1:1 | 6:5 3:4 1:1")
    return {
        "short.svg": Position.start("short").svg(play="8/5 6/5", dice=(3, 1), cube=(1, None)),
        "long.svg": long.svg(play="24/18 15/11", dice=(6, 4)),
        "tavla-dark.svg": tavla.svg(play="bar/22* bar/23", dice=(3, 2), theme="dark"),
        "long-from-opponent.svg": end.svg(
            play="6/off 6/1", dice=(6, 5), cube=(2, "me"), bottom="opponent", numbers="opponent"
        ),
    }


if __name__ == "__main__":
    for name, text in pictures().items():
        (FOLDER / name).write_text(f"{text}\n", encoding="utf-8")
