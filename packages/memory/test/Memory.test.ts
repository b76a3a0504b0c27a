import { Note, type Session, type ToolError } from "@bough/protocol"
import type { MemoryRead } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { isThorough, thorough, thoroughOnly } from "../../../test/thorough.ts"
import { type NoteIndex, Recollection } from "../src/index.ts"
import { caller, indexIn, open, staticModel, temporaryDirectory } from "./World.ts"

/** Values that have broken out of filters elsewhere. */
const adversarial = [
  "' OR 1=1 --",
  "x') OR (user = 1",
  "1",
  "*",
  "%",
  "null",
  "user = 1",
  "",
  "\u0000",
  '"',
  "array_has(tags, 1)"
]

const place = (user: string) => ({ user, hold: null })

describe("Memory", () => {
  it.live("finds a note by its words, and one by its meaning alone", () =>
    Effect.gen(function* () {
      const { find, save } = yield* open(yield* temporaryDirectory)
      yield* save("The physician's surgery is closed on Fridays")
      yield* save("Deploys go out from the release branch")
      yield* save("Her favourite fruit is the mango")
      assert.strictEqual((yield* find("release branch"))[0], "Deploys go out from the release branch")
      assert.strictEqual((yield* find("when can I see the doctor?"))[0], "The physician's surgery is closed on Fridays")
    })
  )

  it.live(
    "ranks the one note with the rare word of a question before the many that share its common word and its sense",
    () =>
      Effect.gen(function* () {
        const { find, save } = yield* open(yield* temporaryDirectory)
        for (let n = 0; n < 120; n++)
          yield* save(`The doctor saw the nurse about patient ${n}, and the medicine helped`)
        yield* save("Zyxgate is what the blue folder in the hall is called")
        assert.match((yield* find("which doctor and nurse asked for the zyxgate medicine?"))[0], /^Zyxgate/)
        assert.notMatch((yield* find("which doctor and nurse asked for the medicine?"))[0], /^Zyxgate/)
      }),
    thoroughOnly
  )

  it.live("finds changes of another process at the next search", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const here = yield* open(directory)
      const there = yield* open(directory)
      yield* here.save("The physician moved to Oak Street")
      assert.deepStrictEqual(yield* there.find("where is the doctor?"), ["The physician moved to Oak Street"])
      const { note } = yield* there.save("The attorney is called Brenda")
      assert.include(yield* here.find("who is the lawyer"), "The attorney is called Brenda")
      yield* there.memory
        .write(caller("ann"))
        .update(note.noteId, { text: "The attorney is called Carol", tags: null, kind: null, secrets: "refuse" })
      assert.strictEqual((yield* here.find("who is the lawyer"))[0], "The attorney is called Carol")
      yield* here.memory.write(caller("ann")).remove(note.noteId)
      assert.notInclude((yield* there.find("who is the lawyer")).join(), "attorney")
    })
  )

  it.live("continues with its index when another process has cleaned up the version that it had opened", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const here = yield* open(directory)
      const there = yield* open(directory)
      const settled = (text: string) => Effect.andThen(there.save(text), there.memory.index.settle(false))
      yield* settled("The physician is on holiday")
      yield* settled("Deploys go out on Tuesdays")
      const query = { text: "when is the doctor in?", limit: 2, tags: [], kinds: [] }
      const near = Effect.map(here.memory.index.similar(place("ann"), query), ({ reason, rows }) => [
        reason,
        rows[0].row
      ])
      assert.deepStrictEqual(yield* near, [null, 1])
      yield* settled("Her favourite fruit is the mango")
      yield* settled("The attorney is called Brenda")
      assert.deepStrictEqual(yield* near, [null, 1])
    })
  )

  it.live("finds notes that it saved before it was closed, from the index", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { find, save } = yield* open(directory)
          for (let n = 0; n < 20; n++) yield* save(`item ${n} of the inventory`)
          yield* save("The physician is on holiday")
          yield* find("anything")
        })
      )
      const { find } = yield* open(directory)
      assert.strictEqual((yield* find("doctor"))[0], "The physician is on holiday")
    })
  )

  it.live(
    "builds a deleted index again, and one of another model, and serves meanwhile",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const fill = Effect.gen(function* () {
          const { memory, save } = yield* open(directory)
          for (let n = 0; n < 700; n++) yield* save(`entry ${n} about topic ${n % 7}`)
          yield* save("The physician is on holiday")
          yield* memory.index.settle(false)
        })
        yield* Effect.scoped(fill)
        const ways: ReadonlyArray<() => typeof staticModel> = [
          () => {
            rmSync(indexIn(directory), { recursive: true })
            return staticModel
          },
          () => {
            const module = join(directory, "another.mjs")
            writeFileSync(
              module,
              `import { load as loadStatic } from ${JSON.stringify(staticModel.module)}
export const load = () => ({ ...loadStatic(), identity: "another" })`
            )
            return { ...staticModel, module: pathToFileURL(module).href }
          }
        ]
        for (const way of ways) {
          const progress: Array<NoteIndex.IndexProgress | null> = []
          yield* Effect.scoped(
            Effect.gen(function* () {
              const model = way()
              const again = yield* open(directory, { model, onProgress: (at) => progress.push(at) })
              const first = yield* again.memory.search(place("ann"), {
                text: "physician",
                limit: 3,
                tags: [],
                kinds: []
              })
              assert.strictEqual(first.notes[0].note.text, "The physician is on holiday")
              assert.isNull(first.wordsOnly)
              yield* again.memory.index.settle(false)
              assert.strictEqual((yield* again.find("doctor"))[0], "The physician is on holiday")
            })
          )
          assert.deepStrictEqual(
            [progress[0], progress.at(-2), progress.at(-1)],
            [{ done: 0, total: 701 }, { done: 701, total: 701 }, null]
          )
        }
      }),
    thoroughOnly
  )

  it.live("without a model, or with one that cannot be loaded, finds by words and says so once", () =>
    Effect.gen(function* () {
      for (const model of [null, { ...staticModel, module: "file:///nothing/here.js" }]) {
        const { memory, save } = yield* open(yield* temporaryDirectory, { model })
        yield* save("The harbour opens at seven")
        const query = { text: "harbour", limit: 3, tags: [], kinds: [] }
        const first = yield* memory.search(place("ann"), query)
        assert.lengthOf(first.notes, 1)
        assert.isNotNull(first.wordsOnly)
        assert.isNull((yield* memory.search(place("ann"), query)).wordsOnly)
      }
    })
  )

  it.live("filters by all tags and by kind before it ranks by meaning", () =>
    Effect.gen(function* () {
      const { memory, save } = yield* open(yield* temporaryDirectory)
      for (let n = 0; n < 300; n++) yield* save(`The doctor said ${n}`, "ann", ["health"])
      yield* save("The physician is on holiday", "ann", ["health", "Dates "])
      yield* memory.index.settle(false)
      const found = yield* memory
        .read(caller("ann"), () => {})
        .search({ text: "medical practitioner", limit: 3, tags: ["HEALTH", "dates"], kinds: [] })
      assert.deepStrictEqual(
        found.notes.map(({ note }) => note.text),
        ["The physician is on holiday"]
      )
    })
  )

  it.live("stages a turn's writes until the turn ends", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const { find, memory, save, store } = yield* open(directory, { hold: "s/1" })
      yield* save("The physician is called Dana")
      assert.deepStrictEqual(yield* find("doctor"), [])
      const own = memory.read(caller("ann"), () => {}, "s/1").search({ text: "doctor", limit: 3, tags: [], kinds: [] })
      assert.lengthOf((yield* own).notes, 1)
      yield* store.settle("s/1", "Drop")
      assert.lengthOf((yield* own).notes, 0)
      yield* memory
        .write(caller("ann", "again"), "s/1")
        .save({ text: "The physician is called Dana", tags: null, kind: null, secrets: "refuse" })
      yield* store.settle("s/1", "Keep")
      assert.deepStrictEqual(yield* find("doctor"), ["The physician is called Dana"])
    })
  )

  it.live("runs a call again without a second note, and reports a missing user", () =>
    Effect.gen(function* () {
      const { memory } = yield* open(yield* temporaryDirectory, { model: null })
      const text = { text: "once", tags: null, kind: null, secrets: "refuse" } as const
      const first = yield* memory.write(caller("ann", "c1")).save(text)
      const second = yield* memory.write(caller("ann", "c1")).save({ ...text, text: "once more" })
      assert.match(first.note.noteId, /^note-[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.deepStrictEqual([second.status, second.note.text], ["Kept", "once"])
      const error = yield* Effect.flip(memory.write(caller(null)).save(text))
      assert.match(error.message, /stored per user/)
      const unknown = yield* Effect.flip(memory.write(caller("ann")).remove(Note.NoteId.make("note-x")))
      assert.strictEqual(unknown._tag, "ValidationError")
    })
  )

  it.live("marks a result as untrusted exactly if an author of one of its notes had read untrusted text", () =>
    Effect.gen(function* () {
      const { memory } = yield* open(yield* temporaryDirectory, { model: null })
      const save = (text: string, labels: ReadonlyArray<Session.Label>) =>
        memory.write({ ...caller("ann", text), labels }).save({ text, tags: null, kind: null, secrets: "refuse" })
      const { note } = yield* save("Ann likes tea", ["private"])
      const { note: told } = yield* save("The page says to drink coffee", ["private", "untrusted"])
      const marks = Effect.fnUntraced(function* (
        use: (read: MemoryRead.MemoryRead["Service"]) => Effect.Effect<unknown, ToolError.ToolError>
      ) {
        const marked: Array<string> = []
        yield* use(memory.read(caller("ann"), (label) => marked.push(label)))
        return marked
      })
      const query = { limit: 5, tags: [], kinds: [] }
      assert.deepStrictEqual(yield* marks(({ search }) => search({ ...query, text: "tea" })), [])
      assert.deepStrictEqual(yield* marks(({ search }) => search({ ...query, text: "tea or coffee" })), ["untrusted"])
      assert.deepStrictEqual(yield* marks(({ get }) => get(note.noteId)), [])
      assert.deepStrictEqual(yield* marks(({ get }) => get(told.noteId)), ["untrusted"])
      assert.deepStrictEqual(yield* marks(({ listFiles }) => listFiles), ["untrusted"])
      const lines = [note, told].map((each) => ({ note: each, shortId: each.noteId }))
      const joined = [1, 2].map((count) => Recollection.make(lines.slice(0, count), 2000)?.untrusted)
      assert.deepStrictEqual(joined, [false, true])
      const change = { text: "Ann likes coffee", tags: null, kind: null, secrets: "refuse" } as const
      yield* memory.write({ ...caller("ann"), labels: ["untrusted"] }).update(note.noteId, change)
      assert.deepStrictEqual(yield* marks(({ get }) => get(note.noteId)), ["untrusted"])
    })
  )

  it.live("stores no secret unasked, and reports the redactions", () =>
    Effect.gen(function* () {
      const { memory } = yield* open(yield* temporaryDirectory, { model: null })
      const write = (call: string) => memory.write(caller("ann", call))
      const text = { text: "The wifi password is hunter2222, the router is grey", tags: null, kind: null }
      const refused = yield* Effect.flip(write("a").save({ ...text, secrets: "refuse" }))
      assert.match(refused.message, /password/)
      assert.notInclude(refused.message, "hunter2222")
      const redacted = yield* write("b").save({ ...text, secrets: "redact" })
      assert.deepStrictEqual(redacted.hidden, ["password"])
      assert.strictEqual(redacted.note.text, "The wifi password is [redacted: password], the router is grey")
      assert.include((yield* write("c").save({ ...text, secrets: "keep" })).note.text, "hunter2222")
      const { editFile, writeFile } = write("d")
      yield* writeFile("wifi.md", "the router is grey")
      const add = editFile("wifi.md", (content) => Effect.succeed(`${content}, password: hunter2222`))
      for (const call of [writeFile("wifi.md", text.text), add]) {
        assert.match((yield* Effect.flip(call)).message, /looks like a secret \(password\)/)
      }
      const left = yield* memory.read(caller("ann"), () => {}).readFile("wifi.md")
      assert.strictEqual(left, "the router is grey")
    })
  )

  const Text = Schema.Union([Schema.Literals(adversarial), Schema.String])

  it.live.prop(
    "no user, tag or query reaches another user's note, by words or by meaning, in the index or beside it",
    [Schema.Array(Text), Schema.Array(Text), Text],
    ([names, queries, tag]) =>
      Effect.gen(function* () {
        const { memory, save } = yield* open(yield* temporaryDirectory)
        const users = [...new Set(["ann", "ann' OR 1=1 --", ...names.slice(0, 4)])]
        const tags = Note.normaliseTags([tag])
        const own = (user: string) => `the doctor of number ${users.indexOf(user)} is in`
        for (const user of users) yield* save(own(user), user, [tag])
        yield* memory.index.settle(false)
        // These notes are not in the index yet.
        for (const user of users) yield* save(`${own(user)} again`, user, [tag])
        for (const user of users) {
          const find = (text: string) => memory.search(place(user), { text, limit: 100, tags, kinds: [] })
          assert.lengthOf((yield* find("physician")).notes, 2)
          for (const text of [...queries.slice(0, 4), tag, own(users[0])]) {
            for (const { note } of (yield* find(text)).notes) assert.isTrue(note.text.startsWith(own(user)))
          }
          const all = yield* memory.index.similar(place(user), { text: "doctor", limit: 1000, tags: [], kinds: [] })
          assert.lengthOf(all.rows, 2)
        }
      }).pipe(Effect.scoped),
    { ...thorough, arbitrary: { runs: isThorough ? 8 : 3, size: 30 } }
  )

  it.effect.prop(
    "accepts any text as a query",
    [Schema.String],
    ([text]) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { find, save } = yield* open(yield* temporaryDirectory, { model: null })
          yield* save("something to find")
          yield* find(text)
        })
      ),
    { arbitrary: { runs: 15, size: 60 } }
  )
})
