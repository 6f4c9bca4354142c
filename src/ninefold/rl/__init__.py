"""Environments of the multiplication games for research, and exact scores.

::

    ninefold_v0     the environment of PettingZoo
    gymnasium_env   the environment of Gymnasium: a learner against a policy
    vector_env      many of those at once, in NumPy
    batch           self-play of many games at once, in NumPy
    openspiel_game  the game of OpenSpiel
    places          the positions and ends of games, numbered for tables
    observations    the numbers that a learner sees
    splits          the positions that learners are trained and judged on
    scores          the exact policy and the regret of a learner
    arguments       the rules, actions and opponents that the environments accept
    extras          the error for optional packages that are not installed

Nothing is imported here: each module needs only the packages that it uses.
"""
