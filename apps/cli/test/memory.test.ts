/** `memory`, from the built program. */
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Folder from "../../../packages/memory/test/onnx/Folder.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { type TestFolder, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"

const change = ({ data }: TestFolder, sql: string): void => {
  const database = new DatabaseSync(join(data, "bough.db"))
  database.exec(sql)
  database.close()
}

describe("bough memory", () => {
  it("saves a note, finds it by meaning, shows it and forgets it", () =>
    withTestFolder(async (place) => {
      const saved = await bough(place, ["memory", "save", "The physician is on holiday", "--tag", "Health"])
      assert.deepStrictEqual([saved.code, saved.stderr], [0, ""])
      const id = saved.stdout.trim()
      await bough(place, ["memory", "save", "Deploys go out on Tuesdays", "--kind", "procedure"])
      const found = await bough(place, ["memory", "search", "when is the doctor in?"])
      assert.match(found.stdout, new RegExp(`^maybe 0\\.\\d\\d  ${id}  fact  #health  The physician is on holiday\n`))
      assert.match(found.stderr, /^no note clearly matches; these are the nearest notes\n/)
      assert.strictEqual((await bough(place, ["memory", "search", "doctor", "--tag", "none"])).stdout, "")
      assert.match((await bough(place, ["memory", "show", id])).stdout, /\ntags: \["health"\]\n/)
      const stats = await bough(place, ["memory", "stats"])
      assert.match(
        stats.stdout,
        /^2 notes \(1 fact, 1 procedure\), .*, embedding model static\nsemantic index: 2 notes, 100 dimensions, model static-1 [0-9a-f]{12}\n$/
      )
      const forgot = await bough(place, ["memory", "rm", id])
      assert.deepStrictEqual([forgot.code, forgot.stdout, forgot.stderr], [0, "", `note ${id} is deleted\n`])
      const gone = await bough(place, ["memory", "show", id])
      assert.deepStrictEqual([gone.code, gone.stdout], [2, ""])
      assert.match(gone.stderr, /unknown note .* — "bough memory list/)
    }))

  it("finds messages with --conversations, and nothing of a removed session", () =>
    withTestFolder(async (place) => {
      await bough(place, ["memory", "save", "Likes albatrosses"])
      await bough(place, ["run", "what does an albatross eat?"])
      assert.notInclude((await bough(place, ["memory", "search", "albatross"])).stdout, "ses_")
      const found = await bough(place, ["memory", "search", "albatross", "--conversations"])
      assert.match(
        found.stdout,
        /^(?:sure|maybe) [01]\.\d\d {2}note-.*\n(ses_\w+)\/\d+ {2}user {2}\d{4}-\d\d-\d\d {2}.*what does an albatross eat\?\n/u
      )
      const json = await bough(place, ["memory", "search", "albatross", "--conversations", "--format", "json"])
      const { notes, said } = JSON.parse(json.stdout)
      assert.strictEqual(notes.length, 1)
      assert.deepInclude(
        said.find(({ speaker }: { readonly speaker: string }) => speaker === "user"),
        {
          text: "what does an albatross eat?"
        }
      )
      await bough(place, ["sessions", "rm", said[0].sessionId])
      const gone = await bough(place, ["memory", "search", "albatross", "--conversations"])
      assert.notInclude(gone.stdout, "ses_")
      assert.include(gone.stderr, "no message of a conversation matches")
    }))

  it("accepts a prefix of an id, and names the notes if several match", () =>
    withTestFolder(async (place) => {
      const folder = join(place.workspace, "notes")
      mkdirSync(folder)
      for (const id of ["note-ab1", "note-ab2", "note-c3"]) {
        writeFileSync(join(folder, `${id}.md`), `---\nid: ${id}\n---\n\nof ${id}\n`)
      }
      await bough(place, ["memory", "import", folder])
      assert.include((await bough(place, ["memory", "show", "note-c"])).stdout, "of note-c3")
      const several = await bough(place, ["memory", "rm", "note-ab"])
      assert.deepStrictEqual([several.code, several.stdout], [2, ""])
      assert.match(
        several.stderr,
        /note-ab is ambiguous: the notes note-ab1, note-ab2 begin with it — give a longer prefix; /
      )
      assert.strictEqual((await bough(place, ["memory", "rm", "note-ab2"])).stderr, "note note-ab2 is deleted\n")
      assert.strictEqual((await bough(place, ["memory", "rm", "note-ab"])).stderr, "note note-ab1 is deleted\n")
      assert.match((await bough(place, ["memory", "rm", ""])).stderr, /ID needs a value: note id or its prefix/)
      assert.match((await bough(place, ["memory", "list"])).stdout, /^note-c3 .*\n$/)
    }))

  it("lists and searches the requested kinds, conversations too", () =>
    withTestFolder(async (place) => {
      for (const kind of ["fact", "decision", "conversation"]) {
        await bough(place, ["memory", "save", `We spoke of the harbour, as a ${kind}`, "--kind", kind])
      }
      const kinds = async (...args: ReadonlyArray<string>) => {
        const { stdout } = await bough(place, ["memory", ...args, "--format", "json"])
        return JSON.parse(stdout)
          .map(({ kind }: { readonly kind: string }) => kind)
          .toSorted()
      }
      assert.deepStrictEqual(await kinds("search", "harbour"), ["decision", "fact"])
      assert.deepStrictEqual(await kinds("search", "harbour", "--kind", "conversation"), ["conversation"])
      assert.deepStrictEqual(await kinds("list"), ["conversation", "decision", "fact"])
      assert.deepStrictEqual(await kinds("list", "--kind", "fact", "--kind", "conversation"), ["conversation", "fact"])
      const none = await bough(place, ["memory", "list", "--kind", "episode"])
      assert.deepStrictEqual([none.code, none.stdout, none.stderr], [0, "", "no note matches\n"])
    }))

  it("lists every note, the last changed first, up to the requested number", () =>
    withTestFolder(async (place) => {
      const folder = join(place.workspace, "notes")
      mkdirSync(folder)
      const days = Array.from({ length: 12 }, (_, day) => day)
      for (const day of days) {
        const stamp = `2025-01-${10 + ((day * 7) % 12)}T00:00:00.000Z`
        const file = `---\ncreated: ${stamp}\nupdated: ${stamp}\n---\n\nThe harbour on ${stamp.slice(0, 10)}\n`
        writeFileSync(join(folder, `${day}.md`), file)
      }
      await bough(place, ["memory", "import", folder])
      const listed = async (...args: ReadonlyArray<string>) => {
        const { stdout } = await bough(place, ["memory", ...args, "--format", "json"])
        return JSON.parse(stdout).map(({ text }: { readonly text: string }) => Number(text.slice(-2)))
      }
      const newest = days.map((day) => 21 - day)
      assert.deepStrictEqual(await listed("list"), newest)
      assert.deepStrictEqual(await listed("list", "--limit", "3"), newest.slice(0, 3))
      assert.deepStrictEqual(await listed("list", "--limit", "1"), newest.slice(0, 1))
      assert.deepStrictEqual(await listed("list", "--limit", "50"), newest)
      assert.lengthOf(await listed("search", "harbour"), 10)
      assert.lengthOf(await listed("search", "harbour", "--limit", "12"), 12)
    }))

  it("saves a secret at the user's request, and warns once that it looks like one", () =>
    withTestFolder(async (place) => {
      const secret = "the wifi password is hunter2222"
      const saved = await bough(place, ["memory", "save", secret])
      const remark = (name: string) => `${name} was saved unchanged, but may contain a secret: password\n`
      assert.deepStrictEqual([saved.code, saved.stderr], [0, remark("the note")])
      assert.include((await bough(place, ["memory", "list"])).stdout, secret)
      const folder = join(place.workspace, "notes")
      mkdirSync(folder)
      writeFileSync(join(folder, "door.md"), "The passcode is 4711-0815\n")
      const imported = () => bough(place, ["memory", "import", folder])
      assert.strictEqual((await imported()).stderr, `${remark("door.md")}1 note added, 0 changed, 0 unchanged\n`)
      assert.strictEqual((await imported()).stderr, "0 notes added, 0 changed, 1 unchanged\n")
    }))

  it("exports notes to identical files every time, and imports changed ones", () =>
    withTestFolder(async (place) => {
      await bough(place, ["memory", "save", "Likes tea\nwith milk", "--tag", "drinks"])
      await bough(place, ["memory", "save", "Lives in Porto"])
      const folder = join(place.workspace, "notes")
      const contents = () =>
        readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")] as const)
      await bough(place, ["memory", "export", folder])
      const first = contents()
      await bough(place, ["memory", "export", folder])
      assert.deepStrictEqual(contents(), first)
      const [name, text] = first.find(([, content]) => content.includes("milk")) ?? ["", ""]
      writeFileSync(join(folder, name), text.replace("milk", "lemon"))
      writeFileSync(join(folder, "own.md"), "Has a dog called Rex\n")
      const imported = await bough(place, ["memory", "import", folder])
      assert.strictEqual(imported.stderr, "1 note added, 1 changed, 1 unchanged\n")
      const all = await bough(place, ["memory", "list"])
      assert.match(all.stdout, /Likes tea with lemon/)
      assert.match(all.stdout, /Rex/)
      writeFileSync(join(folder, "bad.md"), "---\nkind: rumour\n---\n\nx\n")
      const refused = await bough(place, ["memory", "import", folder])
      assert.deepStrictEqual(
        [refused.code, /bad\.md is not a valid note: line 2: unknown kind rumour/.test(refused.stderr)],
        [2, true]
      )
      const nowhere = await bough(place, ["memory", "import", join(place.workspace, "nowhere")])
      assert.strictEqual(nowhere.code, 1)
    }))

  it("removes exported files of deleted notes, and reports those that were changed", () =>
    withTestFolder(async (place) => {
      const folder = join(place.workspace, "notes")
      const save = async (text: string) => (await bough(place, ["memory", "save", text])).stdout.trim()
      const [forgotten, changed, kept] = [
        await save("Likes tea"),
        await save("Has a dog"),
        await save("Lives in Porto")
      ]
      const exported = () => bough(place, ["memory", "export", folder])
      const content = (id: string) => readFileSync(join(folder, `${id}.md`), "utf8")
      assert.strictEqual((await exported()).stderr, `wrote 3 notes to ${folder}\n`)
      for (const id of [forgotten, changed]) await bough(place, ["memory", "rm", id])
      writeFileSync(join(folder, "own.md"), "Has a dog called Rex\n")
      writeFileSync(join(folder, "copy.md"), content(forgotten))
      writeFileSync(join(folder, "bad.md"), "---\nkind: rumour\n---\n\nx\n")
      writeFileSync(join(folder, "note-older.md"), '---\nid: "note-older"\n---\n\nWritten before there were marks\n')
      writeFileSync(join(folder, `${changed}.md`), content(changed).replace("dog", "cat"))
      mkdirSync(join(folder, "folder.md"))
      const others = readdirSync(folder).filter((name) => name !== `${forgotten}.md`)
      const left = [`${changed}.md`, "note-older.md"].toSorted().join(", ")
      const remark = `kept files of notes that are not in this memory: ${left}; "bough memory import ${folder}" adds them\n`
      const again = await exported()
      const wrote = `wrote 1 note to ${folder}`
      assert.deepStrictEqual([again.code, again.stderr], [0, `${wrote}, and removed 1 of deleted notes\n${remark}`])
      assert.deepStrictEqual(readdirSync(folder), others)
      assert.strictEqual((await exported()).stderr, `${wrote}\n${remark}`)
      // Another memory imports the notes, exports identical files, and removes none that it has not written.
      const elsewhere = { env: { BOUGH_HOME: join(place.root, "elsewhere") } }
      const before = content(kept)
      for (const name of ["bad.md", "copy.md", "own.md"]) rmSync(join(folder, name))
      const there = (...args: ReadonlyArray<string>) => bough(place, ["memory", ...args], elsewhere)
      assert.strictEqual((await there("import", folder)).stderr, "3 notes added, 0 changed, 0 unchanged\n")
      assert.strictEqual((await there("export", folder)).stderr, `wrote 3 notes to ${folder}\n`)
      assert.strictEqual(content(kept), before)
      await there("rm", kept)
      assert.match(
        (await there("export", folder)).stderr,
        new RegExp(`^wrote 2 notes to .*\nkept files .*: ${kept}\\.md;`)
      )
    }))

  it("imports the creation and change times of a note, so that its file is the same elsewhere", () =>
    withTestFolder(async (place) => {
      const [there, back] = [join(place.workspace, "there"), join(place.workspace, "back")]
      const file = (updated: string, text: string) =>
        `---\nid: "note-1"\nkind: fact\ntags: []\nsource: "import"\ncreated: 2024-01-02T03:04:05.678Z\nupdated: ${updated}\n---\n\n${text}\n`
      mkdirSync(there)
      const roundTrip = async (content: string) => {
        writeFileSync(join(there, "note-1.md"), content)
        assert.strictEqual((await bough(place, ["memory", "import", there])).code, 0)
        await bough(place, ["memory", "export", back])
        return readFileSync(join(back, "note-1.md"), "utf8").replace(/^export: .*\n/m, "")
      }
      const first = file("2024-05-06T07:08:09.010Z", "Likes tea")
      assert.strictEqual(await roundTrip(first), first)
      const changed = file("2025-05-06T07:08:09.010Z", "Likes coffee")
      const withHistory = await roundTrip(changed)
      assert.strictEqual(withHistory.replace(/^before: .*"text":"Likes tea".*\n/mu, ""), changed)
      const byHand = await roundTrip(changed.replace("coffee", "cocoa"))
      assert.match(byHand, /Likes cocoa/)
      assert.isAbove(Date.parse(/^updated: (.*)$/m.exec(byHand)?.[1] ?? ""), Date.parse("2026-01-01"))
    }))

  it("reports the confidence of each note that it finds, as text and as data, and says if nothing matches", () =>
    withTestFolder(async (place) => {
      const { stdout } = await bough(place, ["memory", "save", "The harbour office opens at seven"])
      const id = stdout.trim()
      for (let n = 0; n < 8; n++) await bough(place, ["memory", "save", `Shelf ${n} of the cellar holds jars`])
      const search = (...args: ReadonlyArray<string>) => bough(place, ["memory", "search", ...args])
      const sure = await search("when does the harbour office open?")
      assert.match(
        sure.stdout,
        new RegExp(`^sure (?:0\\.[89]\\d|1\\.00)  ${id}  fact  The harbour office opens at seven\n`)
      )
      assert.strictEqual(sure.stderr, "")
      const nothing = await search("colour of the office curtains")
      assert.strictEqual(nothing.code, 0)
      assert.match(nothing.stderr, /^no note clearly matches; these are the nearest notes\n$/)
      const lines = nothing.stdout.trim().split("\n")
      assert.isTrue(
        lines.every((line) => line.startsWith("maybe 0.")),
        nothing.stdout
      )
      const parsed = async (...args: ReadonlyArray<string>) =>
        JSON.parse((await search(...args, "--format", "json")).stdout).map(
          ({ confidence, fits, noteId, score }: Record<string, unknown>) => ({
            confidence,
            fits,
            noteId,
            likely: Number(score) >= 0.5
          })
        )
      const [first, ...others] = await parsed("harbour office")
      assert.deepStrictEqual(first, { confidence: "sure", fits: true, noteId: id, likely: true })
      for (const other of [...others, ...(await parsed("colour of the office curtains"))]) {
        assert.deepStrictEqual([other.confidence, other.fits, other.likely], ["maybe", false, false])
      }
      assert.deepStrictEqual(await parsed("harbour", "--tag", "none"), [])
    }))

  it("shows progress while it embeds many notes again", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const folder = join(place.workspace, "notes")
      mkdirSync(folder)
      for (let n = 0; n < 600; n++) writeFileSync(join(folder, `${n}.md`), `entry ${n} of the log book\n`)
      await bough(place, ["memory", "import", folder])
      const { stderr } = await bough(place, ["memory", "reindex"])
      assert.match(stderr, /^ {2}index ░{20} 0\/600\n[\s\S]*^ {2}index █{20} 600\/600\nindexes rebuilt\n$/m)
    })
  )

  it("reports an index that cannot be removed, and compares meaning without it", () =>
    withTestFolder(async (place) => {
      await bough(place, ["memory", "save", "The physician is on holiday"])
      writeFileSync(join(place.data, "memory"), "in the way of the index")
      const reindexed = await bough(place, ["memory", "reindex"])
      assert.strictEqual(reindexed.code, 1)
      assert.match(
        reindexed.stderr,
        /the index cannot be removed: .* is not a directory.* — make the data directory writable/
      )
      const found = await bough(place, ["memory", "search", "physician"])
      assert.deepStrictEqual([found.code, /on holiday/.test(found.stdout)], [0, true])
      assert.strictEqual(found.stderr, "")
      const stats = await bough(place, ["memory", "stats"])
      assert.deepStrictEqual([stats.code, /\nsemantic index: 1 note, 100 dimensions/.test(stats.stdout)], [0, true])
    }))

  it("ranks by words and meaning with the configured weights", () =>
    withTestFolder(async (place) => {
      await bough(place, ["memory", "save", "The physician is on holiday"])
      await bough(place, ["memory", "save", "We met in the doctor and anchor pub, in the street of the old town hall"])
      const first = async (words: number, meaning: number) => {
        await bough(place, ["config", "set", "memory.weights.words", String(words)])
        await bough(place, ["config", "set", "memory.weights.meaning", String(meaning)])
        const { stdout } = await bough(place, ["memory", "search", "doctor on vacation", "--limit", "1"])
        return stdout
      }
      assert.match(await first(0, 1), /physician/)
      assert.match(await first(1, 0), /anchor/)
      const refused = await bough(place, ["config", "set", "memory.weights.words", "-1"])
      assert.strictEqual(refused.code, 2, refused.stderr)
    }))

  it("rebuilds the index, and works without a model if none is configured", () =>
    withTestFolder(async (place) => {
      await bough(place, ["memory", "save", "The physician is on holiday"])
      const reindexed = await bough(place, ["memory", "reindex"])
      assert.deepStrictEqual([reindexed.code, reindexed.stderr.endsWith("indexes rebuilt\n")], [0, true])
      await bough(place, ["config", "set", "embedding.model", "none"])
      const found = await bough(place, ["memory", "search", "physician"])
      assert.match(found.stdout, /on holiday/)
      assert.match(found.stderr, /^notes were compared by words only: no embedding model is configured\n$/)
      assert.notInclude((await bough(place, ["memory", "stats"])).stdout, "semantic index")
      await bough(place, ["config", "set", "embedding.model", "/no/such/model"])
      const missing = await bough(place, ["memory", "search", "physician"])
      assert.match(missing.stdout, /on holiday/)
      assert.match(
        missing.stderr,
        /notes were compared by words only: the embedding model \/no\/such\/model cannot be used/
      )
    }))
})

/** The line for a result that was found by meaning alone. */
const nearest = "no note clearly matches; these are the nearest notes\n"

describe("a configured embedding model", thoroughOnly, () => {
  it("is loaded from its folder, and vectors of another model are computed again", () =>
    withTestFolder(async (place) => {
      await bough(place, ["memory", "save", "The physician is on holiday"])
      await bough(place, ["memory", "save", "Deploys go out on Tuesdays"])
      const search = () => bough(place, ["memory", "search", "when is the doctor in?"])
      const first = await search()
      assert.match(first.stdout, /^.*The physician is on holiday\n/)
      const folder = join(place.root, "models", "own")
      Folder.write(folder)
      await bough(place, ["config", "set", "embedding.model", folder])
      const again = await search()
      const withoutScore = ({ stdout }: { readonly stdout: string }) => stdout.replaceAll(/^maybe 0\.\d\d /gmu, "")
      assert.deepStrictEqual([again.code, withoutScore(again), again.stderr], [0, withoutScore(first), nearest])
      rmSync(folder, { recursive: true })
      assert.match(
        (await search()).stderr,
        /^notes were compared by words only: the embedding model .*\/own cannot be used: /m
      )
    }))

  it("keeps its id in another folder, so that no note is embedded again, and gets a new one if its files change", () =>
    withTestFolder(async (place) => {
      await bough(place, ["memory", "save", "The physician is on holiday"])
      await bough(place, ["memory", "save", "Her favourite fruit is the mango"])
      const first = async () => {
        const { code, stderr, stdout } = await bough(place, ["memory", "search", "when is the doctor in?"])
        assert.deepStrictEqual([code, stderr], [0, nearest])
        return stdout.split("\n")[0]
      }
      const folder = join(place.root, "models", "own")
      const moved = join(place.root, "models", "moved")
      const embeddedBy = async () => {
        const { stdout } = await bough(place, ["memory", "stats", "--format", "json"])
        return JSON.parse(stdout).index?.modelId
      }
      assert.isUndefined(await embeddedBy())
      Folder.write(folder)
      await bough(place, ["config", "set", "embedding.model", folder])
      assert.match(await first(), /physician/)
      const own = await embeddedBy()
      assert.match(own, /^onnx-1 sha256:/)
      renameSync(folder, moved)
      await bough(place, ["config", "set", "embedding.model", moved])
      assert.match(await first(), /physician/)
      // Vectors without meaning: they are compared unchanged until another model makes new ones.
      change(place, "UPDATE note_vectors SET vector = zeroblob(length(vector))")
      assert.notMatch((await bough(place, ["memory", "search", "when is the doctor in?"])).stdout, /physician/)
      Folder.write(moved, Folder.exchanging("physician", "mango"))
      // The vectors of the first model would still rank the physician first.
      assert.match(await first(), /mango/)
      assert.match(await first(), /mango/)
      assert.match(await embeddedBy(), /^onnx-1 sha256:/)
      assert.notStrictEqual(await embeddedBy(), own)
    }))
})
