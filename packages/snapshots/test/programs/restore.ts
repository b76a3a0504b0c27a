/** Lets a call change a workspace and undoes it, and prints a line after each. Arguments: a workspace, a store. */
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { join } from "node:path"
import { WorkspaceSnapshots } from "../../src/index.ts"

const [root = "", directory = ""] = process.argv.slice(2)
const say = (line: string) => Effect.sync(() => void fs.writeSync(1, `${line}\n`))

/** Data that no process has synced. */
const change = Effect.sync(() => {
  fs.writeFileSync(join(root, "a.txt"), "overwritten")
  fs.rmSync(join(root, "folder"), { recursive: true })
  fs.mkdirSync(join(root, "made"))
  fs.writeFileSync(join(root, "made/new.txt"), "new")
})

const program = Effect.gen(function* () {
  const snapshots = yield* WorkspaceSnapshots.make({ root, directory })
  const before = yield* snapshots.before
  yield* say("kept")
  yield* change
  const after = yield* snapshots.after
  yield* say("changed")
  // The state after the call is recorded durably before the next call, although it adds nothing new.
  yield* snapshots.before
  yield* say("kept again")
  const calls = [{ turn: 1, commit: 1, before, after }]
  yield* snapshots.undo({ session: "s", calls, turn: null, isForced: false })
  yield* say("undone")
})

await Effect.runPromise(Effect.scoped(program))
