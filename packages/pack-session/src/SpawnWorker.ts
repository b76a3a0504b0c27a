/** `spawn_worker`: a read-only errand. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { bounds, boundsOf } from "./Bounds.ts"
import { ChildRow, formatRow, rowOf } from "./ChildRow.ts"

export const SpawnWorker = Tool.make("spawn_worker", {
  version: 1,
  description: "Start a read-only errand: search, read, summarise. It knows the task alone; its result comes to you",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.Spawn],
  parameters: Schema.Struct({ task: Schema.NonEmptyString, ...bounds }),
  output: ChildRow,
  forModel: formatRow,
  execute: Effect.fnUntraced(function* ({ task, ...given }) {
    const sessions = yield* Capability.Spawn
    const child = yield* sessions.spawn({ kind: "Worker", task, start: "Brief", ...boundsOf(given) })
    return Tool.result({ output: rowOf(child), display: `Started a worker: ${child.title}` })
  })
})
