/** What an approved raise opens to one call. A port refuses the same without it. */
import * as Schema from "effect/Schema"

export const Grant = Schema.TaggedUnion({
  /** A secret file, to read; relative to the workspace root. */
  Path: { path: Schema.String },
  /**
   * A service on this machine or its network, or at an unusual port. `addresses`: where the name led when it was shown; only
   * these are connected, without looking the name up again. None: any public address.
   */
  Host: { host: Schema.String, port: Schema.Int, addresses: Schema.optionalKey(Schema.Array(Schema.String)) }
})
export type Grant = typeof Grant.Type
