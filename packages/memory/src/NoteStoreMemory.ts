/**
 * Notes and scratchpads in the memory of this process: for tests, and for programs that keep nothing. Gone with the
 * layer; apart from that it keeps every promise of the ports.
 */
import { NoteStore, type Scratchpad, ScratchpadStore } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as NoteChanges from "./NoteChanges.ts"
import * as NoteRanking from "./NoteRanking.ts"
import * as NoteTable from "./NoteTable.ts"

/** Rows are numbered from the time on at which the store was made: an index on disk knows no other store's rows. */
const rowsPerMilli = 1000

const make = Effect.gen(function* () {
  const startMillis = yield* Clock.currentTimeMillis
  const table = NoteTable.make(startMillis * rowsPerMilli)
  const scratchpads = new Map<string, Scratchpad.ScratchpadState>()
  const at = <A>(body: (nowMillis: number) => A): Effect.Effect<A> => Effect.map(Clock.currentTimeMillis, body)

  return Context.make(NoteStore.NoteStore, {
    save: (place, draft) => at((nowMillis) => NoteChanges.save(table, place, { ...draft, nowMillis })),
    update: (place, noteId, change) =>
      at((nowMillis) => NoteChanges.update(table, place, { ...change, noteId, nowMillis })),
    remove: (place, noteId) => at((nowMillis) => NoteChanges.remove(table, place, { noteId, nowMillis })),
    settle: (hold, end) => Effect.sync(() => NoteChanges.settle(table, hold, end)),
    get: (place, noteId) => Effect.sync(() => NoteChanges.get(table, place, noteId)),
    sayingTheSame: (place, text) => Effect.sync(() => NoteChanges.sayingTheSame(table, place, text)),
    list: (place, page) =>
      Effect.sync(() =>
        table
          .visible(place)
          .filter(NoteTable.passes(page))
          .map(({ note }) => note)
          .filter(({ noteId }) => NoteTable.byText(noteId, page.after) > 0)
          .toSorted((left, right) => NoteTable.byText(left.noteId, right.noteId))
          .slice(0, page.limit)
      ),
    search: (place, query) =>
      Effect.sync(() =>
        NoteRanking.best(table.visible(place).filter(NoteTable.passes(query)), query.text).slice(0, query.limit)
      ),
    numbered: (user, filter) => Effect.sync(() => table.numbered(user, filter)),
    visible: (place, rows) =>
      Effect.sync(() => {
        const wanted = new Set(rows)
        return table.visible(place).flatMap(({ note, row }) => (wanted.has(row) ? [{ row, note }] : []))
      }),
    held: (place) => Effect.sync(() => table.held(place)),
    rows: (after, limit) => Effect.sync(() => table.shared(after, limit)),
    rowNumbers: Effect.sync(() => Float64Array.from(table.shared(0, Infinity), ({ row }) => row)),
    counters: Effect.sync(table.counters),
    drops: (seen, limit) => Effect.sync(() => table.drops(seen, limit)),
    users: Effect.sync(table.users)
  }).pipe(
    Context.add(ScratchpadStore.ScratchpadStore, {
      read: (sessionId) => Effect.sync(() => scratchpads.get(sessionId) ?? { items: [], updatedAtMillis: null }),
      write: (sessionId, items) =>
        at((updatedAtMillis) => {
          const state = { items: [...items], updatedAtMillis }
          scratchpads.set(sessionId, state)
          return state
        })
    })
  )
})

export const layer: Layer.Layer<NoteStore.NoteStore | ScratchpadStore.ScratchpadStore> = Layer.effectContext(make)
