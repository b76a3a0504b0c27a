/**
 * A real process that writes files and runs commands is killed with SIGKILL at every write to its journal, before and
 * after it is durable: its changes are undone by the journal, and no earlier file is lost.
 */
import { SessionStore, WorkspaceChanges } from "@bough/runtime"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundled } from "../../../../test/bundle.ts"
import { thoroughOnly } from "../../../../test/thorough.ts"
import { effectsFile, type TestFolder, snapshotsOf, withStore } from "./composition.ts"

let victim = ""

beforeAll(async () => {
  victim = await bundled(new URL("victim.ts", import.meta.url))
})

/** The number of writes; null if the process was killed. */
const runVictim = (place: TestFolder, at: number, when: "before" | "after"): Promise<number | null> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [victim, JSON.stringify({ ...place, at, when })], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    let text = ""
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString()
    })
    child.on("close", (_, signal) => {
      const writes = /\{"writes":(\d+)\}/.exec(text)?.[1]
      resolve(signal === "SIGKILL" || writes === undefined ? null : Number(writes))
    })
  })

const contents = ({ workspace }: TestFolder): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(workspace).map((name) => [name, readFileSync(join(workspace, name), "utf8")]))

/** The agent writes one of these files and appends to another. */
const before = { "in.txt": "hello\n", "out.txt": "precious\n", [effectsFile]: "earlier\n" }

const withTestFolder = async <A>(use: (place: TestFolder) => Promise<A>): Promise<A> => {
  const root = mkdtempSync(join(tmpdir(), "bough-crash-"))
  const place: TestFolder = {
    home: join(root, "home"),
    workspace: join(root, "workspace"),
    backend: "host",
    isRecorded: true
  }
  mkdirSync(place.workspace)
  for (const [name, text] of Object.entries(before)) writeFileSync(join(place.workspace, name), text)
  try {
    return await use(place)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const undone = (place: TestFolder) => {
  const work = Effect.gen(function* () {
    const store = yield* SessionStore.SessionStore
    const [session] = yield* store.list({ workspaceRoot: null, limit: 1 })
    if (session === undefined) return
    const calls = yield* WorkspaceChanges.read(store, session.treeId)
    const snapshots = yield* snapshotsOf(place)
    const result = yield* Effect.result(snapshots.undo({ session: session.treeId, calls, turn: 1, isForced: false }))
    if (result._tag === "Failure") assert.strictEqual(result.failure._tag, "NothingToRestore")
  })
  return Effect.runPromise(withStore(place, (store) => store, Effect.scoped(work)))
}

describe("A process that records its workspace, killed at every write", () => {
  it("leaves no change that cannot be undone", thoroughOnly, async () => {
    const writes = await withTestFolder(async (place) => {
      const whole = await runVictim(place, 0, "before")
      assert.notDeepEqual(contents(place), before)
      await undone(place)
      assert.deepStrictEqual(contents(place), before)
      return whole ?? assert.fail("a run that nobody kills does not end")
    })
    const all = Array.from({ length: writes }, (_, at) => at + 1).flatMap((at) =>
      (["before", "after"] as const).map((when) => ({ at, when }))
    )
    assert.isAbove(all.length, 30)
    const points = [...all]
    while (points.length > 0) {
      await Promise.all(
        points.splice(0, 3).map(({ at, when }) =>
          withTestFolder(async (place) => {
            assert.isNull(await runVictim(place, at, when))
            await undone(place)
            assert.deepStrictEqual(contents(place), before, `${when} write ${at}`)
          })
        )
      )
    }
  })
})
