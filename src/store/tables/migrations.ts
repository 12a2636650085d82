/** SQL that brings a store from version i to i + 1. Append only: a released step is never edited. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE runs (
    id TEXT PRIMARY KEY, started_at TEXT NOT NULL, finished_at TEXT, status TEXT NOT NULL, plan TEXT NOT NULL, record TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX runs_by_start ON runs (started_at);
  CREATE TABLE samples (
    dataset TEXT NOT NULL, number INTEGER NOT NULL, sample_id TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (dataset, number)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX samples_by_id ON samples (dataset, sample_id);
  -- Log-probabilities are read only by who asks for them: SQLite leaves the last column of a large row on its pages.
  CREATE TABLE generations (
    run_id TEXT NOT NULL, variant TEXT NOT NULL, sample_id TEXT NOT NULL, repeat INTEGER NOT NULL,
    number INTEGER NOT NULL, segment INTEGER NOT NULL, outcome TEXT NOT NULL, data TEXT NOT NULL, facts TEXT, logprobs BLOB
  );
  CREATE UNIQUE INDEX generations_by_call ON generations (run_id, variant, sample_id, repeat);
  CREATE UNIQUE INDEX generations_by_position ON generations (run_id, variant, number);
  CREATE TABLE attempts (
    number INTEGER PRIMARY KEY, run_id TEXT NOT NULL, variant TEXT NOT NULL, sample_id TEXT NOT NULL, repeat INTEGER NOT NULL,
    data TEXT NOT NULL
  );
  CREATE INDEX attempts_by_call ON attempts (run_id, variant, sample_id, repeat);
  CREATE TABLE steps (
    run_id TEXT NOT NULL, variant TEXT NOT NULL, sample_id TEXT NOT NULL, repeat INTEGER NOT NULL, number INTEGER NOT NULL,
    data TEXT NOT NULL
  );
  CREATE UNIQUE INDEX steps_by_call ON steps (run_id, variant, sample_id, repeat, number);
  -- What is asked by call is found by metric and call: an index by answer would double what scoring writes.
  CREATE TABLE rows (
    run_id TEXT NOT NULL, variant TEXT NOT NULL, metric TEXT NOT NULL, sample_id TEXT NOT NULL, repeat INTEGER NOT NULL,
    value REAL, reason TEXT, row TEXT, code TEXT, PRIMARY KEY (run_id, variant, metric, sample_id, repeat)
  ) WITHOUT ROWID;
  -- Rows of one metric that were measured together, many in one text.
  CREATE TABLE row_blocks (
    run_id TEXT NOT NULL, variant TEXT NOT NULL, metric TEXT NOT NULL, first_sample TEXT NOT NULL, last_sample TEXT NOT NULL,
    data TEXT NOT NULL
  );
  CREATE UNIQUE INDEX row_blocks_by_sample ON row_blocks (run_id, variant, metric, first_sample);
  CREATE TABLE row_makers (
    run_id TEXT NOT NULL, metric TEXT NOT NULL, maker TEXT NOT NULL, PRIMARY KEY (run_id, metric)
  ) WITHOUT ROWID;
  CREATE TABLE variant_states (
    run_id TEXT NOT NULL, variant TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (run_id, variant)
  ) WITHOUT ROWID;
  CREATE TABLE events (number INTEGER PRIMARY KEY, run_id TEXT NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL);
  CREATE INDEX events_by_run ON events (run_id, number);
  CREATE TABLE model_calls (number INTEGER PRIMARY KEY, run_id TEXT NOT NULL, data TEXT NOT NULL);
  CREATE INDEX model_calls_by_run ON model_calls (run_id, number);
  CREATE TABLE batches (number INTEGER PRIMARY KEY, run_id TEXT NOT NULL, tag TEXT NOT NULL, data TEXT NOT NULL);
  CREATE UNIQUE INDEX batches_by_tag ON batches (run_id, tag);
  CREATE TABLE reports (run_id TEXT PRIMARY KEY, data TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE answers (key TEXT PRIMARY KEY, data TEXT NOT NULL, logprobs BLOB) WITHOUT ROWID;
  CREATE TABLE contents (key TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE media (sha256 TEXT PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE dataset_media (dataset TEXT NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (dataset, sha256)) WITHOUT ROWID;
  -- One person may label an answer by several policies, and have the last word besides.
  CREATE TABLE labels (
    run_id TEXT NOT NULL, variant TEXT NOT NULL, sample_id TEXT NOT NULL, repeat INTEGER NOT NULL, metric TEXT NOT NULL,
    labeller TEXT NOT NULL, policy TEXT NOT NULL, role TEXT NOT NULL, score REAL NOT NULL, drawn TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (run_id, variant, sample_id, repeat, metric, labeller, policy, role)
  ) WITHOUT ROWID;
  -- What the workers of a run agree on: who is there, who has which slice, what they may use together, a question that is asked once.
  CREATE TABLE workers (
    run_id TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, seen_at REAL NOT NULL, data TEXT NOT NULL,
    PRIMARY KEY (run_id, number)
  ) WITHOUT ROWID;
  CREATE TABLE claims (
    run_id TEXT NOT NULL, slice INTEGER NOT NULL, worker INTEGER NOT NULL, PRIMARY KEY (run_id, slice)
  ) WITHOUT ROWID;
  CREATE TABLE quotas (
    run_id TEXT NOT NULL, name TEXT NOT NULL, most REAL NOT NULL, used REAL NOT NULL, PRIMARY KEY (run_id, name)
  ) WITHOUT ROWID;
  CREATE TABLE leases (
    run_id TEXT NOT NULL, name TEXT NOT NULL, worker INTEGER NOT NULL, granted REAL NOT NULL, settled REAL NOT NULL,
    spent REAL NOT NULL, at_risk REAL NOT NULL, PRIMARY KEY (run_id, name, worker)
  ) WITHOUT ROWID;
  CREATE TABLE paces (
    run_id TEXT NOT NULL, name TEXT NOT NULL, next_at REAL NOT NULL, paused_until REAL NOT NULL, PRIMARY KEY (run_id, name)
  ) WITHOUT ROWID;
  CREATE TABLE questions (
    run_id TEXT NOT NULL, key TEXT NOT NULL, worker INTEGER NOT NULL, PRIMARY KEY (run_id, key)
  ) WITHOUT ROWID;
  -- Who may look into the contents, as workers do for embeddings, may not read the key.
  CREATE TABLE secrets (name TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
  -- Which store this is, for what is beside it: two stores may hold evaluations of the same name.
  CREATE TABLE store_identity (id TEXT PRIMARY KEY) WITHOUT ROWID;
  INSERT INTO store_identity VALUES (lower(hex(randomblob(16))));
  `,
  // Of a call that may be written again, as a worker does that was not told whether it is written.
  `
  ALTER TABLE model_calls ADD COLUMN id TEXT;
  CREATE UNIQUE INDEX model_calls_by_id ON model_calls (run_id, id) WHERE id IS NOT NULL;
  `,
  // Likewise of what a worker states of its leases.
  `
  ALTER TABLE workers ADD COLUMN last_statement INTEGER NOT NULL DEFAULT 0;
  `,
]
