/** How long a call of a tool may take where the operator says so, in place of the tool's own limit. */
import type { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import { nearest } from "../Nearest.ts"
import { type Stop, usage } from "../Stop.ts"

/** Seconds, by the tool's name. */
export type Timeouts = Readonly<Record<string, number>>

/** The same tools with these limits; fails where one is of a tool that there is not. */
export const given = Effect.fnUntraced(function* (
  registry: ReadonlyMap<string, Tool.Any>,
  timeouts: Timeouts
): Effect.fn.Return<ReadonlyMap<string, Tool.Any>, Stop> {
  const all = new Map(registry)
  for (const [name, seconds] of Object.entries(timeouts)) {
    const tool = all.get(name)
    if (tool === undefined) return yield* unknown(name, all.keys())
    all.set(name, { ...tool, timeoutMillis: () => Math.ceil(seconds * 1000) })
  }
  return all
})

const unknown = (name: string, known: Iterable<string>): Effect.Effect<never, Stop> => {
  const near = nearest(name, known)
  const meant = near === null ? "" : `; did you mean ${near}?`
  return Effect.fail(
    usage(`timeoutSeconds: there is no tool ${JSON.stringify(name)}${meant}`, "bough tools lists them")
  )
}
