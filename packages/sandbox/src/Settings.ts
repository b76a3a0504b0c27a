/** The operator's decisions about commands; the model makes none of them. */
import * as Schema from "effect/Schema"
import { defaults, Limits } from "./Limits.ts"
import { Backend } from "./SandboxReport.ts"

const strings = Schema.Array(Schema.String)

export const Settings = Schema.Struct({
  backend: Backend,
  limits: Limits,
  /** Shown read-only in the sandbox, beside the system and the directories of PATH. Absolute. */
  readOnlyPaths: strings,
  /** Shown empty where they lie in a workspace: the data directory of Bough. Absolute. */
  hiddenPaths: strings,
  /** Lets commands make Unix sockets; then they can also connect to those that lie below a directory they see. */
  unixSockets: Schema.Boolean,
  /** Variables that commands get beside the allow-listed ones. */
  environmentKeys: strings,
  /** Kept of each output stream. */
  maxOutputBytes: Schema.Natural,
  /** No approval runs a command outside of the sandbox: the user who approves is not the operator of the machine. */
  confinedOnly: Schema.Boolean,
  /** `bwrap`, where it is not at one of the usual places. */
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
