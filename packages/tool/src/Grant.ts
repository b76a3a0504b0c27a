/** The reach that an approval adds to one call. A port refuses the same request without it. */
import * as Schema from "effect/Schema"

export const Grant = Schema.TaggedUnion({
  /** A secret file, to read; relative to the workspace root. */
  Path: { path: Schema.String },
  /**
   * A service on this machine or its network, or at an unusual port. `addresses`: where the name led when it was shown; only
   * these are connected, without looking the name up again. None: any public address.
   */
  Host: { host: Schema.String, port: Schema.Int, addresses: Schema.optionalKey(Schema.Array(Schema.String)) },
  /** A command reaches every host on the internet that no rule denies. */
  Network: {},
  /** A command changes what the sandbox otherwise protects. */
  Write: {
    /** The settings and hooks of repositories too. */
    repositories: Schema.optionalKey(Schema.Boolean)
  },
  /** The command gets these vault entries as environment variables of the same names. */
  Vault: { names: Schema.Array(Schema.String) },
  /** A command runs as the operator, outside of any sandbox. */
  Unconfined: {}
})
export type Grant = typeof Grant.Type
