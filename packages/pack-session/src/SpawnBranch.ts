/** `spawn_branch`: starts a child session for a part of the work. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { bounds, boundsOf } from "./Bounds.ts"
import { ChildRow, formatRow, rowOf } from "./ChildRow.ts"

export const SpawnBranch = Tool.make("spawn_branch", {
  version: 1,
  description:
    "Start a session for a sub-task; its result is returned to you. Give it all that it needs to know, or fork",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.Spawn],
  parameters: Schema.Struct({
    task: Schema.NonEmptyString,
    fork: Schema.Boolean.pipe(
      Schema.withDecodingDefaultKey(Effect.succeed(false)),
      Schema.annotateKey({ description: "Begin with this conversation" })
    ),
    ...bounds
  }),
  output: ChildRow,
  forModel: formatRow,
  execute: Effect.fnUntraced(function* ({ fork, task, ...options }) {
    const sessions = yield* Capability.Spawn
    const start = fork ? "Fork" : "Brief"
    const child = yield* sessions.spawn({ kind: "Branch", task, start, ...boundsOf(options) })
    return Tool.result({ output: rowOf(child), display: `Started a branch: ${child.title}` })
  })
})
