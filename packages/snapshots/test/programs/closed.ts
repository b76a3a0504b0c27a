/**
 * Lets a call change a workspace and close directories to their owner, undoes it, and prints what the undo reports. Runs
 * as an ordinary user, whom closed directories refuse. Arguments: a workspace, a store, the modes of the directory and
 * of the workspace itself after the call.
 */
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { join } from "node:path"
import { WorkspaceSnapshots } from "../../src/index.ts"

const [root = "", directory = "", mode = "", rootMode = ""] = process.argv.slice(2)

const change = Effect.sync(() => {
  fs.writeFileSync(join(root, "a.txt"), "new")
  fs.writeFileSync(join(root, "dir/b.txt"), "new")
  fs.rmSync(join(root, "dir/inner/c.txt"))
  fs.chmodSync(join(root, "dir"), Number.parseInt(mode, 8))
  fs.chmodSync(root, Number.parseInt(rootMode, 8))
})

const program = Effect.gen(function* () {
  const snapshots = yield* WorkspaceSnapshots.make({ root, directory })
  const before = yield* snapshots.before
  yield* change
  const after = yield* snapshots.after
  const calls = [{ turn: 1, commit: 1, before, after }]
  const { lost, written } = yield* snapshots.undo({ session: "s", calls, turn: null, isForced: false })
  fs.writeSync(1, JSON.stringify({ lost, written }))
})

await Effect.runPromise(Effect.scoped(program))
