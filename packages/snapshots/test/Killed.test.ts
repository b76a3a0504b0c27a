/**
 * A process that is killed at any of its steps, while a call is recorded and made or while one is undone, loses
 * nothing.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import { join } from "node:path"
import { bundle } from "../../../test/bundle.ts"
import { someOf, thorough, thoroughOnly } from "../../../test/thorough.ts"
import { WorkspaceSnapshots } from "../src/index.ts"
import { fingerprint, put, type Recorded, temporaryDirectory } from "./Scratch.ts"

let folder = ""
let program = ""

beforeAll(async () => {
  folder = fs.realpathSync(fs.mkdtempSync(join(temporaryDirectory, "bough-killed-")))
  program = await bundle(new URL("programs/killed.ts", import.meta.url), folder)
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

interface Place {
  readonly root: string
  readonly store: string
}

interface ProgramReport {
  readonly before: string | null
  readonly after: string | null
  readonly steps: number | null
  readonly signal: string | null
}

const play = (
  what: "call" | "undo" | "redo",
  { root, store }: Place,
  at: number,
  calls: ReadonlyArray<Recorded> = []
) =>
  new Promise<ProgramReport>((resolve) => {
    const child = spawn(process.execPath, [program, what, root, store, String(at), JSON.stringify(calls)], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    let text = ""
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()))
    child.on("close", (_, signal) => {
      const observed = Object.assign(
        {},
        ...text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
      ) as Partial<ProgramReport>
      resolve({ before: observed.before ?? null, after: observed.after ?? null, steps: observed.steps ?? null, signal })
    })
  })

let places = 0
const place = (): Place => {
  const base = join(folder, `place-${++places}`)
  const root = join(base, "root")
  put(root, { "a.txt": "precious", "dir/b.txt": "b", "dir/empty/": "", "run.sh": "#!/bin/sh\n" })
  fs.chmodSync(join(root, "run.sh"), 0o755)
  fs.symlinkSync("a.txt", join(root, "link"))
  return { root, store: join(base, "snapshots") }
}

const withSnapshots = <A, E>(
  { root, store }: Place,
  use: (snapshots: WorkspaceSnapshots.WorkspaceSnapshots) => Effect.Effect<A, E>
): Promise<A> =>
  Effect.runPromise(Effect.scoped(Effect.flatMap(WorkspaceSnapshots.make({ root, directory: store }), use)))

/** Checks the steps, four at a time. */
const everyStep = async (steps: number, check: (at: number) => Promise<void>): Promise<void> => {
  const all = Array.from({ length: steps }, (_, index) => index + 1)
  const points = [...someOf(all, 3)]
  while (points.length > 0) await Promise.all(points.splice(0, 4).map(check))
}

describe("A process killed at every step", () => {
  it("of a call loses no earlier file", thorough, async () => {
    const whole = await play("call", place(), 0)
    assert.isAbove(whole.steps ?? 0, 20)
    await everyStep(whole.steps ?? 0, async (at) => {
      const here = place()
      const original = fingerprint(here.root)
      const result = await play("call", here, at)
      assert.strictEqual(result.signal, "SIGKILL", `step ${at}`)
      // A call starts only once it is recorded.
      if (result.before === null) return assert.deepStrictEqual(fingerprint(here.root), original, `step ${at}`)
      const calls = [{ turn: 1, commit: 1, before: result.before, after: result.after }]
      const changed = fingerprint(here.root)
      const undone = await withSnapshots(here, (snapshots) =>
        Effect.result(snapshots.undo({ session: "s", calls, turn: null, isForced: false }))
      )
      // It was killed before it changed anything.
      if (undone._tag === "Failure") assert.deepStrictEqual(changed, original, `step ${at}: ${undone.failure.message}`)
      assert.deepStrictEqual(fingerprint(here.root), original, `step ${at}`)
    })
  })

  const recorded = async () => {
    const here = place()
    const original = fingerprint(here.root)
    const { after, before } = await play("call", here, 0)
    return {
      here,
      original,
      changed: fingerprint(here.root),
      calls: [{ turn: 1, commit: 1, before: before ?? "", after }]
    }
  }

  it("of an undo is finished by the next one, and redo returns", thorough, async () => {
    const first = await recorded()
    const whole = await play("undo", first.here, 0, first.calls)
    assert.deepStrictEqual(fingerprint(first.here.root), first.original)
    assert.isAbove(whole.steps ?? 0, 20)
    await everyStep(whole.steps ?? 0, async (at) => {
      const { calls, changed, here, original } = await recorded()
      assert.strictEqual((await play("undo", here, at, calls)).signal, "SIGKILL", `step ${at}`)
      const again = await withSnapshots(here, (snapshots) =>
        Effect.result(snapshots.undo({ session: "s", calls, turn: null, isForced: false }))
      )
      // Only a completed undo is not repeated.
      if (again._tag === "Failure") assert.strictEqual(again.failure._tag, "NothingToRestore", `step ${at}`)
      assert.deepStrictEqual(fingerprint(here.root), original, `step ${at}, undone`)
      await withSnapshots(here, (snapshots) => snapshots.redo({ session: "s", isForced: false }))
      assert.deepStrictEqual(fingerprint(here.root), changed, `step ${at}, redone`)
    })
  })

  const undo = (here: Place, calls: ReadonlyArray<Recorded>) =>
    withSnapshots(here, (snapshots) =>
      Effect.result(snapshots.undo({ session: "s", calls, turn: null, isForced: false }))
    )
  const redo = (here: Place) =>
    withSnapshots(here, (snapshots) => Effect.result(snapshots.redo({ session: "s", isForced: false })))

  it("of an undo is reverted by a redo", thoroughOnly, async () => {
    const first = await recorded()
    const { steps } = await play("undo", first.here, 0, first.calls)
    assert.isAbove(steps ?? 0, 20)
    await everyStep(steps ?? 0, async (at) => {
      const { calls, changed, here } = await recorded()
      assert.strictEqual((await play("undo", here, at, calls)).signal, "SIGKILL", `step ${at}`)
      const result = await redo(here)
      // It was killed before it changed anything.
      if (result._tag === "Failure") assert.strictEqual(result.failure._tag, "NothingToRestore", `step ${at}`)
      assert.deepStrictEqual(fingerprint(here.root), changed, `step ${at}, redone`)
    })
  })

  it("of a redo is reverted by an undo, and finished by the next redo", thorough, async () => {
    const first = await recorded()
    await play("undo", first.here, 0, first.calls)
    const { steps } = await play("redo", first.here, 0)
    assert.deepStrictEqual(fingerprint(first.here.root), first.changed)
    assert.isAbove(steps ?? 0, 20)
    // Also among the few steps of a short run, one is in the middle of the work and followed by an undo.
    let count = 0
    await everyStep(steps ?? 0, async (at) => {
      count += 1
      const isUndone = count % 2 === 0
      const { calls, changed, here, original } = await recorded()
      await play("undo", here, 0, calls)
      assert.strictEqual((await play("redo", here, at)).signal, "SIGKILL", `step ${at}`)
      if (isUndone) {
        const result = await undo(here, calls)
        if (result._tag === "Failure") assert.strictEqual(result.failure._tag, "NothingToRestore", `step ${at}`)
        assert.deepStrictEqual(fingerprint(here.root), original, `step ${at}, undone`)
      }
      const result = await redo(here)
      if (result._tag === "Failure") assert.strictEqual(result.failure._tag, "NothingToRestore", `step ${at}`)
      assert.deepStrictEqual(fingerprint(here.root), changed, `step ${at}, redone`)
    })
  })
})
