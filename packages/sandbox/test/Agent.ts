/**
 * A program that runs one command in a sandbox: tests start it, pass descriptors to it and kill it. Arguments:
 * workspace, command, `bwrap`.
 */
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { Sandbox } from "../src/index.ts"

const [workspace = "", command = "", bwrap] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const sandbox = yield* Sandbox.make(bwrap === undefined ? {} : { program: bwrap }, process.env)
  const { run } = sandbox.provided({ root: workspace, writable: true }).make({} as never, () => {})
  return yield* run(command)
})

const ran = await Effect.runPromise(Effect.result(program))
writeSync(1, JSON.stringify(ran._tag === "Success" ? ran.success : { error: ran.failure.message }))
