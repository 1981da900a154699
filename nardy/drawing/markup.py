"""Elements of SVG and HTML, with every attribute and text escaped."""

__all__ = ["escaped", "tag", "words", "written"]

ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def escaped(text: str) -> str:
    """Make text safe between tags and in quotes; what XML cannot hold becomes U+FFFD."""
    return "".join(c if _is_xml(c) else "\ufffd" for c in text).translate(ESCAPES)


def _is_xml(char: str) -> bool:
    """Whether XML 1.0 allows a character (production 2, Char)."""
    return (
        char in "\t\n\r"
        or "\x20" <= char <= "\ud7ff"
        or "\ue000" <= char <= "\ufffd"
        or (char >= "\U00010000")
    )


def tag(name: str, *inside: str, **attributes: str | float) -> str:
    """Make an element; `inside` is markup, the attributes are plain. ``a_b=1`` is ``a-b="1"``."""
    pairs = "".join(
        f' {key.replace("_", "-")}="{escaped(written(value))}"' for key, value in attributes.items()
    )
    return f"<{name}{pairs}>{''.join(inside)}</{name}>" if inside else f"<{name}{pairs}/>"


def written(value: str | float) -> str:
    """Write a length with one decimal at most: the same digits on every machine."""
    return value if isinstance(value, str) else f"{round(value, 1) + 0:g}"


def words(text: str, x: float, y: float, size: float, **attributes: str | float) -> str:
    """Write text with its vertical middle at `y`; `x` is its middle, or what text-anchor says."""
    # A third of the size from the middle down to the line that capitals and figures stand on.
    place: dict[str, str | float] = {"x": x, "y": y + 0.35 * size, "font_size": size}
    return tag("text", escaped(text), **place, **attributes)
