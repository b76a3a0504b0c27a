/** The operator's decisions about commands; the model makes none of them. */
import * as Schema from "effect/Schema"
import { defaults, Limits } from "./Limits.ts"
import { Backend } from "./SandboxReport.ts"

const strings = Schema.Array(Schema.String)

export const Settings = Schema.Struct({
  backend: Backend,
  limits: Limits,
  /**
   * Directories that are shown read-only in the sandbox, in addition to the system and the directories of PATH.
   * Absolute.
   */
  readOnlyPaths: strings,
  /** Directories that appear empty if they are in a workspace: the data directory of Bough. Absolute. */
  hiddenPaths: strings,
  /** True allows commands to make Unix sockets. They can then also connect to the sockets below visible directories. */
  unixSockets: Schema.Boolean,
  /** Variables that commands get in addition to the allow-listed ones. */
  environmentKeys: strings,
  /** The number of bytes that are stored of each output stream. */
  maxOutputBytes: Schema.Natural,
  /**
   * True if no approval may run a command outside of the sandbox, because the user who approves is not the operator of
   * the machine.
   */
  confinedOnly: Schema.Boolean,
  /** The path of `bwrap` if it is not one of the usual ones. */
  program: Schema.NullOr(Schema.String)
})
export type Settings = typeof Settings.Type

/** Adds the defaults of missing settings. */
export const withDefaults = (settings: Partial<Settings>): Settings => ({
  backend: "bubblewrap",
  limits: defaults,
  readOnlyPaths: [],
  hiddenPaths: [],
  unixSockets: false,
  environmentKeys: [],
  maxOutputBytes: 1024 ** 2,
  confinedOnly: false,
  program: null,
  ...settings
})
