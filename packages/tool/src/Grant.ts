/** The reach that an approval adds to one call. Without the grant, the port refuses the request. */
import * as Schema from "effect/Schema"

export const Grant = Schema.TaggedUnion({
  /** Reading a secret file; the path is relative to the workspace root. */
  Path: { path: Schema.String },
  /**
   * A service on this machine or its network, or at an unusual port. `addresses`: the addresses of the name when it was
   * shown; only these are connected to, without resolving the name again. If it is empty, any public address is
   * allowed.
   */
  Host: { host: Schema.String, port: Schema.Int, addresses: Schema.optionalKey(Schema.Array(Schema.String)) },
  /** Allows a command to reach every host on the internet that no rule denies. */
  Network: {},
  /** A command changes a file that the sandbox otherwise protects. */
  Write: {
    /** Includes the settings and hooks of repositories. */
    repositories: Schema.optionalKey(Schema.Boolean)
  },
  /** The command gets these vault entries as environment variables of the same names. */
  Vault: { names: Schema.Array(Schema.String) },
  /** Runs a command as the operator, outside of any sandbox. */
  Unconfined: {}
})
export type Grant = typeof Grant.Type
