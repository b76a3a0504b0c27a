/** What an approved raise opens to one call. A port refuses the same without it. */
import * as Schema from "effect/Schema"

export const Grant = Schema.TaggedUnion({
  /** A secret file, to read; relative to the workspace root. */
  Path: { path: Schema.String },
  /** A service on this machine or its network. */
  Host: { host: Schema.String, port: Schema.Int }
})
export type Grant = typeof Grant.Type
