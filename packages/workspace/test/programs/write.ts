/** Opens the workspace of its argument, replaces `a.txt` in it, and tries to read files outside. */
import { ProcessRunnerNode } from "@bough/sandbox"
import * as Effect from "effect/Effect"
import { Workspace } from "../../src/index.ts"

const [root = "", outside = ""] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const workspace = yield* Workspace.make({ root })
  yield* workspace.write([]).writeFile("a.txt", Buffer.from("new"))
  const reads = ["../outside/secret", "link", `${outside}/secret`].map((path) =>
    Effect.flip(workspace.read([]).readFile(path, 1000))
  )
  for (const { _tag } of yield* Effect.all(reads)) console.log(_tag)
})

await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(ProcessRunnerNode.layer)))
