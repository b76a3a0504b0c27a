/** `spawn_worker`: starts a read-only sub-agent. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { bounds, boundsOf } from "./Bounds.ts"
import { ChildRow, formatRow, rowOf } from "./ChildRow.ts"

export const SpawnWorker = Tool.make("spawn_worker", {
  version: 1,
  description:
    "Start a read-only sub-agent for a search or reading task. It sees only the task text; its result is returned to you",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.Spawn],
  parameters: Schema.Struct({ task: Schema.NonEmptyString, ...bounds }),
  output: ChildRow,
  forModel: formatRow,
  execute: Effect.fnUntraced(function* ({ task, ...options }) {
    const sessions = yield* Capability.Spawn
    const child = yield* sessions.spawn({ kind: "Worker", task, start: "Brief", ...boundsOf(options) })
    return Tool.result({ output: rowOf(child), display: `Started a worker: ${child.title}` })
  })
})
