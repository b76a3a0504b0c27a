/** `sessions`: list, show, fork, export and remove sessions of earlier runs. */
import { Canonical, Entry } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { binary, lines, type TestFolder, put, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { say, withModel } from "./program/ModelServer.ts"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Entry.Entry), { onExcessProperty: "error" })

const run = (place: TestFolder, prompt: string) => bough(place, ["run", "--model", "offline/planner", prompt])

const ids = async (place: TestFolder, ...args: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  lines((await bough(place, ["sessions", "list", ...args])).stdout).map((line) => line.split(" ")[0])

const entriesOf = async (place: TestFolder, id: string): Promise<ReadonlyArray<Entry.Entry>> =>
  lines((await bough(place, ["sessions", "export", id])).stdout).map((line) => decode(line))

describe("bough sessions", () => {
  it("lists those of the workspace, the newest first, and all with --all", () =>
    withTestFolder(async (place) => {
      put(place, "a.txt", "one\n")
      put(place, "sub/b.txt", "two\n")
      assert.match((await bough(place, ["sessions"])).stderr, /no sessions in this workspace yet/)
      await run(place, "read a.txt")
      await run(place, "list files")
      await bough(place, ["run", "--model", "offline/planner", "--cwd", "sub", "read b.txt"])
      const rows = lines((await bough(place, ["sessions"])).stdout)
      assert.lengthOf(rows, 2)
      assert.match(rows[0], /^ses_\S+ +\d{4}-\d\d-\d\d \d\d:\d\d +idle .* entries +list files$/)
      assert.include(rows[1], "read a.txt")
      assert.lengthOf(await ids(place, "--all"), 3)
      assert.lengthOf(await ids(place, "--cwd", "sub"), 1)
      const json = JSON.parse((await bough(place, ["sessions", "list", "--format", "json"])).stdout)
      assert.deepStrictEqual(
        json.map(({ workspaceRoot }: { readonly workspaceRoot: string }) => workspaceRoot),
        [place.workspace, place.workspace]
      )
    }))

  it("finds conversations by their words, each once, here or in all workspaces", () =>
    withTestFolder((place) =>
      withModel([say("It eats squid."), say("Squid again."), say("A whale eats squid too.")], async ({ env }) => {
        const search = async (...args: ReadonlyArray<string>) => bough(place, ["sessions", "search", ...args], { env })
        assert.match((await search("squid")).stderr, /no conversation matches; --all searches/)
        await bough(place, ["run", "what does an albatross eat?"], { env })
        await bough(place, ["run", "--continue", "and what else?"], { env })
        put(place, "sub/a.txt", "one\n")
        await bough(place, ["run", "--cwd", "sub", "and a whale?"], { env })
        const [id] = await ids(place)
        const here = lines((await search("squid")).stdout)
        assert.lengthOf(here, 1)
        assert.match(
          here[0],
          new RegExp(`^${id} {2}\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d {2}what does an albatross eat\\? {2}agent: `)
        )
        assert.match((await search("Albatross")).stdout, /you: what does an albatross eat\?\n$/)
        assert.lengthOf(lines((await search("squid", "--all")).stdout), 2)
        assert.lengthOf(lines((await search("squid", "--all", "--limit", "1")).stdout), 1)
        const [first] = JSON.parse((await search("albatross", "--format", "json")).stdout)
        assert.deepInclude(first, { sessionId: id, speaker: "user", text: "what does an albatross eat?" })
        assert.strictEqual((await search("…")).code, 2)
      })
    ))

  it("names the ones with a pending approval", thoroughOnly, () =>
    withTestFolder(async (place) => {
      put(place, "a.txt", "one\n")
      await run(place, "read a.txt")
      assert.strictEqual((await run(place, "delete a.txt")).code, 3)
      const rows = lines((await bough(place, ["sessions"])).stdout)
      assert.match(rows[0], / asks you .* delete a.txt$/)
      assert.match(rows[1], / idle .* read a.txt$/)
    })
  )

  it("shows messages and calls, hidden characters written out", () =>
    withTestFolder(async (place) => {
      put(place, "a.txt", "one\u001B[2J\u202Etwo\n")
      await run(place, "read a.txt")
      const [id] = await ids(place)
      const { stdout } = await bough(place, ["sessions", "show", id])
      assert.match(stdout, /\d+ {2}you: read a\.txt\n/)
      assert.match(stdout, /→ read_file \{/)
      assert.match(stdout, /ended: read_file: Read a\.txt \(1 line\)/)
      assert.include(stdout, String.raw`one\u{1b}[2J\u{202e}two`)
      assert.notInclude(stdout, "\u001B")
      assert.notInclude(stdout, "\u202E")
    }))

  it("exports every entry as it is stored, in a chain that can be verified", () =>
    withTestFolder(async (place) => {
      put(place, "a.txt", "one\n")
      await run(place, "read a.txt")
      const [id] = await ids(place)
      const entries = await entriesOf(place, id)
      assert.deepStrictEqual(
        entries.map(({ seq }) => seq),
        entries.map((_, index) => index)
      )
      let digest = ""
      for (const entry of entries) {
        digest = Canonical.chain(digest, Canonical.stringify(entry.body))
        assert.strictEqual(entry.digest, digest)
      }
    }))

  it("forks a session, whole or up to an entry, and leaves the original alone", () =>
    withTestFolder(async (place) => {
      put(place, "a.txt", "one\n")
      await run(place, "read a.txt")
      const [id] = await ids(place)
      const before = await entriesOf(place, id)
      const found = before.find(({ body }) => body._tag === "UserMessage")
      const whole = await bough(place, ["sessions", "fork", id])
      const part = await bough(place, ["sessions", "fork", id, "--at", String(found?.seq)])
      assert.deepStrictEqual([whole.code, part.code], [0, 0], whole.stderr + part.stderr)
      const [wholeId, partId] = [whole.stdout.trim(), part.stdout.trim()]
      const textsOf = (entries: ReadonlyArray<Entry.Entry>) =>
        entries.flatMap(({ body }) => (body._tag === "UserMessage" || body._tag === "ModelReplied" ? [body._tag] : []))
      assert.deepStrictEqual(textsOf(await entriesOf(place, wholeId)), textsOf(before))
      assert.deepStrictEqual(textsOf(await entriesOf(place, partId)), ["UserMessage"])
      assert.deepStrictEqual(await entriesOf(place, id), before)
      const on = await bough(place, ["run", "--model", "offline/planner", "--session", wholeId, "list files"])
      assert.deepStrictEqual([on.code, on.stdout.includes("a.txt")], [0, true])
    }))

  it("deletes a session for good", () =>
    withTestFolder(async (place) => {
      await run(place, "what time is it")
      const [id] = await ids(place)
      assert.strictEqual((await bough(place, ["sessions", "rm", id])).code, 0)
      assert.deepStrictEqual(await ids(place), [])
      assert.strictEqual((await bough(place, ["sessions", "show", id])).code, 2)
    }))

  it("keeps everything in BOUGH_HOME", () =>
    withTestFolder(async (place) => {
      const env = { BOUGH_HOME: join(place.root, "elsewhere") }
      await bough(place, ["run", "--model", "offline/planner", "what time is it"], { env })
      assert.lengthOf(await ids(place), 0)
      assert.lengthOf(lines((await bough(place, ["sessions"], { env })).stdout), 1)
    }))

  it("stops without a message when the reader of a list closes the pipe", () =>
    withTestFolder(async (place) => {
      await run(place, "what time is it")
      const shell = `"${process.execPath}" "${binary}" tools show read_file | head -n 1`
      const ended = spawnSync("sh", ["-c", shell], { cwd: place.workspace, env: place.env, encoding: "utf8" })
      assert.deepStrictEqual([ended.stderr, lines(ended.stdout).length], ["", 1])
    }))
})
