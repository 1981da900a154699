"""A browser paints the pictures as they are meant: colours at known places of screenshots."""

import shutil
import struct
import subprocess
import zlib

import numpy as np
import pytest
from pictures import Seen

from nardy import Position

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)

pytestmark = pytest.mark.skipif(
    BROWSER is None, reason=f"no browser to be found on PATH: {', '.join(NAMES)}"
)

MID_GAME = Position.from_text("tavla 24:1 13:3 8:3 6:5 bar:2 off:1 | 22:1 13:4 8:3 6:5 3:1 bar:1")
BEAR_OFF = Position.from_text("long 6:3 4:3 2:2 1:1 | 6:5 3:6 1:1")


def screenshot(folder, text, width, height):
    """Pixels of a page that holds a picture alone, uint8[height, width, 3]."""
    page, shot = folder / "picture.svg", folder / "shot.png"
    page.write_text(text, encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    options += ["--force-device-scale-factor=1", "--force-color-profile=srgb"]
    options += [f"--user-data-dir={folder / 'profile'}", f"--window-size={width},{height}"]
    command = [BROWSER, *options, f"--screenshot={shot}", page.as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    pixels = read_png(shot.read_bytes())
    assert pixels.shape == (height, width, 3)
    return pixels


def read_png(data):
    """Decode what browsers write: 8 bits, RGB or RGBA, not interlaced (PNG, sections 5 and 9)."""
    chunks, at = {}, 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind = data[at + 4 : at + 8]
        chunks[kind] = chunks.get(kind, b"") + data[at + 8 : at + 8 + length]
        at += 12 + length
    width, height, bits, colour, *_, interlaced = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (bits, interlaced) == (8, 0)
    step = {2: 3, 6: 4}[colour]
    raw = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8)
    lines = raw.reshape(height, 1 + step * width)
    above = np.zeros(step * width, np.uint8)
    rows = []
    for line in lines:
        above = unfiltered(int(line[0]), line[1:], above, step)
        rows.append(above)
    return np.array(rows).reshape(height, width, step)[..., :3]


def unfiltered(kind, line, above, step):
    """Undo the filter of one line of a PNG."""
    if kind == 0:
        return line
    if kind == 2:
        return line + above
    out = np.zeros(len(line) + step, int)
    up = np.concatenate([np.zeros(step, int), above])
    for i, byte in enumerate(line.tolist(), step):
        left, over, corner = out[i - step], up[i], up[i - step]
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + over) // 2
        else:
            about = left + over - corner
            guess = min((left, over, corner), key=lambda near: abs(about - near))
        out[i] = (byte + guess) & 255
    return out[step:].astype(np.uint8)


def colour(pixels, x, y):
    """The colour of the pixel that holds a spot, as the picture names colours."""
    return "#" + bytes(pixels[int(y), int(x)]).hex()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("bottom", ["me", "opponent"])
@pytest.mark.parametrize("position", [MID_GAME, BEAR_OFF], ids=["tavla", "long"])
def test_a_browser_paints_what_the_picture_says(position, theme, bottom, tmp_path):
    options = {"theme": theme, "bottom": bottom, "dice": (4, 2), "cube": (2, "opponent")}
    seen = Seen(position.svg(**options), theme)
    width, height = int(seen.width), int(seen.height)
    pixels = screenshot(tmp_path, position.svg(size=width, **options), width, height)
    checkers = list(seen.of("circle", r="18.5"))
    assert len(checkers) > 15
    for shape in checkers:  # over the number that the checker may bear
        assert colour(pixels, float(shape["cx"]), float(shape["cy"]) - 12) == shape["fill"]
    for slab in seen.of("rect", height="10"):
        assert colour(pixels, float(slab["x"]) + 8, float(slab["y"]) + 5) == slab["fill"]
    for box in (*seen.of("rect", height="36"), *seen.of("rect", height="32")):
        assert colour(pixels, float(box["x"]) + 18, float(box["y"]) + 4) == box["fill"]
    for dot in seen.of("circle", r="3.4"):
        assert colour(pixels, float(dot["cx"]), float(dot["cy"])) == dot["fill"]
    empty = {(column, upper) for column in range(12) for upper in (True, False)}
    for column, upper in empty - set(seen.checkers()[0]):
        y = seen.height - 60 if not upper else 60
        assert colour(pixels, seen.columns[column], y) in seen.theme.points
    assert colour(pixels, 2, 2) == seen.theme.page
    assert colour(pixels, seen.columns[6] - 10, seen.middle) == seen.theme.felt


def test_a_browser_paints_numbers_and_arrows(tmp_path):
    play = next(play for play in MID_GAME.plays(3, 2) if "*" in str(play))
    seen = Seen(MID_GAME.svg(play=play))
    width, height = int(seen.width), int(seen.height)
    pixels = screenshot(tmp_path, MID_GAME.svg(play=play, size=width), width, height)
    for (x0, y0), (x1, y1), hit in seen.arrows():
        shown = colour(pixels, (x0 + x1) / 2, (y0 + y1) / 2)
        assert shown == (seen.theme.hit if hit else seen.theme.arrow)
    assert any(hit for *_, hit in seen.arrows())
    for shape in seen.of("text", fill=seen.theme.number):
        x, y = int(float(shape["x"])), int(float(shape["y"]))
        patch = pixels[y - 10 : y, x - 8 : x + 8].reshape(-1, 3)
        assert len(np.unique(patch, axis=0)) > 2  # something is written on the frame
