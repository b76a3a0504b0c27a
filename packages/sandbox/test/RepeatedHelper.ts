/** A program that runs one helper of those that start no process, and prints at its end which shell still waits. */
import { ProcessRunner } from "@bough/tool"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { ProcessRunnerNode } from "../src/index.ts"
import { preparedShells } from "./Places.ts"

process.on("exit", () => writeSync(1, `${preparedShells().join(" ")}\n`))

await ProcessRunner.ProcessRunner.pipe(
  Effect.flatMap(({ run }) =>
    run({ program: "/bin/true", args: [], cwd: "/", env: {}, maxOutputBytes: 1, startsNoProcess: true })
  ),
  Effect.provide(ProcessRunnerNode.layer),
  Effect.runPromise
)
