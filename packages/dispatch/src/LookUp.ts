/** Finds the tool among all that are compiled in, whichever kind of session holds it. */
import { ToolError } from "@bough/protocol"
import * as Result from "effect/Result"
import type { Asked, Found } from "./Call.ts"
import type { Registry } from "./Caller.ts"
import { nearest } from "./internal/EditDistance.ts"
import { failed, type Stop } from "./Stop.ts"

export const lookUp = (asked: Asked, registry: Registry): Result.Result<Found, Stop> => {
  const tool = registry.get(asked.name)
  return tool === undefined
    ? Result.fail(failed(nobodysName(asked.name, registry)))
    : Result.succeed({ ...asked, tool })
}

const nobodysName = (name: string, registry: Registry): ToolError.ValidationError => {
  const near = nearest(name, registry.keys(), 3)
  const hint = near.length === 0 ? "" : `; the nearest: ${near.join(", ")}`
  return new ToolError.ValidationError({
    message: `there is no tool ${JSON.stringify(name.slice(0, 100))}${hint}`,
    issues: []
  })
}
