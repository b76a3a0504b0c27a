/** The invariants of a memory after any fault, checked with the lines that its writers printed. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { open } from "./World.ts"

const ann = { user: "ann", hold: null }

/**
 * Opens it as the next process would: every acknowledged note exists, is found by its words and once in the index, and
 * no removed note exists. A change that was started and not acknowledged may exist or not. Returns the number of notes.
 * Lines: `begin|id|` before a change, `saved|id|text`, `updated|id|text`, `removed|id|` after it; others are ignored.
 */
export const assertWhole = Effect.fnUntraced(function* (directory: string, lines: ReadonlyArray<string>) {
  const { find, memory, store } = yield* open(directory)
  const expected = new Map<string, string | null>()
  const inDoubt = new Set<string>()
  for (const line of lines) {
    const [what, key, text] = line.split("|")
    if (what === "begin") inDoubt.add(key)
    if (what === "saved" || what === "updated") expected.set(key, text)
    if (what === "removed") expected.set(key, null)
    if (["saved", "updated", "removed"].includes(what)) inDoubt.delete(key)
  }
  yield* memory.index.settle(false)
  const notes = yield* store.list(ann, { tags: [], kinds: [], after: "", limit: 100_000 })
  const texts = new Map(notes.map(({ noteId, text }) => [String(noteId), text]))
  const certain = [...expected].filter(([key]) => !inDoubt.has(key))
  for (const [key, text] of certain) assert.strictEqual(texts.get(key) ?? null, text, key)
  for (const text of certain.flatMap(([, value]) => value ?? []).slice(-3)) {
    // The first word is unique to the note; the other words are the same in all notes.
    const [own] = text.split(" ")
    assert.include((yield* find(own, "ann", 20)).join("\n"), own)
  }
  const query = { text: "first second", limit: texts.size + 10, tags: [], kinds: [] }
  const { reason, rows } = yield* memory.index.similar(ann, query)
  assert.isNull(reason)
  assert.lengthOf(rows, texts.size)
  return texts.size
}, Effect.scoped)
