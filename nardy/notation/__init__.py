"""Positions, plays and IDs as text, in every notation that the library knows."""

from nardy.notation.gnubg import position_from_id, position_id
from nardy.plays import REASONS, find_play, play_text
from nardy.text import position_text, read_position, read_rules, rules_text

__all__ = [
    "REASONS",
    "find_play",
    "play_text",
    "position_from_id",
    "position_id",
    "position_text",
    "read_position",
    "read_rules",
    "rules_text",
]
