/** The operator's configured timeouts, which replace the tools' own timeouts. */
import type { SessionKind, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import { type HostFailure, invalid } from "../HostFailure.ts"
import { nearest } from "./Nearest.ts"

/** The timeout in seconds by tool name. */
export type Timeouts = Readonly<Record<string, number>>

/** Returns the tools with these timeouts; fails if a timeout names an unknown tool. */
export const applyTimeouts = Effect.fnUntraced(function* (
  registry: ReadonlyMap<string, Tool.Any>,
  timeouts: Timeouts
): Effect.fn.Return<ReadonlyMap<string, Tool.Any>, HostFailure> {
  const entries = Object.entries(timeouts)
  if (entries.length === 0) return registry
  const all = new Map(registry)
  for (const [name, seconds] of entries) {
    const tool = all.get(name)
    if (tool === undefined) return yield* unknown(name, all.keys())
    all.set(name, limit(tool, seconds))
  }
  return all
})

/** Returns the tools of a kind of session with these timeouts. */
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
  const suggestion = near === null ? "" : `; did you mean ${near}?`
  return Effect.fail(invalid(`timeoutSeconds: unknown tool ${JSON.stringify(name)}${suggestion}`, "", "ListTools"))
}
