/** A note of one project is recalled and found in no other one, by its words or by its meaning. */
import { Note } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { open, temporaryDirectory } from "./World.ts"

describe("notes of projects", () => {
  it.live("are found, recalled and known in their project alone", () =>
    Effect.gen(function* () {
      const { memory, store } = yield* open(yield* temporaryDirectory)
      const place = (project: string | null) => ({ user: "ann", hold: null, project })
      const texts = {
        "/a": "The zoologist's surgery is closed on Fridays",
        "/b": "The physician's practice is open on Fridays"
      }
      for (const [project, text] of Object.entries(texts)) {
        yield* store.save(place(project), {
          noteId: Note.NoteId.make(`note-${project.slice(1)}`),
          kind: "fact",
          text,
          tags: [],
          source: "",
          untrusted: false,
          createdAtMillis: null,
          project
        })
      }
      yield* memory.index.settle(false)
      const query = { limit: 20, tags: [], kinds: [] }
      for (const text of [
        "zoologist's surgery closed on Fridays",
        "when is the doctor in?",
        texts["/a"],
        texts["/b"]
      ]) {
        for (const project of ["/a", "/b", "/c", null]) {
          const { notes } = yield* memory.search(place(project), { ...query, text })
          const recalled = yield* memory.findBearing(place(project), text, new Set())
          const seen = [...notes, ...recalled].map(({ note }) => note.project)
          assert.isTrue(
            seen.every((of) => of === project),
            `${text} in ${project}`
          )
        }
        const { notes } = yield* memory.search({ ...place(null), everyProject: true }, { ...query, text })
        assert.isNotEmpty(notes)
      }
      const own = yield* memory.search(place("/b"), { ...query, text: "when is the doctor in?" })
      assert.lengthOf(own.notes, 1)
    })
  )
})
