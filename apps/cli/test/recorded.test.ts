/**
 * Reads, verifies and exports a store of an older version, whose results do not contain the text for the model.
 */
import { assert, it } from "@effect/vitest"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"

const fixture = (path: string): Buffer => readFileSync(join(import.meta.dirname, path))

it("an older store exports the same as the program that wrote it", () =>
  withTestFolder(async (place) => {
    mkdirSync(place.data, { recursive: true, mode: 0o700 })
    writeFileSync(join(place.data, "bough.db"), gunzipSync(fixture("fixtures/before-texts.db.gz")), { mode: 0o600 })
    const then = "../../../packages/receipts/test/fixtures/before-texts"
    const { sessionId } = JSON.parse(fixture(`${then}/RECEIPT.json`).toString("utf8")) as { readonly sessionId: string }
    const verified = await bough(place, ["verify", sessionId])
    assert.deepStrictEqual([verified.code, verified.stderr], [0, ""], verified.stdout)
    const exported = await bough(place, ["sessions", "export", sessionId, "--to", "out"])
    assert.strictEqual(exported.code, 0, exported.stderr)
    const today = (name: string): string => readFileSync(join(place.workspace, "out", name), "utf8")
    for (const name of ["JOURNAL.jsonl", "REPLAY.jsonl"]) {
      assert.strictEqual(today(name), fixture(`${then}/${name}`).toString("utf8"), name)
    }
    // A receipt of today has three more blocks.
    const { latency, sideEffects, v, verification, ...rest } = JSON.parse(today("RECEIPT.json"))
    const before = JSON.parse(fixture(`${then}/RECEIPT.json`).toString("utf8"))
    assert.deepStrictEqual({ ...rest, v: 1 }, before)
    assert.deepStrictEqual(
      [v, latency.calls, sideEffects.filesDeleted, verification],
      [2, 2, 1, { entries: 9, mismatchCount: 0, mismatches: [], receipts: 2, success: true }]
    )
    const run = await bough(place, ["log", sessionId])
    assert.strictEqual(run.code, 0, run.stderr)
    assert.include(run.stdout, "delete_path")
  }))
