/**
 * The stored format's tables, as steps from each version to the next. A released step is never edited; a change of
 * format is a new step, with its line in Format.ts and a file of the old format in test/fixtures. This module is loaded
 * only when a file is created or migrated.
 */
import * as Conversations from "./conversations/Tables.ts"
import type { Database } from "./driver/Database.ts"
import * as NoteVectors from "./notes/NoteVectors.ts"
import * as SearchIndex from "./notes/SearchIndex.ts"
import * as WordIndex from "./notes/WordIndex.ts"

/** SQL, or a function for a step that SQL cannot express. */
export type Step = string | ((database: Database) => void)

/** `steps[n]` brings a file from version n to n + 1. */
export const steps: ReadonlyArray<Step> = [
  `
  CREATE TABLE migrations (
    version INTEGER PRIMARY KEY,
    applied_at_millis INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE trees (
    tree_id TEXT PRIMARY KEY,
    epoch INTEGER NOT NULL,
    commits INTEGER NOT NULL,
    -- All null: it has no owner.
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
  `,
  `
  CREATE TABLE note_users (
    user INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
  ) STRICT;

  CREATE TABLE note_tags (
    tag INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES note_users,
    name TEXT NOT NULL,
    UNIQUE (user, name)
  ) STRICT;

  -- A change of a note is a new row: no number ever stands for another text.
  CREATE TABLE notes (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    user INTEGER NOT NULL REFERENCES note_users,
    note_id TEXT NOT NULL,
    -- Empty: everybody of that user sees it. Else a change that only the holder sees, until it is settled.
    hold TEXT NOT NULL,
    removed INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    text TEXT NOT NULL,
    same_text TEXT NOT NULL,
    tags TEXT NOT NULL,
    tag_numbers TEXT NOT NULL,
    source TEXT NOT NULL,
    created_at_millis INTEGER NOT NULL,
    updated_at_millis INTEGER NOT NULL,
    UNIQUE (user, note_id, hold)
  ) STRICT;
  CREATE INDEX notes_by_text ON notes (user, same_text);
  CREATE INDEX notes_held ON notes (hold) WHERE hold <> '';

  -- The rows that are gone, for indexes that had them.
  CREATE TABLE note_drops (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    row INTEGER NOT NULL
  ) STRICT;

  CREATE VIRTUAL TABLE notes_words USING fts5 (
    words, scope, content = '', contentless_delete = 1,
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* M* Co'"
  );
  INSERT INTO notes_words (notes_words, rank) VALUES ('rank', 'bm25(1.0, 0.0)');

  CREATE TABLE scratchpads (
    session_id TEXT PRIMARY KEY,
    items TEXT NOT NULL,
    updated_at_millis INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- The origin of notes from before this column is unknown.
  ALTER TABLE notes ADD COLUMN untrusted INTEGER NOT NULL DEFAULT 1;
  `,
  // Empty, because the word index of this step was replaced by a later step.
  "",
  `
  ALTER TABLE trees ADD COLUMN owner_namespace TEXT;
  ALTER TABLE trees ADD COLUMN owner_machine TEXT;
  -- The deadline on the kernel's monotonic clock, and which kernel's; on the store's clock for everybody else.
  ALTER TABLE trees ADD COLUMN lease_counter TEXT;
  ALTER TABLE trees ADD COLUMN lease_counter_millis INTEGER;
  ALTER TABLE trees ADD COLUMN lease_until_millis INTEGER;
  -- An owner of before this renews nothing; it is given the time of one lease.
  UPDATE trees SET lease_until_millis = unixepoch() * 1000 + 30000 WHERE owner_pid IS NOT NULL;

  -- The last moment that is known for certain: what the clocks said.
  CREATE TABLE clock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    counter TEXT NOT NULL,
    uptime_millis INTEGER NOT NULL,
    wall_millis INTEGER NOT NULL,
    store_millis INTEGER NOT NULL,
    held_since_millis INTEGER
  ) STRICT;
  INSERT INTO clock SELECT 1, '', 0, latest, latest, NULL
  FROM (SELECT max(updated_at_millis) AS latest FROM sessions) WHERE latest IS NOT NULL;
  `,
  // The user and the agent are in each session's first entry, which may be a blob; an unreadable one is reported when
  // it is read.
  `
  ALTER TABLE sessions ADD COLUMN user TEXT;
  ALTER TABLE sessions ADD COLUMN agent TEXT NOT NULL DEFAULT '';
  -- Of the last change, as the lists are ordered: it is indexed, and so written once a second, not with each commit.
  ALTER TABLE sessions ADD COLUMN changed_second INTEGER NOT NULL DEFAULT 0;
  UPDATE sessions SET changed_second = updated_at_millis / 1000;
  UPDATE sessions SET user = opened.body ->> '$.user', agent = coalesce(opened.body ->> '$.agent', '')
    FROM (SELECT e.session_id, coalesce(e.body, CAST(b.bytes AS TEXT)) AS body
          FROM entries e LEFT JOIN blobs b ON b.digest = e.body_blob WHERE e.seq = 0) AS opened
    WHERE opened.session_id = sessions.session_id AND json_valid(opened.body);
  CREATE INDEX sessions_by_change ON sessions (changed_second DESC) WHERE kind = 'Main';
  CREATE INDEX sessions_by_user ON sessions (user, changed_second DESC) WHERE kind = 'Main';
  CREATE INDEX sessions_by_agent ON sessions (agent, changed_second DESC) WHERE kind = 'Main';
  CREATE INDEX sessions_by_workspace ON sessions (workspace_root, changed_second DESC) WHERE kind = 'Main';
  CREATE INDEX sessions_by_user_agent ON sessions (user, agent, changed_second DESC) WHERE kind = 'Main';
  CREATE INDEX sessions_by_user_workspace ON sessions (user, workspace_root, changed_second DESC) WHERE kind = 'Main';
  CREATE INDEX sessions_active ON sessions (tree_id) WHERE kind = 'Main' AND state = 'Active';
  `,
  `
  -- Where the owner takes requests for its trees.
  ALTER TABLE trees ADD COLUMN owner_address TEXT;
  `,
  // Makes one index entry per note, ranked by FTS5.
  WordIndex.rebuild,
  Conversations.all,
  `
  CREATE TABLE note_projects (
    project INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES note_users,
    root TEXT NOT NULL,
    UNIQUE (user, root)
  ) STRICT;

  -- 0: the user's, in every project.
  ALTER TABLE notes ADD COLUMN project INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE notes ADD COLUMN valid_until_millis INTEGER;
  -- Who wrote this version, for the history.
  ALTER TABLE notes ADD COLUMN written_by TEXT NOT NULL DEFAULT '';
  -- Of a held removal: the note that supersedes this one; empty: none does.
  ALTER TABLE notes ADD COLUMN superseded_by TEXT NOT NULL DEFAULT '';

  -- Texts that notes had, and texts of notes that were superseded. No search looks here.
  CREATE TABLE note_history (
    entry INTEGER PRIMARY KEY AUTOINCREMENT,
    user INTEGER NOT NULL REFERENCES note_users,
    -- The note whose history it is.
    of_note TEXT NOT NULL,
    reason INTEGER NOT NULL,
    ended_by TEXT NOT NULL,
    ended_at_millis INTEGER NOT NULL,
    -- As it was, under the id that it had.
    note_id TEXT NOT NULL,
    project INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    text TEXT NOT NULL,
    tags TEXT NOT NULL,
    source TEXT NOT NULL,
    untrusted INTEGER NOT NULL,
    created_at_millis INTEGER NOT NULL,
    updated_at_millis INTEGER NOT NULL,
    valid_until_millis INTEGER
  ) STRICT;
  CREATE INDEX note_history_by_note ON note_history (user, of_note);
  CREATE INDEX note_history_by_id ON note_history (user, note_id);
  `,
  // Makes the words of each user as they are spelled, and the initials of each note.
  SearchIndex.makeVocabulary,
  NoteVectors.tables,
  `
  -- 1: the user gave the title, and no message changes it.
  ALTER TABLE sessions ADD COLUMN named INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN archived_at_millis INTEGER;
  `,
  `
  -- A search for words of a title reads the index alone, and no row that it does not find.
  DROP INDEX sessions_by_user;
  CREATE INDEX sessions_by_user ON sessions (user, changed_second DESC, title, archived_at_millis) WHERE kind = 'Main';
  `,
  `
  -- The length of the lease. The date lease_until_millis is no longer used.
  ALTER TABLE trees ADD COLUMN lease_millis INTEGER;

  -- When a waiting process first saw a lease whose deadline is on another kernel's clock, in milliseconds of its own.
  CREATE TABLE lease_sightings (
    tree_id TEXT NOT NULL REFERENCES trees,
    -- The clock of the waiting process.
    counter TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    deadline_counter TEXT NOT NULL,
    deadline_millis INTEGER NOT NULL,
    seen_millis INTEGER NOT NULL,
    PRIMARY KEY (tree_id, counter)
  ) STRICT, WITHOUT ROWID;
  `
]
