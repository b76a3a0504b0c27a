/**
 * Records a call that changes a workspace, or undoes it, and kills itself with SIGKILL at its n-th durable step: a call
 * that changes a file, a directory or a name, and a commit of the store. Prints the state before the call once it is
 * recorded, and the number of steps at its end. Arguments: the operation, a workspace, a store, n (0: never), the
 * recorded calls as JSON.
 */
import * as Effect from "effect/Effect"
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"

const [what = "", root = "", directory = "", at = "0", calls = "[]"] = process.argv.slice(2)

let steps = 0
const step = (): void => {
  if (++steps === Number(at)) process.kill(process.pid, "SIGKILL")
}

// After each step, and so before the next step.
const lasting = [
  "renameSync",
  "unlinkSync",
  "rmdirSync",
  "mkdirSync",
  "symlinkSync",
  "chmodSync",
  "fchmodSync",
  "writeSync",
  "fsyncSync",
  "linkSync",
  "writeFileSync",
  "rmSync"
] as const
for (const name of lasting) {
  const real = fs[name] as (...args: ReadonlyArray<unknown>) => unknown
  Object.assign(fs, {
    [name]: (...args: ReadonlyArray<unknown>) => {
      const value = real.apply(fs, args as Array<unknown>)
      step()
      return value
    }
  })
}
syncBuiltinESMExports()
const exec = Object.getOwnPropertyDescriptor(DatabaseSync.prototype, "exec")?.value as (sql: string) => void
DatabaseSync.prototype.exec = function (sql: string) {
  if (sql !== "COMMIT") return exec.call(this, sql)
  exec.call(this, sql)
  step()
}

const say = (fact: object): void => {
  fs.writevSync(1, [Buffer.from(`${JSON.stringify(fact)}\n`)])
}

/** Changes that a command might make. */
const change = (): void => {
  fs.writeFileSync(join(root, "a.txt"), "overwritten")
  fs.rmSync(join(root, "dir"), { recursive: true })
  fs.writeFileSync(join(root, "dir"), "now a file")
  fs.unlinkSync(join(root, "link"))
  fs.mkdirSync(join(root, "made"))
  fs.writeFileSync(join(root, "made/new.txt"), "new")
  fs.chmodSync(join(root, "run.sh"), 0o644)
}

const { WorkspaceSnapshots } = await import("../../src/index.ts")
await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const snapshots = yield* WorkspaceSnapshots.make({ root, directory })
      if (what === "call") {
        const before = yield* snapshots.before
        say({ before })
        change()
        say({ after: yield* snapshots.after })
      } else if (what === "undo") {
        yield* snapshots.undo({ session: "s", calls: JSON.parse(calls), turn: null, isForced: false })
      } else yield* snapshots.redo({ session: "s", isForced: false })
    })
  )
)
say({ steps })
