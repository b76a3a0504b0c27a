/** What an approved raise allows one call: an exact path, host or argument vector. Ports refuse more without one. */
import * as Schema from "effect/Schema"

/** `path` is relative to the workspace root; `argv` is the whole vector, program first. */
export const Grant = Schema.TaggedUnion({
  Path: { path: Schema.String, access: Schema.Literals(["read", "write", "delete"]) },
  Host: { host: Schema.String, port: Schema.Int },
  Argv: { argv: Schema.Array(Schema.String) }
})
export type Grant = typeof Grant.Type
