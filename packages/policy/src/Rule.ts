/** A rule over typed fields of a call, written by a human: `run_command argv=["npm","test"]`, `write_file path=src/`. */

export interface Rule {
  readonly effect: "allow" | "ask" | "deny"
  /** A tool's name; "*" for any. */
  readonly tool: string
  /** As it was written, for people and receipts. */
  readonly text: string
}
