"""The tables in PostgreSQL, step by step: never change a step, add one.

They are those of ``migrations``, as they are today. Times are text that sorts, in UTC;
numbers are text, because they may be long. Text is compared byte by byte.
"""

from __future__ import annotations

_BEGIN = """
CREATE TABLE matches (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    setup text,
    line text,
    beyond text,
    revision integer NOT NULL,
    begun_at text COLLATE "C" NOT NULL,
    changed_at text COLLATE "C" NOT NULL,
    ended_at text COLLATE "C",
    set_aside_at text COLLATE "C",
    book text NOT NULL,
    book_text text,
    rules text NOT NULL,
    name1 text NOT NULL,
    name2 text NOT NULL,
    level1 text,
    level2 text,
    length text NOT NULL,
    is_single boolean NOT NULL,
    score1 integer NOT NULL,
    score2 integer NOT NULL,
    total text,
    to_move integer
);
CREATE INDEX matches_by_time ON matches (begun_at);
CREATE INDEX matches_by_change ON matches (changed_at);
CREATE INDEX unfinished_matches ON matches (changed_at)
    WHERE ended_at IS NULL AND set_aside_at IS NULL;

CREATE TABLE log (
    match bigint NOT NULL REFERENCES matches (key),
    number integer NOT NULL,
    command text NOT NULL,
    at text NOT NULL,
    request text NOT NULL DEFAULT '',
    PRIMARY KEY (match, number)
);

CREATE TABLE games (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    match bigint NOT NULL REFERENCES matches (key),
    match_number integer NOT NULL,
    number integer NOT NULL,
    first integer NOT NULL,
    moves text NOT NULL,
    resigned integer,
    total text NOT NULL,
    winner integer,
    reason text,
    is_retry boolean NOT NULL,
    score1 integer NOT NULL,
    score2 integer NOT NULL,
    begun_at text COLLATE "C" NOT NULL,
    ended_at text COLLATE "C",
    UNIQUE (match, match_number, number)
);
CREATE INDEX games_by_time ON games (begun_at);

CREATE VIEW history AS SELECT
    id AS match_id, match_number, number, book, name1, name2, level1, level2,
    rules, first, moves, resigned, games.total AS total, winner, reason,
    is_retry, games.score1 AS score1, games.score2 AS score2,
    games.ended_at AS ended_at, book_text,
    coalesce(level1, 'human') AS who1, coalesce(level2, 'human') AS who2,
    CASE winner WHEN 1 THEN 'won' WHEN 2 THEN 'lost' ELSE 'unfinished' END AS result1,
    CASE winner WHEN 2 THEN 'won' WHEN 1 THEN 'lost' ELSE 'unfinished' END AS result2,
    level1 IS NOT NULL AND level2 IS NOT NULL AS only_levels,
    games.begun_at AS begun_at, games.key AS key
FROM games JOIN matches ON matches.key = match;

CREATE TABLE answers (
    rowid bigint GENERATED ALWAYS AS IDENTITY,
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    at text COLLATE "C" NOT NULL,
    a text NOT NULL,
    b text NOT NULL,
    answer text NOT NULL,
    learner text COLLATE "C" NOT NULL,
    seconds double precision,
    hinted boolean NOT NULL,
    surface text NOT NULL
);
CREATE INDEX answers_by_time ON answers (at);

CREATE TABLE attempts (
    rowid bigint GENERATED ALWAYS AS IDENTITY,
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    at text COLLATE "C" NOT NULL,
    puzzle text COLLATE "C" NOT NULL,
    multiplier text NOT NULL,
    solved boolean NOT NULL,
    learner text COLLATE "C" NOT NULL,
    seconds double precision,
    hinted boolean NOT NULL,
    surface text NOT NULL
);
CREATE INDEX attempts_by_puzzle ON attempts (learner, md5(puzzle), at);
CREATE INDEX attempts_by_time ON attempts (at);

CREATE TABLE schedule (
    learner text COLLATE "C" NOT NULL,
    puzzle text COLLATE "C" NOT NULL,
    box integer NOT NULL,
    due_at text COLLATE "C" NOT NULL
);
CREATE INDEX schedule_by_puzzle ON schedule (learner, md5(puzzle));
CREATE INDEX schedule_by_time ON schedule (due_at);

-- What version 1 left damaged: nothing here, but the statements ask.
CREATE TABLE matches_1 (id text, problem text);
CREATE TABLE games_1 (match_id text);
"""

MIGRATIONS = (_BEGIN,)
