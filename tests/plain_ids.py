"""Second witness: the three IDs read in the plainest way, from their definitions.

Nothing of the library is used here. Every reader answers with one dict in the view of the player on
roll: ``mine`` and ``theirs`` {own point: checkers, 25 the bar}, ``dice`` in order of size or None,
``cube``, ``owner`` (me, opponent, None), ``length`` (0 for money), ``score`` (mine, theirs),
``crawford``, ``jacoby``, ``doubled``.
"""

BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def bits(text):
    """The bits of base64 in the order of the manual: the lowest of each byte first."""
    stream = "".join(f"{BASE64.index(letter):06b}" for letter in text)
    octets = [stream[i : i + 8] for i in range(0, len(stream) - len(stream) % 8, 8)]
    return "".join(octet[::-1] for octet in octets)


def gnubg(position_id, match_id):
    """GNU Backgammon manual, 11.6 and 11.7; bits are numbered from 1 as there."""
    runs = bits(position_id + "A")[:80].split("0")
    theirs, mine = runs[:25], runs[25:50]

    key = bits(match_id)

    def number(first, last):
        return int(key[first - 1 : last][::-1], 2)

    on_roll = number(7, 7)
    scores = {0: number(37, 51), 1: number(52, 66)}
    dice = sorted((number(16, 18), number(19, 21)))
    return {
        "mine": {p: len(ones) for p, ones in enumerate(mine, 1) if ones},
        "theirs": {p: len(ones) for p, ones in enumerate(theirs, 1) if ones},
        "dice": dice if any(dice) else None,
        "cube": 2 ** number(1, 4),
        "owner": {on_roll: "me", 1 - on_roll: "opponent", 3: None}[number(5, 6)],
        "length": number(22, 36),
        "score": [scores[on_roll], scores[1 - on_roll]],
        "crawford": number(8, 8) == 1,
        "jacoby": number(22, 36) == 0 and number(67, 67) == 0,
        "doubled": number(13, 13) == 1,
    }


def xgid(text):
    """Manual of eXtreme Gammon 2, chapter XGID."""
    board, cube, owner, turn, dice, bottom, top, rules, length, _ = text[5:].split(":")
    upper, lower = {}, {}
    for place, letter in enumerate(board):
        if letter.isupper():
            upper[place] = "ABCDEFGHIJKLMNO".index(letter) + 1
        if letter.islower():
            lower[25 - place] = "abcdefghijklmno".index(letter) + 1
    sides, scores = [upper, lower], [int(bottom), int(top)]
    if turn == "-1":
        sides.reverse()
        scores.reverse()
    whose = None if owner == "0" else "me" if owner == turn else "opponent"
    return {
        "mine": sides[0],
        "theirs": sides[1],
        "dice": None if dice in ("00", "D") else sorted(map(int, dice)),
        "cube": 2 ** int(cube),
        "owner": whose,
        "length": int(length),
        "score": scores,
        "crawford": length != "0" and rules == "1",
        "jacoby": length == "0" and rules in ("1", "3"),
        "doubled": dice == "D",
    }


def ogid(text):
    """HedgeHog's OGID.md, as restated in the head of nardy/notation/ogid.py."""
    white, black, cube, dice, reached, _, w_score, b_score, length, _ = text.split(":")
    doubled = cube[2] == "O"
    on_roll = reached if doubled else {"W": "B", "B": "W"}[reached]
    places = "0123456789abcdefghijklmnop"
    sides = {"W": {}, "B": {}}
    for letter in white:
        point = 25 - places.index(letter)
        sides["W"][point] = sides["W"].get(point, 0) + 1
    for letter in black:
        point = places.index(letter)
        sides["B"][point] = sides["B"].get(point, 0) + 1
    scores = {"W": int(w_score), "B": int(b_score)}
    other = {"W": "B", "B": "W"}[on_roll]
    return {
        "mine": sides[on_roll],
        "theirs": sides[other],
        "dice": sorted(map(int, dice)) if dice else None,
        "cube": 2 ** int(cube[1]),
        "owner": {on_roll: "me", other: "opponent", "N": None}[cube[0]],
        "length": int(length.strip("C")),
        "score": [scores[on_roll], scores[other]],
        "crawford": length.endswith("C"),
        "jacoby": False,  # OGIDs do not say
        "doubled": doubled,
    }
