"""Positions, plays, contexts and IDs as text, in every notation that the library knows."""

from nardy.notation.gnubg import match_id, parse_gnubg, position_from_id, position_id
from nardy.notation.line import context_text, read_context
from nardy.notation.ogid import ogid, parse_ogid
from nardy.notation.xgid import parse_xgid, xgid
from nardy.plays import REASONS, find_play, play_text
from nardy.text import position_text, read_position, read_rules, rules_text

__all__ = [
    "REASONS",
    "context_text",
    "find_play",
    "match_id",
    "ogid",
    "parse_gnubg",
    "parse_ogid",
    "parse_xgid",
    "play_text",
    "position_from_id",
    "position_id",
    "position_text",
    "read_context",
    "read_position",
    "read_rules",
    "rules_text",
    "xgid",
]
