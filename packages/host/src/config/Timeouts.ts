/** How long a call of a tool may take where the operator says so, in place of the tool's own limit. */
import type { SessionKind, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import { nearest } from "./Nearest.ts"
import { type HostFailure, invalid } from "../HostFailure.ts"

/** Seconds, by the tool's name. */
export type Timeouts = Readonly<Record<string, number>>

/** The same tools with these limits; fails where one is of a tool that there is not. */
export const applyTimeouts = Effect.fnUntraced(function* (
  registry: ReadonlyMap<string, Tool.Any>,
  timeouts: Timeouts
): Effect.fn.Return<ReadonlyMap<string, Tool.Any>, HostFailure> {
  const all = new Map(registry)
  for (const [name, seconds] of Object.entries(timeouts)) {
    const tool = all.get(name)
    if (tool === undefined) return yield* unknown(name, all.keys())
    all.set(name, limit(tool, seconds))
  }
  return all
})

/** The tools of a session with these limits. */
export const limitKindTools = (tools: SessionKind.KindTools, timeouts: Timeouts): SessionKind.KindTools => {
  const limited = Object.entries<Tool.Any>(tools.pack.tools).flatMap(([name, tool]) =>
    Object.hasOwn(timeouts, name) ? [[name, limit(tool, timeouts[name])] as const] : []
  )
  return limited.length === 0
    ? tools
    : { ...tools, pack: { ...tools.pack, tools: { ...tools.pack.tools, ...Object.fromEntries(limited) } } }
}

const limit = (tool: Tool.Any, seconds: number): Tool.Any => ({
  ...tool,
  timeoutMillis: () => Math.ceil(seconds * 1000)
})

const unknown = (name: string, known: Iterable<string>): Effect.Effect<never, HostFailure> => {
  const near = nearest(name, known)
  const meant = near === null ? "" : `; did you mean ${near}?`
  return Effect.fail(
    invalid(`timeoutSeconds: there is no tool ${JSON.stringify(name)}${meant}`, "bough tools lists them")
  )
}
