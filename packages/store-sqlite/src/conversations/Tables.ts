/** The tables of the index of conversations. */

/** The full-text table does not contain the text, which is in the journal. */
export const words = `
  CREATE VIRTUAL TABLE conversation_words USING fts5 (
    words, content = '', contentless_delete = 1,
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* M* Co'"
  );
`

export const all = `
  CREATE TABLE conversation_texts (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    UNIQUE (session_id, seq)
  ) STRICT;

  -- The first entry of each session that is not indexed.
  CREATE TABLE conversation_progress (
    session_id TEXT PRIMARY KEY,
    next_seq INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  ${words}`
