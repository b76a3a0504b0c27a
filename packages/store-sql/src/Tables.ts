/**
 * The stored format: what makes a file ours, its tables, and the steps from each version to the next. A step that was
 * released is never edited; a change of format is a new step, with a file of the old format in test/fixtures.
 */

/** "Bogh" in the header of every file of ours. */
export const applicationId = 0x42_6f_67_68

/** `steps[n]` brings a file from version n to n + 1. */
export const steps: ReadonlyArray<string> = [
  `
  CREATE TABLE migrations (
    version INTEGER PRIMARY KEY,
    applied_at_millis INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE trees (
    tree_id TEXT PRIMARY KEY,
    epoch INTEGER NOT NULL,
    commits INTEGER NOT NULL,
    -- All null: nobody owns it.
    owner_pid INTEGER,
    owner_start TEXT,
    owner_boot TEXT,
    owner_host TEXT
  ) STRICT;

  CREATE TABLE sessions (
    session_id TEXT PRIMARY KEY,
    tree_id TEXT NOT NULL REFERENCES trees,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    title TEXT NOT NULL,
    workspace_root TEXT NOT NULL,
    entries INTEGER NOT NULL,
    created_at_millis INTEGER NOT NULL,
    updated_at_millis INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX sessions_by_tree ON sessions (tree_id);

  CREATE TABLE entries (
    session_id TEXT NOT NULL REFERENCES sessions,
    seq INTEGER NOT NULL,
    -- The tree's number of the commit that it came with.
    commit_number INTEGER NOT NULL,
    -- The version of the body.
    v INTEGER NOT NULL,
    labels TEXT NOT NULL,
    -- Canonical JSON, or null where the blob of that digest holds it.
    body TEXT,
    body_blob TEXT,
    -- sha256 over the digest of the entry before and the canonical body.
    digest TEXT NOT NULL,
    PRIMARY KEY (session_id, seq),
    CHECK ((body IS NULL) <> (body_blob IS NULL))
  ) STRICT;

  CREATE TABLE blobs (
    digest TEXT PRIMARY KEY,
    bytes BLOB NOT NULL,
    stored_at_millis INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE blob_references (
    tree_id TEXT NOT NULL,
    digest TEXT NOT NULL,
    referenced_at_millis INTEGER NOT NULL,
    PRIMARY KEY (tree_id, digest)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX blob_references_by_digest ON blob_references (digest);

  CREATE TABLE inbox (
    tree_id TEXT NOT NULL REFERENCES trees,
    seq INTEGER NOT NULL,
    dedupe_key TEXT NOT NULL,
    command TEXT NOT NULL,
    principal TEXT NOT NULL,
    submitted_at_millis INTEGER NOT NULL,
    done INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tree_id, seq),
    UNIQUE (tree_id, dedupe_key)
  ) STRICT;
  CREATE INDEX inbox_open ON inbox (tree_id, seq) WHERE done = 0;

  CREATE TABLE approvals (
    approval_id TEXT PRIMARY KEY,
    tree_id TEXT NOT NULL REFERENCES trees,
    request TEXT NOT NULL,
    expires_at_millis INTEGER NOT NULL,
    open INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX approvals_open ON approvals (tree_id) WHERE open = 1;
  `
]

/** The version that this code reads and writes. */
export const version = steps.length

/** Every table of ours; a file that lacks one is somebody else's. */
export const names: ReadonlyArray<string> = [
  "approvals",
  "blob_references",
  "blobs",
  "entries",
  "inbox",
  "migrations",
  "sessions",
  "trees"
]
