/**
 * A program that starts commands, a millisecond apart, and lets none end: tests kill it meanwhile. Arguments:
 * workspace; `bubblewrap`, `host`, `helper` or `reader`; how long a command sleeps. It prints `ready` once one command
 * has run, and waits for an answer.
 */
import { ProcessRunner } from "@bough/tool"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { ProcessRunnerNode, Sandbox } from "../src/index.ts"

const [workspace = "", kind = "bubblewrap", seconds = ""] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const runner = yield* ProcessRunner.ProcessRunner
  const sandbox = yield* Sandbox.make({ backend: kind === "bubblewrap" ? kind : "host" }, process.env)
  const { run } = sandbox.provided({ root: workspace, writable: true }).make({} as never, () => {})
  const env = { PATH: "/usr/bin:/bin" }
  const start: Effect.Effect<unknown, unknown> =
    kind === "helper" || kind === "reader"
      ? runner.run({
          program: "sleep",
          args: [seconds],
          cwd: "/",
          env,
          maxOutputBytes: 1,
          startsNoProcess: kind === "reader"
        })
      : run({ argv: ["/bin/sleep", seconds] })
  yield* run("true")
  writeSync(1, "ready")
  yield* Effect.promise(() => new Promise((resolve) => process.stdin.once("data", resolve)))
  for (let started = 0; started < 12; started++) {
    yield* Effect.forkChild(start)
    yield* Effect.sleep(1)
  }
  return yield* Effect.never
})

await Effect.runPromise(Effect.provide(program, ProcessRunnerNode.layer))
