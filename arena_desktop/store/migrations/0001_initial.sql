-- What this database knows about itself: its station, the machine and folder it belongs to.
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value NOT NULL
) WITHOUT ROWID;

-- The log. `record` is the truth; every other column is derived from it, for finding and ordering.
CREATE TABLE records (
    position INTEGER PRIMARY KEY, -- the order in which records came in
    record TEXT NOT NULL,         -- the canonical form
    id TEXT NOT NULL,
    hash TEXT NOT NULL,
    type TEXT NOT NULL,
    at TEXT,
    label TEXT NOT NULL,          -- '' and -1 for records that belong to a station
    legacy_index INTEGER NOT NULL,
    station_id TEXT,
    seq INTEGER,
    arena TEXT,
    model_a TEXT,
    model_b TEXT,
    listener TEXT,
    study TEXT,
    reveal TEXT,                  -- when names were shown after this vote
    silent INTEGER NOT NULL,
    retracts TEXT,
    UNIQUE (id, hash)
);

-- Listeners who withdrew, by pseudonym, and legacy votes that had named one, by id: of their records nothing private is
-- kept, and nothing of it comes back (arena_desktop.store.forgotten).
CREATE TABLE forgotten (
    name TEXT PRIMARY KEY
) WITHOUT ROWID;

CREATE INDEX records_in_canonical_order ON records (at, label, legacy_index, id, hash);
CREATE INDEX records_of_a_station ON records (station_id, seq) WHERE station_id IS NOT NULL;
CREATE INDEX records_that_retract ON records (retracts) WHERE retracts IS NOT NULL;
CREATE INDEX records_that_announce ON records (station_id, seq, hash) WHERE type = 'key';
CREATE INDEX records_of_a_meeting ON records (listener, model_a, model_b, reveal, id) WHERE type = 'vote';

CREATE TRIGGER what_is_forgotten_stays_forgotten BEFORE DELETE ON forgotten
BEGIN
    SELECT RAISE(ABORT, 'who was forgotten stays forgotten');
END;

CREATE TRIGGER what_is_forgotten_is_not_renamed BEFORE UPDATE ON forgotten
BEGIN
    SELECT RAISE(ABORT, 'who was forgotten stays forgotten');
END;

CREATE TRIGGER records_are_never_deleted BEFORE DELETE ON records
BEGIN
    SELECT RAISE(ABORT, 'the vote log is append-only: a record is never deleted');
END;

-- INSERT OR REPLACE deletes without firing the trigger above.
CREATE TRIGGER records_are_never_replaced BEFORE INSERT ON records
WHEN EXISTS (SELECT 1 FROM records WHERE id = NEW.id AND hash = NEW.hash)
    OR EXISTS (SELECT 1 FROM records WHERE position = NEW.position)
BEGIN
    SELECT RAISE(ABORT, 'the vote log is append-only: a record is never replaced');
END;

-- Only what the hash does not cover may change, with the two columns derived from it.
CREATE TRIGGER records_are_never_changed BEFORE UPDATE ON records
WHEN json_remove(NEW.record, '$.private', '$.sig', '$.legacy_index', '$.source', '$.original')
        IS NOT json_remove(OLD.record, '$.private', '$.sig', '$.legacy_index', '$.source', '$.original')
    OR NEW.position IS NOT OLD.position
    OR NEW.id IS NOT OLD.id
    OR NEW.hash IS NOT OLD.hash
    OR NEW.type IS NOT OLD.type
    OR NEW.at IS NOT OLD.at
    OR NEW.station_id IS NOT OLD.station_id
    OR NEW.seq IS NOT OLD.seq
    OR NEW.arena IS NOT OLD.arena
    OR NEW.model_a IS NOT OLD.model_a
    OR NEW.model_b IS NOT OLD.model_b
    OR NEW.listener IS NOT OLD.listener
    OR NEW.study IS NOT OLD.study
    OR NEW.reveal IS NOT OLD.reveal
    OR NEW.silent IS NOT OLD.silent
    OR NEW.retracts IS NOT OLD.retracts
BEGIN
    SELECT RAISE(ABORT, 'the vote log is append-only: a record is never changed');
END;

-- And of that only what several copies of one record can add to each other (arena_desktop.domain.merging).
CREATE TRIGGER records_are_only_completed BEFORE UPDATE ON records
WHEN length(NEW.record) - length(json(NEW.record)) IS NOT length(OLD.record) - length(json(OLD.record)) -- blanks
    -- The private part comes once, to a record that vouches for one, and stays, unless its listener was forgotten.
    OR CASE
        WHEN EXISTS (SELECT 1 FROM forgotten WHERE name = OLD.listener OR name = OLD.id)
            THEN json_type(NEW.record, '$.private') IS NOT NULL
        WHEN json_type(OLD.record, '$.private') IS NOT NULL
            THEN json_extract(NEW.record, '$.private', '$.private')
                IS NOT json_extract(OLD.record, '$.private', '$.private')
        WHEN json_type(NEW.record, '$.private') IS NOT NULL
            THEN json_type(NEW.record, '$.private') IS NOT 'object'
                OR json_type(NEW.record, '$.private_hash') IS NOT 'text'
        ELSE 0
    END
    -- A signature gives way to a smaller one, one that can't be any to every other. Where the station's key is here, to
    -- any other that could be one: which of them it made can't be told in SQL.
    OR CASE
        WHEN json_type(OLD.record, '$.sig') IS NULL THEN 0
        WHEN json_type(NEW.record, '$.sig') IS NULL THEN 1
        WHEN json_extract(NEW.record, '$.sig', '$.sig') IS json_extract(OLD.record, '$.sig', '$.sig') THEN 0
        WHEN length(CAST(json_extract(OLD.record, '$.sig') AS BLOB)) IS NOT 88
            OR substr(json_extract(OLD.record, '$.sig'), 1, 85) GLOB '*[^A-Za-z0-9+/]*'
            OR substr(json_extract(OLD.record, '$.sig'), 86) NOT IN ('A==', 'Q==', 'g==', 'w==') THEN 0
        ELSE length(CAST(json_extract(NEW.record, '$.sig') AS BLOB)) IS NOT 88
            OR substr(json_extract(NEW.record, '$.sig'), 1, 85) GLOB '*[^A-Za-z0-9+/]*'
            OR substr(json_extract(NEW.record, '$.sig'), 86) NOT IN ('A==', 'Q==', 'g==', 'w==')
            OR (
                json_extract(NEW.record, '$.sig') > json_extract(OLD.record, '$.sig')
                AND NOT EXISTS (SELECT 1 FROM records WHERE type = 'key' AND station_id = OLD.station_id)
            )
    END
    -- A record that belongs to a station has no source; of others the smallest source and the fuller original stay.
    OR CASE
        WHEN json_type(NEW.record, '$.station_id') IS NOT NULL
            THEN json_remove(NEW.record, '$.private', '$.sig') IS NOT json_remove(OLD.record, '$.private', '$.sig')
                OR NEW.label IS NOT OLD.label
                OR NEW.legacy_index IS NOT OLD.legacy_index
        ELSE json_type(NEW.record, '$.source') IS NOT 'object'
            OR json_extract(NEW.record, '$.source') > json_extract(OLD.record, '$.source')
            OR json_type(NEW.record, '$.legacy_index') IS NOT 'integer'
            OR json_extract(NEW.record, '$.legacy_index') > json_extract(OLD.record, '$.legacy_index')
            OR NEW.legacy_index IS NOT json_extract(NEW.record, '$.legacy_index')
            OR (
                NEW.label IS NOT
                    CASE json_type(NEW.record, '$.source.label')
                        WHEN 'text' THEN json_extract(NEW.record, '$.source.label')
                        ELSE ''
                    END
                AND instr(NEW.record, '\u0000') = 0 -- which SQLite can't extract
            )
            OR CASE
                WHEN EXISTS (SELECT 1 FROM forgotten WHERE name = OLD.listener OR name = OLD.id)
                    THEN json_type(NEW.record, '$.original') IS NOT NULL
                WHEN json_type(OLD.record, '$.original') IS NOT NULL THEN
                    json_type(NEW.record, '$.original') IS NULL
                    OR length(json_extract(NEW.record, '$.original', '$.original'))
                        < length(json_extract(OLD.record, '$.original', '$.original'))
                    OR (
                        length(json_extract(NEW.record, '$.original', '$.original'))
                            = length(json_extract(OLD.record, '$.original', '$.original'))
                        AND json_extract(NEW.record, '$.original', '$.original')
                            > json_extract(OLD.record, '$.original', '$.original')
                    )
                ELSE 0
            END
    END
BEGIN
    SELECT RAISE(ABORT, 'the vote log is append-only: a record is only completed');
END;

-- However a record comes in: of a listener who was forgotten it comes without what is private.
CREATE TRIGGER what_is_forgotten_does_not_come_back AFTER INSERT ON records
WHEN EXISTS (SELECT 1 FROM forgotten WHERE name = NEW.listener OR name = NEW.id)
    AND (json_type(NEW.record, '$.private') IS NOT NULL OR json_type(NEW.record, '$.original') IS NOT NULL)
BEGIN
    UPDATE records SET record = json_remove(NEW.record, '$.private', '$.original') WHERE position = NEW.position;
END;

-- Records whose copy here was completed after it came in: whoever was given the record before needs it once more.
CREATE TABLE completed (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER NOT NULL,
    private INTEGER NOT NULL      -- only the private part came or went
);

CREATE TRIGGER completed_records_are_noted AFTER UPDATE ON records
WHEN NEW.record IS NOT OLD.record
BEGIN
    INSERT INTO completed (position, private)
        VALUES (NEW.position, json_remove(NEW.record, '$.private') IS json_remove(OLD.record, '$.private'));
END;

-- Folders this log is synchronised with (arena_desktop.store.sync_memory).
CREATE TABLE sync_folders (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    private INTEGER NOT NULL DEFAULT 0,   -- whether own segments hold private parts
    forgotten TEXT NOT NULL DEFAULT '',   -- the hash of the forgotten listeners that own segments were cleared of
    completed INTEGER NOT NULL DEFAULT 0  -- the last row of `completed` that was written there
);

-- Runs of positions: records that came from the folder (station ''), or lie in the segments that this database wrote
-- there as that station.
CREATE TABLE sync_spans (
    folder INTEGER NOT NULL,
    station TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (folder, station, first)
) WITHOUT ROWID;

-- What is known of the segments: the first `whole` bytes, `lines` whole lines, have been read or were written.
CREATE TABLE sync_files (
    folder INTEGER NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL,          -- how the file looked from outside: when that is the same, it isn't read
    whole INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    hash TEXT NOT NULL,           -- of these bytes
    problems TEXT NOT NULL,       -- a JSON array of what was wrong in them
    PRIMARY KEY (folder, name)
) WITHOUT ROWID;
