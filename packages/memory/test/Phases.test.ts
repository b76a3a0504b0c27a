/** SIGKILL aimed at each operation on the index, until it has hit: no acknowledged note is lost, and it opens. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import * as Child from "./child.ts"
import { assertWhole } from "./whole.ts"
import { open, temporaryDirectory } from "./World.ts"

const maxAttempts = 100

/** Lets the program work once, and kills it at a moment of the second time. Returns its output until then. */
const killedIn = Effect.fnUntraced(function* (directory: string, run: number, phase: string) {
  const child = yield* Child.start("inPhase", [directory, String(run), phase])
  const lines: Array<string> = []
  let begun = 0
  let millis = 0
  for (let times = 0; times < 2;) {
    const line = yield* child.line
    assert.isNotNull(line, child.complaints())
    if (line === null) break
    lines.push(line)
    if (line.startsWith("in|")) {
      begun = performance.now()
      times += 1
    }
    if (line.startsWith("out|")) millis = performance.now() - begun
  }
  yield* Effect.sleep(Math.random() * millis)
  yield* child.kill
  // Output that was not read before the kill counts as well.
  return [...lines, ...(yield* Child.lines(child))]
}, Effect.scoped)

/** A memory with an index, which each test copies. */
let filled = ""

beforeAll(() => {
  filled = mkdtempSync(join(tmpdir(), "bough-memory-"))
  const fill = Effect.gen(function* () {
    const { memory, save } = yield* open(filled)
    for (let n = 0; n < 200; n++) yield* save(`entry ${n} first of the log book`)
    yield* memory.index.settle(false)
  })
  return Effect.runPromise(Effect.scoped(fill))
})
afterAll(() => rmSync(filled, { recursive: true, force: true }))

describe("SIGKILL", () => {
  it.live.each(["save", "update", "compaction", "delete", "reindex"])(
    "in the midst of %s loses no acknowledged note, and the memory opens",
    (phase) =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        cpSync(filled, directory, { recursive: true })
        const lines: Array<string> = []
        let isHit = false
        for (let run = 0; run < maxAttempts && !isHit; run++) {
          const output = yield* killedIn(directory, run, phase)
          lines.push(...output)
          isHit = (output.findLast((line) => /^(in|out)\|/u.test(line)) ?? "").startsWith("in|")
          assert.isAtLeast(yield* assertWhole(directory, lines), 200)
        }
        assert.isTrue(isHit, "it was never hit")
      }),
    thoroughOnly
  )
})
