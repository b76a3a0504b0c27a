/** The compiled-in tools, as the model and the dispatcher know them. */
import { nearest } from "@bough/host/config/Nearest"
import * as SettingsFile from "@bough/host/config/Settings"
import type { Packs } from "@bough/host/Packs"
import * as Backends from "@bough/host/session/Backends"
import { registryOf, toolsOf } from "@bough/host/session/KindTools"
import type { Session } from "@bough/protocol"
import type { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import { type CliFailure, usage } from "../CliFailure.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import type { Program } from "../Program.ts"

export interface CompiledTool {
  readonly name: string
  readonly description: string
  readonly tier: string
  readonly kinds: ReadonlyArray<Session.Kind>
  /**
   * The reason why no session has the tool with the settings of this folder; null if sessions of the named kinds have
   * it.
   */
  readonly missing: string | null
}

/**
 * Returns the requirements that the settings do not meet; none if the settings cannot be read, which other commands
 * report.
 */
export const unmetRequirements = (program: Program, { cwd }: Common): Effect.Effect<ReadonlyMap<string, string>> =>
  SettingsFile.load(program.environment, { ...SettingsFile.noOverrides, cwd }, null).pipe(
    Effect.map(Backends.unmetRequirements),
    Effect.orElseSucceed(() => new Map())
  )

const kinds = ["Main", "Branch", "Worker"] as const

export const describe = (packs: Packs, tool: Tool.Any, known: ReadonlyMap<string, string>): CompiledTool => ({
  name: tool.name,
  description: tool.description,
  tier: tool.tier,
  kinds: kinds.filter((kind) => Object.hasOwn(toolsOf(packs, kind).pack.tools, tool.name)),
  missing: Backends.missingReason(tool, known)
})

/** Separates the name of a server from the name of its tool. */
export const serverMark = "__"

/** Finds a tool by its name. */
export const find = ({ name: program, packs }: Program, name: string): Effect.Effect<Tool.Any, CliFailure> => {
  const registry = registryOf(packs)
  const tool = registry.get(name)
  if (tool !== undefined) return Effect.succeed(tool)
  if (name.includes(serverMark)) {
    return Effect.fail(
      usage(
        `${name} is not a tool of this program; tools of MCP servers are known only in a session`,
        `to allow all of its calls, write --allow ${name}; "${program} mcp list" lists such tools`
      )
    )
  }
  const near = nearest(name, registry.keys())
  return Effect.fail(
    usage(
      `unknown tool ${JSON.stringify(name)}${near === null ? "" : `; did you mean ${near}?`}`,
      `"${program} tools list" lists the tools`
    )
  )
}
