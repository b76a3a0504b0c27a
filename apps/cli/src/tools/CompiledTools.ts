/** The tools that are compiled in, as the model and the dispatcher know them. */
import type { Session } from "@bough/protocol"
import type { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import { registryOf, toolsOf } from "@bough/host/session/KindTools"
import { type CliFailure, usage } from "../CliFailure.ts"
import { nearest } from "@bough/host/config/Nearest"
import type { Packs } from "@bough/host/Packs"
import type { Program } from "../Program.ts"

export interface CompiledTool {
  readonly name: string
  readonly description: string
  readonly tier: string
  readonly kinds: ReadonlyArray<Session.Kind>
}

const kinds = ["Main", "Branch", "Worker"] as const

export const describe = (packs: Packs, tool: Tool.Any): CompiledTool => ({
  name: tool.name,
  description: tool.description,
  tier: tool.tier,
  kinds: kinds.filter((kind) => Object.hasOwn(toolsOf(packs, kind).pack.tools, tool.name))
})

/** Finds a tool by its name. */
export const find = ({ name: program, packs }: Program, name: string): Effect.Effect<Tool.Any, CliFailure> => {
  const registry = registryOf(packs)
  const tool = registry.get(name)
  if (tool !== undefined) return Effect.succeed(tool)
  const near = nearest(name, registry.keys())
  return Effect.fail(
    usage(
      `unknown tool ${JSON.stringify(name)}${near === null ? "" : `; did you mean ${near}?`}`,
      `"${program} tools list" lists the tools`
    )
  )
}
