"""How large a test is: some would take hours on the general path."""

import nardy

GENERAL_ONLY = nardy.build_info()["general_only"]


def size(usual, general):
    """`usual`, but `general` where the kernels take the general path only.

    With ``NARDY_GENERAL_ONLY=1`` every test still runs and asserts the same, on fewer turns, games
    or pairs: a pair takes some 5 to 20 microseconds there, not a tenth of one.
    """
    return general if GENERAL_ONLY else usual
