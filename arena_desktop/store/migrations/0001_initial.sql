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

CREATE INDEX records_in_canonical_order ON records (at, label, legacy_index, id, hash);
CREATE INDEX records_of_a_station ON records (station_id, seq) WHERE station_id IS NOT NULL;
CREATE INDEX records_that_retract ON records (retracts) WHERE retracts IS NOT NULL;
CREATE INDEX records_of_a_meeting ON records (listener, model_a, model_b, reveal, id) WHERE type = 'vote';

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
