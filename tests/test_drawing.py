"""Pictures and boards in letters show what stands on the board, from either side, in every game.

They are read back and held against the board. The witnesses for where a point lies and what number
it has stand in tests/pictures.py.
"""

import copy
import math
import pickle
import random
import re
import runpy
import xml.etree.ElementTree as ET
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import positions
import pytest
from pictures import SIDES, SVG, Seen, expected, lies

import nardy
from nardy import IllegalPlay, InvalidArgument, ParseError, Position
from nardy.drawing import Plays
from nardy.drawing.themes import THEMES
from nardy_core import batch as core

GAMES = positions.GAMES
ROOT = Path(__file__).resolve().parent.parent


def some_positions(rules, n, seed=1):
    """Positions from games and set up at random, half and half."""
    rng = random.Random(seed)
    boards = [board for board, _ in positions.from_games(rules, seed, games=6)]
    boards = rng.sample(boards, min(len(boards), n // 2))
    boards += [board for board, _ in positions.set_up(rules, seed, n - len(boards))]
    return [Position(rules, board) for board in boards]


# ------------------------------------------------------------------------------------ pictures


@pytest.mark.parametrize("name", GAMES)
def test_every_checker_is_drawn_where_it_stands(name):
    for position in some_positions(GAMES[name], 60):
        for bottom in SIDES:
            seen = Seen(position.svg(bottom=bottom))
            points, bar, off = expected(position, bottom)
            assert seen.checkers() == (points, bar), position.text()
            assert seen.off() == off, position.text()


@pytest.mark.parametrize("name", GAMES)
def test_either_player_sees_the_same_board(name):
    """The picture of a player's opponent, from the same side, shows the same checkers."""
    other = dict(zip(SIDES, reversed(SIDES), strict=True))
    for position in some_positions(GAMES[name], 5, seed=2):
        for bottom in SIDES:
            for numbers in SIDES:
                here = Seen(position.svg(bottom=bottom, numbers=numbers))
                there = Seen(position.flip().svg(bottom=other[bottom], numbers=other[numbers]))
                assert here.checkers() == there.checkers()
                assert here.off() == there.off()
                assert here.numbers() == there.numbers()


@pytest.mark.parametrize("name", GAMES)
def test_points_have_the_numbers_of_either_player(name):
    rules = GAMES[name]
    position = Position.start(rules)
    for bottom in SIDES:
        for numbers in SIDES:
            below = bottom == numbers
            seen = Seen(position.svg(bottom=bottom, numbers=numbers)).numbers()
            assert seen == {lies(rules, point, below): point for point in range(1, 25)}
        assert Seen(position.svg(bottom=bottom, numbers=None)).numbers() == {}


@pytest.mark.parametrize("bottom", SIDES)
def test_long_nardy_goes_counter_clockwise_from_opposite_corners(bottom):
    """The layout of long nardy: docs/pictures.md says where it is from."""
    seen = Seen(Position.start("long").svg(bottom=bottom))
    assert seen.checkers()[0] == {(11, True): 15, (0, False): -15}
    for below in (True, False):
        road = [lies(nardy.variant("long"), point, below) for point in range(24, 0, -1)]
        for (column, upper), (onward, still) in pairwise(road):
            assert upper != still or onward - column == (-1 if upper else 1)


def test_short_nardy_is_the_usual_diagram():
    seen = Seen(Position.start("short").svg())
    assert seen.checkers()[0] == {
        (11, True): 2,
        (0, True): 5,
        (4, False): 3,
        (6, False): 5,
        (11, False): -2,
        (0, False): -5,
        (4, True): -3,
        (6, True): -5,
    }


@pytest.mark.parametrize("name", GAMES)
def test_arrows_go_from_checker_to_point(name):
    rng = random.Random(3)
    hits = 0
    for position in some_positions(GAMES[name], 20, seed=3):
        dice = rng.randint(1, 6), rng.randint(1, 6)
        play = rng.choice(position.plays(*dice))
        for bottom in SIDES:
            below = bottom == "me"
            seen = Seen(position.svg(play=play, bottom=bottom))
            arrows = list(seen.arrows())
            assert len(arrows) == len(play.steps)
            bar_x = (seen.columns[5] + seen.columns[6]) / 2
            for (start, tip, _), (source, to) in zip(arrows, play.steps, strict=True):
                if source == 25:
                    assert abs(start[0] - bar_x) <= 19
                else:
                    column, upper = lies(position.rules, source, below)
                    assert abs(start[0] - seen.columns[column]) <= 19
                    assert (start[1] < seen.middle) == upper
                home = lies(position.rules, 1, below)
                if to == 0:
                    assert abs(tip[0] - seen.columns[home[0]]) == pytest.approx(46)
                    assert (tip[1] < seen.middle) == home[1]
                else:
                    assert seen.place(*tip) == lies(position.rules, to, below)
            struck = [to for (*_, hit), (_, to) in zip(arrows, play.steps, strict=True) if hit]
            blots = {to for _, to in play.steps if to > 0 and position.board[to] == -1}
            assert sorted(struck) == sorted(blots)
            rings = list(seen.of("circle", fill="none", stroke=seen.theme.hit))
            places = {seen.place(float(ring["cx"]), float(ring["cy"])) for ring in rings}
            assert len(rings) == len(blots)
            assert places == {lies(position.rules, to, below) for to in blots}
            hits += len(blots)
    assert (hits > 0) == (GAMES[name].contact == "hit")


def test_arrows_of_checkers_that_go_together_lie_side_by_side():
    seen = Seen(Position.start("long").svg(play="24/18(2)", dice=(6, 6)))
    (first, one, _), (second, two, _) = seen.arrows()
    assert math.dist(first, second) > 30
    assert math.dist(one, two) == pytest.approx(40)
    assert (first[1] - second[1]) * (one[1] - two[1]) > 0  # they do not cross


@pytest.mark.parametrize("text", ["13/10*(2)", "13/10*/7 13/10", "bar/22*(2)"])
def test_a_blot_is_hit_once(text):
    rear = "bar:2 13:3" if text.startswith("bar") else "24:2 13:3"
    position = Position.from_text(f"short {rear} 8:4 6:6 | 15:1 3:1 13:8 6:5")
    play = next(play for play in position.plays(3, 3) if text in str(play))
    seen = Seen(position.svg(play=play))
    arrows = list(seen.arrows())
    assert len(arrows) == 4
    assert sum(hit for *_, hit in arrows) == str(play).count("*")
    circles = list(seen.of("circle", r="18.5"))
    lone = {(c["cx"], c["cy"]) for c in circles if c["fill"] == seen.theme.above.fill}
    rings = [(c["cx"], c["cy"]) for c in circles if c["fill"] == "none"]
    assert len(rings) == str(play).count("*")
    assert set(rings) <= lone  # round what is hit


def test_a_play_brings_its_dice():
    position = Position.start("short")
    play = position.play(3, 1, "8/5 6/5")
    assert play  # the text is legal
    own = next(play for play in position.plays(3, 1) if str(play) == "8/5 6/5")
    assert position.svg(play=own) == position.svg(play="8/5 6/5", dice=(3, 1))
    assert position.svg(play=own, dice=(1, 3)) != position.svg(play=own)
    assert "dice 3-1; play 8/5 6/5" in position.svg(play=own)
    assert "dice" not in position.svg(play="8/5 6/5")
    assert len(list(Seen(position.svg(play="8/5 6/5")).arrows())) == 2


def test_dice_show_their_faces():
    position = Position.start("short")
    for d1 in range(1, 7):
        for d2 in range(1, 7):
            seen = Seen(position.svg(dice=np.array([d1, d2])))
            dots = [float(dot["cx"]) for dot in seen.of("circle", r="3.4")]
            faces = sorted(float(die["x"]) for die in seen.of("rect", width="36", height="36"))
            counts = [sum(x < dot < x + 36 for dot in dots) for x in faces]
            assert counts == [d1, d2]


@pytest.mark.parametrize("bottom", SIDES)
def test_dice_are_those_of_the_player_on_roll(bottom):
    seen = Seen(Position.start("long").svg(dice=(6, 4), bottom=bottom))
    dice = list(seen.of("rect", width="36", height="36"))
    assert {seen.seat(die) for die in dice} == {bottom == "me"}
    right = float(dice[0]["x"]) > (seen.columns[5] + seen.columns[6]) / 2
    assert right == (bottom == "me")


@pytest.mark.parametrize("bottom", SIDES)
@pytest.mark.parametrize("owner", [*SIDES, None])
def test_the_cube_lies_at_its_owner(owner, bottom):
    seen = Seen(Position.start("short").svg(cube=(np.int64(64), owner), bottom=bottom))
    (face,) = seen.of("rect", width="32", height="32")
    y = float(face["y"]) + 16 - seen.middle
    if owner is None:
        assert y == 0
    else:
        assert (y > 0) == (owner == bottom)
        assert abs(y) > 150
    assert "64" in seen.words()
    said = {"me": "player on roll", "opponent": "opponent", None: "nobody"}[owner]
    assert f"cube at 64, owned by {said}" in seen.root.get("aria-label")


def test_captions_say_who_is_on_roll_and_the_pips():
    position = Position.from_text("short 6:2 bar:1 | 20:1 3:2")
    mine, theirs = position.pip_count()
    for bottom in SIDES:
        seen = Seen(position.svg(bottom=bottom))
        for caption, below in (
            (f"On roll, pips {mine}", True),
            (f"Opponent, pips {theirs}", False),
        ):
            (shape,) = (s for s in seen.of("text") if s["text"] == caption)
            assert (float(shape["y"]) > seen.middle) == (below == (bottom == "me"))


def test_themes_share_no_colour_of_the_page():
    position = Position.start("tavla")
    light, dark = (position.svg(theme=theme, dice=(5, 5)) for theme in THEMES)
    assert Seen(light, "light").checkers() == Seen(dark, "dark").checkers()
    for theme, text in (("light", light), ("dark", dark)):
        page = next(Seen(text, theme).of("rect"))
        assert page["fill"] == THEMES[theme].page
    assert set(THEMES["light"]).isdisjoint(THEMES["dark"])


def test_size_is_the_width():
    text = Position.start("long").svg(size=300)
    root = ET.fromstring(text)
    _, _, width, height = map(float, root.get("viewBox").split())
    assert root.get("width") == "300"
    assert int(root.get("height")) == round(300 * height / width)


def test_a_picture_speaks():
    position = Position.from_text("tavla 13:2 6:5 bar:1 | 20:2 8:1 6:9 bar:2")
    root = ET.fromstring(position.svg(bottom="opponent"))
    assert root.get("role") == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[0].text == root.get("aria-label")
    assert root[0].text == f"Tavla: {position.text()}; player on roll at the top"


def test_pictures_are_the_same_text_each_time():
    position = Position.from_text("short 13:2 6:5 | 20:2 8:1 6:9")
    assert position.svg() == position.flip().flip().svg() == position._repr_svg_()
    assert position.svg(bottom="me", theme="light", numbers="me", size=640) == position.svg()


def test_pictures_stand_alone():
    """Nothing is fetched and nothing is named, so that many pictures fit in one page."""
    text = Position.start("short").svg(play="8/5 6/5", dice=(3, 1), cube=(2, "me"))
    for word in ("href", "url(", " id=", "<style", "<script", "class="):
        assert word not in text
    families = {s["font-family"] for s in Seen(text).of("text")}
    assert families == {"sans-serif"}


HOSTILE = "<script>alert(\"1\")</script> & 'x' \x00\x1b\ud800 Нарды ]]>"


def test_texts_are_escaped():
    rules = nardy.Rules("mine", title=HOSTILE, start={6: 2, 3: 1})
    text = Position.start(rules).svg()
    assert "<script" not in text
    heard = HOSTILE.replace("\x00", "�").replace("\x1b", "�").replace("\ud800", "�")
    assert ET.fromstring(text)[0].text.startswith(f"{heard}: mine 6:2 3:1 | 6:2 3:1")
    assert any(word and heard.startswith(word[:-1]) for word in Seen(text).words())
    assert len(text.encode()) > 1000  # can be written to a file


WRONG = [
    ({"theme": "blue"}, "theme: expected one of 'light', 'dark', got 'blue'"),
    ({"theme": None}, "theme: expected one of 'light', 'dark', got None"),
    ({"bottom": "top"}, "bottom: expected one of 'me', 'opponent', got 'top'"),
    ({"bottom": None}, "bottom: expected one of 'me', 'opponent', got None"),
    ({"bottom": ["me"]}, r"bottom: expected one of 'me', 'opponent', got \['me'\]"),
    ({"numbers": 1}, "numbers: expected one of 'me', 'opponent', None, got 1"),
    ({"numbers": "both"}, "numbers: expected one of 'me', 'opponent', None, got 'both'"),
    ({"size": 0}, "size: expected a width of 50 to 10000 pixels, got 0"),
    ({"size": True}, "size: expected a width of 50 to 10000 pixels, got True"),
    ({"size": "640"}, "size: expected a width of 50 to 10000 pixels, got '640'"),
    ({"size": 10**9}, "size: expected a width"),
    ({"dice": 3}, "dice: expected two of 1 to 6, got 3"),
    ({"dice": (3,)}, r"dice: expected two of 1 to 6, got \(3,\)"),
    ({"dice": (3, 7)}, "expected dice of 1 to 6, got 3 and 7"),
    ({"cube": 2}, "cube: expected .value, owner. with a value of 1, 2, 4, 8 and so on, got 2"),
    ({"cube": (3, None)}, "cube: expected .*got .3, None."),
    ({"cube": (2**31, None)}, "cube: expected .*got .2147483648, None."),
    ({"cube": (0, None)}, "cube: expected .*got .0, None."),
    ({"cube": (-2, None)}, "cube: expected .*got .-2, None."),
    ({"cube": (True, None)}, "cube: expected .*got .True, None."),
    ({"cube": (2.0, None)}, "cube: expected .*got .2.0, None."),
    ({"cube": (2, "him")}, "cube owner: expected one of 'me', 'opponent', None, got 'him'"),
    ({"play": 5}, "play: expected a Play of this position, its text or None, got 5"),
    ({"play": "8/1 6/5"}, "play: no roll can be played as '8/1 6/5' in 'short 24:2"),
]


@pytest.mark.parametrize(("options", "says"), WRONG, ids=[str(w[0]) for w in WRONG])
def test_wrong_options_are_refused(options, says):
    with pytest.raises(InvalidArgument, match=says):
        Position.start("short").svg(**options)


def test_plays_of_others_are_refused():
    position = Position.start("short")
    play = position.plays(3, 1)[0]
    with pytest.raises(InvalidArgument, match=r"expected a play of 'tavla .*got one of 'short "):
        Position.start("tavla").svg(play=play)
    with pytest.raises(InvalidArgument, match=r"expected a play of 'short 24:2 .*, got one of"):
        position.play(3, 1, play).svg(play=play)
    with pytest.raises(InvalidArgument, match="expected one of the dice 4-1, got 24/21 24/23 of"):
        position.svg(play=play, dice=(4, 1))
    with pytest.raises(IllegalPlay) as refused:
        position.svg(play="8/5 6/5", dice=(4, 1))
    assert refused.value.reason == "dice"
    with pytest.raises(ParseError):
        position.svg(play="e2-e4")


def test_a_pass_has_no_arrows():
    position = Position.from_text("short bar:1 6:14 | 6:2 5:2 4:2 3:2 2:2 1:2 13:3")
    (play,) = position.plays(6, 6)
    seen = Seen(position.svg(play=play))
    assert list(seen.arrows()) == []
    assert seen.root.get("aria-label").endswith("dice 6-6; play pass")
    assert "play pass" in position.svg(play="pass")


def test_a_stage_of_a_cascade_is_drawn():
    position = Position.start("mad_gulbar")
    play = position.plays(4, 4, steps=1, head_used=1, exception=False)[0]
    assert len(list(Seen(position.svg(play=play)).arrows())) == len(play.steps)


# ------------------------------------------------------------------------------ boards in letters


def read_text(text):
    """Signed checkers by (column, upper), and by the half of the bar; O's are negative."""
    lines = text.split("\n")
    points, bar = {}, {}
    for upper, rows in ((True, lines[3:8]), (False, lines[13:8:-1])):
        spots = [(3 + 3 * column + (6 if column >= 6 else 0)) for column in range(12)]
        for column, spot in enumerate(spots):
            count = stack(rows, spot)
            if count:
                points[column, upper] = count
        bar[upper] = stack(rows[::-1], 22)
    return points, bar


def stack(rows, spot):
    """One stack, from its first row on; two figures end at `spot`."""
    cells = [row[spot - 1 : spot + 1].strip(" ") for row in rows]
    if not cells[0]:
        assert cells == [""] * 5
        return 0
    letters = [cell for cell in cells if cell in ("X", "O")]
    assert len(set(letters)) == 1
    count = int(cells[4]) if cells[4].isdigit() else len(letters)
    assert cells[len(letters) :] == ([str(count)] if count > 5 else [""] * (5 - count))
    return count if letters[0] == "X" else -count


def summary(line):
    """The words of a player's line as numbers."""
    words = dict(word.split() for word in line[3:].split(", "))
    return int(words["pips"]), int(words.get("bar", 0)), int(words.get("off", 0))


@pytest.mark.parametrize("name", GAMES)
def test_letters_read_back_are_the_board(name):
    rules = GAMES[name]
    for position in some_positions(rules, 60, seed=4):
        for bottom, ascii in product(SIDES, (False, True)):
            text = position.board_text(bottom=bottom, ascii=ascii)
            lines = text.split("\n")
            points, bar, off = expected(position, bottom)
            seen, halves = read_text(text)
            assert seen == points, text
            x_enters_above = lies(rules, 24, True)[1]
            assert halves == {x_enters_above: bar[True], not x_enters_above: -bar[False]}, text
            pips = position.pip_count() if bottom == "me" else position.pip_count()[::-1]
            assert summary(lines[-1]) == (pips[0], bar[True], off[True])
            assert summary(lines[1]) == (pips[1], bar[False], off[False])
            assert lines[0].endswith(f"; {'X' if bottom == 'me' else 'O'} is on roll")
            assert max(map(len, lines)) < 80
            assert text.isascii() or not ascii


@pytest.mark.parametrize("name", GAMES)
def test_letters_number_the_points_for_either_player(name):
    rules = GAMES[name]
    for bottom in SIDES:
        for numbers in SIDES:
            text = Position.start(rules).board_text(bottom=bottom, numbers=numbers, ascii=True)
            lines = text.split("\n")
            for line, upper in ((lines[2], True), (lines[14], False)):
                labels = [int(word) for word in line.replace("+", "-").split("-") if word]
                wanted = {lies(rules, p, bottom == numbers): p for p in range(1, 25)}
                assert labels == [wanted[column, upper] for column in range(12)]
            whose = "X" if bottom == numbers else "O"
            said = f"points numbered for {whose}" in lines[0]
            assert said == (numbers == "opponent")
        bare = Position.start(rules).board_text(bottom=bottom, numbers=None).split("\n")
        assert not any(c.isdigit() for c in bare[2] + bare[14])


def test_print_shows_a_board_that_any_stream_takes():
    position = Position.start(nardy.Rules("mine", title="Нарды\n\x1b[31m" * 20, start={6: 2}))
    text = str(position)
    assert text == position.board_text(ascii=True)
    assert text.isascii()
    assert len(text.split("\n")) == 16
    assert max(map(len, text.split("\n"))) == 79
    assert "\x1b" not in position.board_text()
    assert repr(position) == "<Position mine 6:2 | 6:2>"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"bottom": "left"}, "bottom: expected one of 'me', 'opponent', got 'left'"),
        ({"numbers": 0}, "numbers: expected one of 'me', 'opponent', None, got 0"),
        ({"ascii": 1}, "ascii: expected True or False, got 1"),
    ],
)
def test_wrong_options_of_letters_are_refused(options, says):
    with pytest.raises(InvalidArgument, match=says):
        Position.start("long").board_text(**options)


# --------------------------------------------------------------------------------- lists of plays


def test_a_list_of_plays_is_a_list():
    plays = Position.start("short").plays(3, 1)
    assert isinstance(plays, list)
    assert type(plays) is Plays
    assert plays == list(plays)
    assert type(plays[:2]) is list
    for again in (pickle.loads(pickle.dumps(plays)), copy.copy(plays), copy.deepcopy(plays)):
        assert again == plays
        assert type(again) is Plays
    with pytest.raises(AttributeError):
        plays.note = 1
    with pytest.raises(InvalidArgument, match="expected a list to append to"):
        core.plays_of(Position.start("short"), 3, 1, nardy.Play, ())


def test_the_table_of_plays_has_every_play():
    position = Position.from_text("short 24:1 13:4 6:5 bar:1 | 20:2 8:3 6:4 off:6")
    plays = position.plays(3, 2)
    table = ET.fromstring(plays._repr_html_())
    caption, head, body = table
    assert caption.text == f"{position.text()} with 3-2, number of plays: {len(plays)}"
    assert [cell.text for cell in head[0]][1] == "play"
    rows = [[cell.text for cell in row] for row in body]
    assert len(rows) == len(plays) > 5
    for number, play in enumerate(plays):
        theirs, mine = position.play(3, 2, play).pip_count()
        assert rows[number] == [str(number), str(play), str(mine), str(theirs)]


def test_a_long_table_of_plays_says_what_it_leaves_out():
    position = Position.from_text("short 23:2 21:2 19:2 17:2 15:2 13:2 11:3 | 1:15")
    plays = position.plays(1, 1)
    assert len(plays) > 100
    body = ET.fromstring(plays._repr_html_())[2]
    assert len(body) == 101
    assert body[100][1].text == f"and {len(plays) - 100} more"


def test_other_lists_have_no_table():
    here, there = (Position.start(name).plays(6, 5) for name in ("short", "long"))
    assert Plays()._repr_html_() is None
    assert Plays([*here, *there])._repr_html_() is None
    assert Plays([*here, "pass"])._repr_html_() is None


# ------------------------------------------------------------------------------------------ pages


def test_the_pictures_of_the_page_are_true():
    pictures = runpy.run_path(str(ROOT / "docs" / "draw.py"))["pictures"]()
    drawn = {path.name: path.read_text(encoding="utf-8") for path in ROOT.glob("docs/img/*.svg")}
    assert drawn == {name: f"{text}\n" for name, text in pictures.items()}
    page = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\(img/([^)]+)\)", page)) == set(drawn)
