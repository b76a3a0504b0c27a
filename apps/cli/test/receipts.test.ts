/** `sessions export --to`, `verify`, `replay`, `stats`, `log`: the calls of a journal, checked against its digests. */
import { Replay, Summary } from "@bough/receipts"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { thoroughOnly } from "../../../test/thorough.ts"
import { configure, lines, type TestFolder, put, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { withModel } from "./program/ModelServer.ts"

const strict = { onExcessProperty: "error" } as const
const summaryOf = Schema.decodeUnknownSync(Schema.fromJsonString(Summary.Summary), strict)
const lineOf = Schema.decodeUnknownSync(Schema.fromJsonString(Replay.Line), strict)

const newest = async (place: TestFolder): Promise<string> =>
  lines((await bough(place, ["sessions", "list"])).stdout)[0].split(" ")[0]

/** A session that read a file, and got a manual call with a rule that lets it delete. */
const worked = async (place: TestFolder): Promise<string> => {
  put(place, "a.txt", "one\ntwo\n")
  put(place, "old.txt", "precious\n")
  await bough(place, ["run", "--model", "offline/planner", "read a.txt"])
  const id = await newest(place)
  const args = ["call", "delete_path", '{"path":"old.txt"}', "--allow", "delete_path path=old.txt", "--session", id]
  assert.strictEqual((await bough(place, args)).code, 0)
  return id
}

const inDatabase = (place: TestFolder, sql: string): void => {
  const database = new DatabaseSync(join(place.data, "bough.db"))
  database.exec(sql)
  database.close()
}

describe("bough receipts", () => {
  it("exports files that verify without the database, and names the line that was changed", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const git = (...args: ReadonlyArray<string>) => spawnSync("git", args, { cwd: place.workspace, encoding: "utf8" })
      git("init", "-q")
      git("-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-q", "--allow-empty", "-m", "x")
      const head = git("rev-parse", "HEAD").stdout.trim()
      const id = await worked(place)
      const exported = await bough(place, ["sessions", "export", id.slice(0, -3), "--to", "out"])
      assert.deepStrictEqual([exported.code, exported.stdout], [0, ""], exported.stderr)
      const out = join(place.workspace, "out")
      assert.deepStrictEqual(readdirSync(out).toSorted(), ["JOURNAL.jsonl", "RECEIPT.json", "REPLAY.jsonl", "outputs"])
      assert.strictEqual(statSync(join(out, "JOURNAL.jsonl")).mode & 0o777, 0o600)

      const replay = lines(readFileSync(join(out, "REPLAY.jsonl"), "utf8")).map((line) => lineOf(line))
      assert.deepStrictEqual(
        replay.map(({ arguments: text, authority, commit, model, tool }) => [
          tool,
          text,
          authority._tag,
          model,
          commit
        ]),
        [
          ["read_file", '{"fromLine":1,"maxLines":2000,"path":"a.txt"}', "Automatic", "offline/planner", head],
          ["delete_path", '{"path":"old.txt"}', "Rule", null, head]
        ]
      )
      const summary = summaryOf(readFileSync(join(out, "RECEIPT.json"), "utf8"))
      assert.deepStrictEqual([summary.sessionId, summary.counts.receipts, summary.sessions.length], [id, 2, 1])
      assert.deepStrictEqual(summary.artifacts[0].artifact, { _tag: "FileDeleted", path: "old.txt" })

      const again = await bough(place, ["sessions", "export", id, "--to", "out"])
      assert.deepStrictEqual([again.code, again.stderr.includes("already contains an export")], [2, true])
      const elsewhere = { env: { BOUGH_HOME: join(place.root, "empty") } }
      const verified = await bough(place, ["verify", "out"], elsewhere)
      assert.deepStrictEqual([verified.code, verified.stdout.includes("all verified")], [0, true], verified.stderr)

      const tampered = join(place.workspace, "tampered")
      const tamper = async (file: string, change: (text: string) => string) => {
        cpSync(out, tampered, { recursive: true })
        writeFileSync(join(tampered, file), change(readFileSync(join(tampered, file), "utf8")))
        const { code, stdout } = await bough(place, ["verify", "tampered"], elsewhere)
        assert.strictEqual(code, 1)
        return stdout
      }
      const named = await tamper("REPLAY.jsonl", (text) => text.replace("old.txt", "new.txt"))
      assert.match(named, /^REPLAY\.jsonl line 2: .*\n {2}expected {2}.*old\.txt.*\n {2}found {5}.*new\.txt/)
      assert.match(
        await tamper("JOURNAL.jsonl", (text) => text.replace("read a.txt", "read b.txt")),
        /^JOURNAL\.jsonl line 3: /
      )
      assert.match(
        await tamper("JOURNAL.jsonl", (text) => text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1)),
        /^JOURNAL\.jsonl: the number of lines/
      )
      assert.match(
        await tamper("RECEIPT.json", (text) => text.replace('"receipts": 2', '"receipts": 1')),
        /^RECEIPT\.json: /
      )
      const json = await bough(place, ["verify", "tampered", "--format", "json"], elsewhere)
      assert.deepStrictEqual([json.code, JSON.parse(json.stdout).mismatch.where], [1, "RECEIPT.json"])

      mkdirSync(join(place.workspace, "nothing"))
      const none = await bough(place, ["verify", "nothing"])
      assert.deepStrictEqual([none.code, /cannot read an export in nothing/.test(none.stderr)], [1, true])
      assert.strictEqual((await bough(place, ["verify", "ses_none"])).code, 2)
    })
  )

  it("exports a session with its descendants, which have their own calls", () =>
    withTestFolder((place) =>
      withModel(
        [
          { text: "", calls: [{ name: "spawn_worker", arguments: { task: "look around" } }] },
          // In either order: parent and worker get the same answer.
          { text: "", calls: [{ name: "list_files", arguments: {} }] },
          { text: "", calls: [{ name: "list_files", arguments: {} }] },
          ...Array.from({ length: 4 }, () => ({ text: "done" }))
        ],
        async ({ env }) => {
          put(place, "a.txt", "one\n")
          const ran = await bough(place, ["run", "go"], { env })
          assert.strictEqual(ran.code, 0, ran.stderr)
          const id = await newest(place)
          await bough(place, ["sessions", "export", id, "--to", "tree"])
          const verified = await bough(place, ["verify", "tree"])
          assert.match(verified.stdout, /^tree: 2 sessions, \d+ entries, 3 receipts: all verified/)
          assert.strictEqual((await bough(place, ["verify", id])).stdout.slice(id.length), verified.stdout.slice(4))
          const replay = lines(readFileSync(join(place.workspace, "tree/REPLAY.jsonl"), "utf8")).map((line) =>
            lineOf(line)
          )
          assert.deepStrictEqual(replay.map(({ tool }) => tool).toSorted(), [
            "list_files",
            "list_files",
            "spawn_worker"
          ])
          const summary = summaryOf(readFileSync(join(place.workspace, "tree/RECEIPT.json"), "utf8"))
          const [main, worker] = summary.sessions
          assert.deepStrictEqual([main.kind, worker.kind, main.sessionId], ["Main", "Worker", id])
          for (const { id: entryId, sessionPath } of replay) {
            const ofMain = entryId.startsWith(`${id}/`)
            assert.strictEqual(sessionPath.join("/"), ofMain ? id : `${id}/${worker.sessionId}`)
          }
          const own = replay.filter(({ sessionPath }) => sessionPath.length === 2).length
          await bough(place, ["sessions", "export", worker.sessionId, "--to", "worker"])
          const below = await bough(place, ["verify", "worker"])
          assert.match(below.stdout, new RegExp(`^worker: 1 session, \\d+ entries, ${own} receipts?: all verified`))
          const again = await bough(place, ["replay", id])
          // The listed directory holds the exports by now.
          assert.match(again.stdout, /^different .* list_files$/m)
          assert.match(again.stdout, /spawn_worker: its tool is not safe to repeat /)
        }
      )
    ))

  it("finds changes in the database, and verifies forks", () =>
    withTestFolder(async (place) => {
      const id = await worked(place)
      for (let index = 0; index < 300; index++) put(place, `${"long-name-".repeat(8)}${index}.md`, "")
      await bough(place, ["call", "find_files", '{"glob":"*.md","limit":2000}', "--session", id])
      const fork = (await bough(place, ["sessions", "fork", id])).stdout.trim()
      for (const session of [id, fork]) {
        const { code, stdout } = await bough(place, ["verify", session])
        assert.deepStrictEqual([code, /all verified/.test(stdout)], [0, true], stdout)
      }
      await bough(place, ["sessions", "export", fork, "--to", "fork"])
      assert.strictEqual((await bough(place, ["verify", "fork"])).code, 0)

      await bough(place, ["sessions", "export", id, "--to", "whole"])
      const outputs = join(place.workspace, "whole/outputs")
      // The typed output and the text for the model.
      const [output, ...others] = readdirSync(outputs)
      assert.lengthOf(others, 1)
      for (const file of [output, ...others]) assert.include(readFileSync(join(outputs, file), "utf8"), "name-7")
      assert.strictEqual((await bough(place, ["verify", "whole"])).code, 0)
      writeFileSync(join(outputs, output), "something else")
      const changed = await bough(place, ["verify", "whole"])
      assert.match(
        changed.stdout,
        new RegExp(`^JOURNAL\\.jsonl line \\d+: the whole output\\n  expected +sha256:${output}\\n`)
      )
      assert.strictEqual(changed.code, 1)
      rmSync(outputs, { recursive: true })
      const without = await bough(place, ["verify", "whole"])
      assert.deepStrictEqual(
        [without.code, without.stderr.includes("the export contains only their digests: 2 outputs")],
        [0, true]
      )

      const blobs = "UPDATE blobs SET bytes = CAST(replace(CAST(bytes AS TEXT), 'name-7', 'name-8') AS BLOB)"
      inDatabase(place, blobs)
      const blob = await bough(place, ["verify", id])
      assert.deepStrictEqual([blob.code, blob.stdout.startsWith(`${id}/`)], [1, true], blob.stdout + blob.stderr)
      inDatabase(place, "UPDATE entries SET body = replace(body, 'read a.txt', 'read b.txt')")
      const entry = await bough(place, ["verify", id])
      assert.match(
        entry.stdout,
        new RegExp(`^${id}/2: the stored entry\\n.*\\n  found +entry 2 does not fit its digest: it gives`)
      )
      assert.strictEqual(entry.code, 1)
    }))

  it("repeats Safe calls and no others, records none of them, and names the results that differ", () =>
    withTestFolder(async (place) => {
      const id = await worked(place)
      const before = (await bough(place, ["sessions", "export", id])).stdout
      const same = await bough(place, ["replay", id])
      assert.deepStrictEqual([same.code, lines(same.stdout).length], [0, 2], same.stdout + same.stderr)
      assert.match(
        same.stdout,
        /^same +ses_\S+ +read_file\nnot replayed +ses_\S+ +delete_path: its tool is not safe to repeat \(\w+\)\n$/
      )
      put(place, "a.txt", "one\nTWO \u001B[2J\n")
      const different = await bough(place, ["replay", id])
      assert.strictEqual(different.code, 1)
      assert.match(different.stdout, /^different +ses_\S+ +read_file\n(?: {2}.*\n)* {2}text: was .*two.*, is .*TWO/)
      assert.notInclude(different.stdout, "\u001B")
      configure(place, '{ "rules": { "deny": ["read_file path=a.txt"] } }')
      const denied = await bough(place, ["replay", id, "--format", "json"])
      assert.deepStrictEqual(
        [denied.code, ...lines(denied.stdout).map((line) => JSON.parse(line).result)],
        [0, "not replayed", "not replayed"]
      )
      assert.strictEqual((await bough(place, ["sessions", "export", id])).stdout, before)
    }))

  it("counts calls by tool and model, and logs each with the decider", thoroughOnly, () =>
    withTestFolder((place) =>
      withModel(
        [
          { text: "", calls: [{ name: "read_file", arguments: { pth: "a.txt" } }] },
          { text: "", calls: [{ name: "read_file", arguments: { path: "a.txt" } }] },
          { text: "", calls: [{ name: "delete_path", arguments: { path: "a.txt" } }] },
          { text: "done" }
        ],
        async ({ env }) => {
          put(place, "a.txt", "one\n")
          await bough(place, ["run", "--approve", "deny", "go"], { env })
          await bough(place, ["call", "read_file", '{"path":"a.txt"}'])
          const stats = JSON.parse((await bough(place, ["stats", "--format", "json"])).stdout)
          assert.deepStrictEqual(
            stats.map((row: Record<string, unknown>) => [
              row["tool"],
              row["model"],
              row["calls"],
              row["succeeded"],
              row["rejected"],
              `${String(row["fitted"])}/${String(row["firstTries"])}`
            ]),
            [
              ["delete_path", env["BOUGH_MODEL"], 1, 0, 1, "0/0"],
              ["read_file", null, 1, 1, 0, "1/1"],
              ["read_file", env["BOUGH_MODEL"], 2, 1, 0, "0/1"]
            ]
          )
          const [heading, ...rows] = lines((await bough(place, ["stats"])).stdout)
          assert.match(heading, /^tool +model +calls/)
          assert.lengthOf(rows, 3)
          const byPack = JSON.parse((await bough(place, ["tools", "stats", "--format", "json"])).stdout)
          assert.deepStrictEqual(byPack.tools, stats)
          assert.deepStrictEqual(
            byPack.categories.map((row: Record<string, unknown>) => [row["category"], row["tools"], row["calls"]]),
            [["files", ["delete_path", "read_file"], 4]]
          )
          const [packs] = lines((await bough(place, ["tools", "stats"])).stdout)
          assert.match(packs, /^category +tools +calls/)
          const versions = await bough(place, ["tools", "stats", "--experiment"])
          assert.strictEqual(versions.stderr, "no tool was called in several versions\n")
          const log = lines((await bough(place, ["log"])).stdout)
          assert.lengthOf(log, 4)
          assert.match(log[0], /^- +read_file {2}ValidationError {2}- {2}- {2}ses_\S+$/)
          assert.match(
            log[1],
            /^\d{4}-\d\d-\d\d \S+ {2}read_file {2}Succeeded {2}\d+ ms {2}ReadOnly {2}automatic {2}ses_\S+$/
          )
          assert.match(log[2], /delete_path {2}Rejected {2}.* {2}denied by policy {2}ses_\S+$/)
          const [call] = lines((await bough(place, ["log", await newest(place), "--format", "json"])).stdout)
          assert.deepInclude(JSON.parse(call), { tool: "read_file", allowedBy: "automatic", model: null })
          assert.match((await bough(place, ["log", "--cwd", place.home])).stdout, /^$/)
          assert.lengthOf(lines((await bough(place, ["log", "--all", "--cwd", place.home])).stdout), 4)
        }
      )
    )
  )
})
