/** The options of a program that runs its own packs. */
import type * as ConfigSchema from "@bough/host/config/ConfigSchema"
import type { PrebuiltSchemas } from "@bough/host/Packs"
import type { Capability, ToolPack } from "@bough/tool"

export interface MainOptions {
  /** As users call it; default "bough". */
  readonly name?: string
  /** The version that `--version` prints; default: this package's. */
  readonly version?: string
  /** JSON Schemas of arguments by tool name, so that starting need not derive them. */
  readonly schemas?: PrebuiltSchemas
  /** Capabilities that the packs need and Bough does not bring, each made by `Capability.provide`. */
  readonly provide?: ReadonlyArray<Capability.Provision>
  /** Agents by name, beside those of the user: each holds the tools of a pack, as far as its kind of session has them. */
  readonly agents?: Readonly<Record<string, PackAgent>>
  /** The lines that `--version` prints below the version. */
  readonly packVersions?: ReadonlyArray<string>
}

/** An agent of the program: as one of the configuration, with a pack in place of names of tools. */
export interface PackAgent extends Omit<ConfigSchema.Agents[string], "tools"> {
  readonly pack: ToolPack.Any
}
