/**
 * A Main that is decided by its channel is killed at every write, with real processes. The inbox and trees are in
 * test/slow.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { thoroughOnly } from "../../../../../test/thorough.ts"
import * as Points from "./points.ts"
import * as Processes from "./processes.ts"
import * as Table from "./table.ts"

const document = readFileSync(new URL("../../../../../docs/crash-points.md", import.meta.url), "utf8")

describe("Crash points of a tree", () => {
  let folder = ""
  let program = ""

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "bough-crash-points-"))
    program = await Processes.bundle(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each([{ depth: 0, decider: "channel" }] as const)(
    "at depth $depth, decided by $decider, have the results that the document states",
    thoroughOnly,
    async (chosen) => {
      const points = await Points.look(program, chosen)
      assert.isAtLeast(points.length, 20)
      assert.deepStrictEqual(
        points.flatMap((point) => {
          const wrong = Table.wrong(points, point)
          return wrong === null ? [] : [`${point.when} write ${point.write} (${point.holds}): ${wrong}`]
        }),
        []
      )
      assert.include(document, Table.section(chosen, points))
    }
  )
})
