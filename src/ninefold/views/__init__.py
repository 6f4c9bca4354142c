"""What a surface shows, as data: the same JSON for the command line and every other.

Each view is a Struct; ``docs/schemas`` has its JSON Schema. A view computes everything
when it is made; a surface only lays it out.

::

    answers           who wins at a position or target, and why; puzzles; the games
    band_map          lost and won totals on a logarithmic line
    number_line       a game as hops on that line: geometry, and the same as JSON
    number_line_text  the line drawn in characters
    svg               the line, a map and a review drawn as pictures
    history           games that were played: listed, reviewed
    practice          rounds of practice in words; puzzles of one's own slips
    progress          what somebody knows, how their games went, what to do next
    state             a match as one seat sees it, for the page
    walks             a walk led by what was entered on a page; a puzzle on a table
    words             the last step and questions, in words to one viewer
"""
