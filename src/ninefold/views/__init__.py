"""What a surface shows, as data: the same JSON on every surface.

Each view is a Struct; ``docs/schemas`` has its JSON Schema. A view computes everything
when it is created; a surface only lays it out.

::

    match_text        the sentences of a match: events, turns, questions, links
    solutions         who wins at a position or target, and why; puzzles; list of games
    matchups          exact chances between two players; audits
    band_map          lost and won totals on a logarithmic line
    number_line       a game as hops on that line: geometry, and the same as JSON
    number_line_text  the line drawn in characters
    svg               the line, a map and a review drawn as pictures
    history           played games as rows
    review            a review: graded moves, and its summary
    practice          the sentences of practice; puzzles from the learner's slips
    answer_recorder   stores answers, and finds what improved
    progress          what a learner knows, results of games, what to do next
    next_steps        what a learner should do next
    sheets            printable sheets
    class_results     the results of a class; the level for a pupil
    round_advice      a warning about a short or one-sided game
"""
