/** The program's care of its database: removed data, its clock, the extent of its checks. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { thoroughOnly } from "../../../test/thorough.ts"
import * as HistoryFile from "../src/ui/tui/HistoryFile.ts"
import { lines, type TestFolder, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"

const canary = "zebrawood7f3a"
const day = 86_400_000

const holding = ({ data }: TestFolder): ReadonlyArray<string> =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
    .filter((path) => readFileSync(path).toString("latin1").toLowerCase().includes(canary))

const edit = ({ data }: TestFolder, sql: string): void => {
  const database = new DatabaseSync(join(data, "bough.db"))
  database.exec(sql)
  database.close()
}

const checkOf = async (place: TestFolder, name: string, ...flags: ReadonlyArray<string>) => {
  const { stdout } = await bough(place, ["doctor", "--format", "json", ...flags])
  const checks = JSON.parse(stdout) as ReadonlyArray<{
    readonly name: string
    readonly ok: boolean
    readonly detail: string
  }>
  return checks.find((check) => check.name === name)
}

describe("the database of the program", () => {
  it("and every file beside it hold nothing of removed sessions and notes", thoroughOnly, () =>
    withTestFolder(async (place) => {
      await bough(place, ["run", "--model", "offline/planner", "what time is it"])
      await bough(place, ["memory", "save", `the ${canary} is in the garden`])
      await bough(place, ["memory", "search", "garden"])
      const { stdout } = await bough(place, [
        "run",
        "--model",
        "offline/planner",
        "--format",
        "json",
        `what time is it, ${canary}?`
      ])
      const [, sessionId] = /"sessionId":\s*"([^"]+)"/u.exec(stdout) ?? []
      const [, workspaceRoot] =
        /"workspaceRoot":\s*"([^"]+)"/u.exec((await bough(place, ["sessions", "--format", "json"])).stdout) ?? []
      const history = HistoryFile.make({ dataDirectory: place.data, workspaceRoot: workspaceRoot ?? "" })
      await Effect.runPromise(history.append(`what time is it, ${canary}?`))
      assert.isNotEmpty(holding(place))
      const listed = JSON.parse((await bough(place, ["memory", "list", "--format", "json"])).stdout) as ReadonlyArray<{
        readonly noteId: string
      }>
      assert.strictEqual((await bough(place, ["sessions", "rm", sessionId ?? ""])).code, 0)
      for (const { noteId } of listed) assert.strictEqual((await bough(place, ["memory", "rm", noteId])).code, 0)
      assert.deepStrictEqual(holding(place), [])
    })
  )

  it("keeps approvals when the clock leaps, and warns until a user confirms the time", () =>
    withTestFolder(async (place) => {
      await bough(place, ["run", "--model", "offline/planner", "what time is it"])
      edit(
        place,
        `UPDATE clock SET counter = 'earlier', store_millis = store_millis - ${21 * day}, wall_millis = wall_millis - ${21 * day};
         INSERT INTO approvals SELECT 'a', tree_id, '{}', unixepoch() * 1000 - ${14 * day}, 1 FROM trees`
      )
      const { stderr } = await bough(place, ["run", "--model", "offline/planner", "what time is it"])
      assert.match(stderr, /21 days ahead .* "bough doctor --accept-clock" confirms the time/u)
      const held = await checkOf(place, "clock")
      assert.isFalse(held?.ok)
      assert.match(held.detail, /21 days ahead of the sessions' clock; pending approvals do not expire/u)
      const accepted = await bough(place, ["doctor", "--accept-clock"])
      assert.match(accepted.stderr, /the sessions' clock is set to/u)
      assert.isTrue(lines(accepted.stdout).some((line) => /^ok +clock: /u.test(line)))
    }))

  it(
    "is reported damaged if it is gone and its log exists; for a large one doctor names the skipped checks",
    thoroughOnly,
    () =>
      withTestFolder(async (place) => {
        await bough(place, ["run", "--model", "offline/planner", "what time is it"])
        edit(place, "INSERT INTO blobs VALUES ('x', zeroblob(40000000), 0)")
        assert.match((await checkOf(place, "database"))?.detail ?? "", /no damage found.*MiB.*doctor --full/u)
        assert.strictEqual((await checkOf(place, "database", "--full"))?.detail, "ok")
        const database = new DatabaseSync(join(place.data, "bough.db"))
        database.exec("PRAGMA journal_mode = WAL; UPDATE sessions SET title = 'x'")
        rmSync(join(place.data, "bough.db"))
        const found = await checkOf(place, "database")
        database.close()
        assert.isFalse(found?.ok)
        assert.include(found.detail, "is missing, but its write-ahead log exists")
      })
  )
})
