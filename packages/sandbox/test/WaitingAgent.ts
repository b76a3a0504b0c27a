/** A program with a sandbox that waits for a command of its session. Argument: workspace. Tests kill it. */
import { Session } from "@bough/protocol"
import { SampleInvocation } from "@bough/tool/testing"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { BackgroundCommands, Sandbox } from "../src/index.ts"

const [workspace = ""] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const sandbox = yield* Sandbox.make({}, process.env)
  const background = yield* BackgroundCommands.make
  const provided = sandbox.provided({ root: workspace, writable: true, background })
  const { run } = provided.make(SampleInvocation.make({ sessionId: Session.SessionId.make("ses_1") }), () => {})
  yield* run("true", { merged: true })
  yield* provided.prepare ?? Effect.void
  writeSync(1, "ready")
  return yield* Effect.never
})

setInterval(() => undefined, 60_000)
await Effect.runPromise(Effect.scoped(program))
