/** The options of a program that runs its own packs. */
import type * as ConfigSchema from "@bough/host/config/ConfigSchema"
import type { PrebuiltSchemas } from "@bough/host/Packs"
import type { Capability, ToolPack } from "@bough/tool"

export interface MainOptions {
  /** The name under which users call the program; default "bough". */
  readonly name?: string
  /** The version that `--version` prints; default: this package's. */
  readonly version?: string
  /** JSON Schemas of arguments by tool name, so that the start does not derive them. */
  readonly schemas?: PrebuiltSchemas
  /** Capabilities that the packs need but Bough does not provide, each made by `Capability.provide`. */
  readonly provide?: ReadonlyArray<Capability.Provision>
  /**
   * Agents by name, in addition to the user's: an agent gets the tools of its pack that its kind of session may use.
   */
  readonly agents?: Readonly<Record<string, PackAgent>>
  /** The lines that `--version` prints below the version. */
  readonly packVersions?: ReadonlyArray<string>
}

/** An agent that the program defines: like a configured agent, with a pack instead of tool names. */
export interface PackAgent extends Omit<ConfigSchema.Agents[string], "tools"> {
  readonly pack: ToolPack.Any
}
