"""QR codes of links, for the page and for a terminal."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

import segno


@lru_cache(maxsize=1024)
def draw_qr(link: str) -> bytes:
    """Draw a link as a QR code in SVG."""
    drawn = BytesIO()
    segno.make(link, micro=False).save(
        drawn, kind="svg", scale=8, border=4, light="#FFFFFF", dark="#1C1B1F"
    )
    return drawn.getvalue()


def qr_lines(url: str) -> str:
    """Draw an address as a QR code in characters, for a terminal."""
    code = segno.make(url, micro=False)
    rows = [[bool(cell) for cell in row] for row in code.matrix_iter(border=2)]
    rows.append([False] * len(rows[0]))  # an odd number; two rows make a line
    # Draw the light cells and leave the dark ones: most terminals are dark.
    blocks = {(True, True): " ", (True, False): "▄", (False, True): "▀"}
    return "".join(
        "".join(blocks.get(pair, "█") for pair in zip(upper, lower, strict=True)) + "\n"
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    )
