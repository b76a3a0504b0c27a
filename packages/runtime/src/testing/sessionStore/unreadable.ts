/**
 * Tests that every store refuses a batch with an entry that it could not read back, and continues as if the batch had
 * not been sent.
 */
import { Canonical, Entry, type Session } from "@bough/protocol"
import { assert, type Vitest } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Journal from "../../journal/Journal.ts"
import * as SessionStore from "../../ports/SessionStore.ts"
import * as Sample from "../SampleJournal.ts"

const cyclic: Record<string, unknown> = {}
cyclic["self"] = cyclic

const throws = (): never => {
  throw new Error("read")
}

/** Values that replace any part of an entry. */
const hostile: ReadonlyArray<readonly [what: string, value: unknown]> = [
  ["undefined", undefined],
  ["null", null],
  ["NaN", NaN],
  ["infinity", Infinity],
  ["a fraction", 1.5],
  ["a negative number", -1],
  ["a number beyond 2^53", 2 ** 60],
  ["a bigint", 3n],
  ["an empty text", ""],
  ["a lone surrogate", "\ud800"],
  ["a symbol", Symbol("x")],
  ["a function", () => 1],
  ["a date", DateTime.toDateUtc(DateTime.makeUnsafe(0))],
  ["a map", new Map([["a", 1]])],
  ["an object", {}],
  ["a list", []],
  ["a list with holes", Object.assign([], { length: 2 })],
  ["a cycle", cyclic],
  ["an object that inherits", Object.create({ _tag: "Text", text: "x" })],
  ["an object of no prototype", Object.assign(Object.create(null), { _tag: "Text", text: "x" })],
  ["a text object", new String("x")],
  ["an object with toJSON", { toJSON: () => "x" }],
  ["an unknown tag", { _tag: "Party" }],
  ["a getter that throws", Object.defineProperty({}, "text", { enumerable: true, get: throws })]
]

interface Change {
  readonly at: number
  readonly hostile: number
  readonly how: "replace" | "add" | "remove"
}

/** Every object and list inside a value, the outermost first. */
const containers = (value: unknown): ReadonlyArray<Record<string, unknown>> =>
  value === null || typeof value !== "object"
    ? []
    : [value as Record<string, unknown>, ...Object.values(value).flatMap(containers)]

/** A copy with one part changed. */
const changeOnePart = (body: Entry.Body, { at, hostile: index, how }: Change): unknown => {
  const copy = structuredClone(body)
  const places = containers(copy).flatMap((container) => Object.keys(container).map((key) => ({ container, key })))
  const { container, key } = places[at % places.length]
  const [, value] = hostile[index % hostile.length]
  if (how === "remove") delete container[key]
  else container[how === "add" ? "surplus" : key] = value
  return copy
}

const { SessionOpened: _, ...later } = Entry.Body.cases
const Later = Schema.Union(Object.values(later))

const Changes = Schema.Struct({
  at: Schema.Natural,
  hostile: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: hostile.length - 1 })),
  how: Schema.Literals(["replace", "replace", "add", "remove"])
})

const arbitraryBody = Arbitrary.map(
  Arbitrary.schema(Schema.Struct({ body: Later, change: Schema.NullOr(Changes) })),
  ({ body, change }): unknown => (change === null ? body : changeOnePart(body, change))
)

const journalOf = Effect.fnUntraced(function* (sessionId: Session.SessionId, lease: SessionStore.Lease) {
  return yield* Journal.open({ store: yield* SessionStore.SessionStore, lease }, sessionId)
})

/** Appends through the journal; returns true on success, and false for the one error that all refusals have. */
const taken = Effect.fnUntraced(function* (journal: Journal.Journal["Service"], body: unknown, label?: unknown) {
  const exit = yield* Effect.exit(
    journal.append({
      bodies: [Sample.message("before"), body as Entry.Body],
      labels: label === undefined ? [] : [label as Session.Label]
    })
  )
  if (Exit.isSuccess(exit)) return true
  const defect = exit.cause.reasons.find(Cause.isDieReason)?.defect
  assert.instanceOf(defect, SessionStore.EntryRefused, Cause.pretty(exit.cause))
  assert.isBelow(defect.message.length, 1500)
  return false
})

export const unreadableSpec = (it: Vitest.MethodsNonLive<SessionStore.SessionStore>): void => {
  it.effect.prop(
    "every committed entry is readable, and a refused entry leaves no trace",
    [arbitraryBody],
    ([body]) =>
      Effect.gen(function* () {
        const store = yield* SessionStore.SessionStore
        const lease = yield* Sample.openTree(1)
        const journal = yield* journalOf(lease.treeId, lease)
        const before = yield* store.entries(lease.treeId, 0, 100)
        const isTaken = yield* taken(journal, body)
        const after = yield* store.entries(lease.treeId, 0, 100)
        assert.deepStrictEqual(after.slice(0, 2), before)
        assert.lengthOf(after, isTaken ? 4 : 2)
        for (const entry of after) {
          // Reads the value as any reader would, regardless of the store's encoding.
          const stored: unknown = JSON.parse(Canonical.stringify(entry))
          yield* Schema.decodeUnknownEffect(Entry.Entry, { onExcessProperty: "error" })(stored)
        }
        // The session continues to work, here and in later processes.
        assert.isTrue(yield* taken(journal, Sample.message("after")))
        const next = yield* journalOf(lease.treeId, lease)
        assert.strictEqual(next.state.nextSeq, journal.state.nextSeq)
        assert.deepStrictEqual(next.prompt.messages.length, journal.prompt.messages.length)
      }),
    { arbitrary: { runs: 300 } }
  )

  it.effect.each(hostile)(
    "a part that is %s is taken where it reads back, and refused where it does not",
    ([, value]) =>
      Effect.gen(function* () {
        const lease = yield* Sample.openTree(0)
        const journal = yield* journalOf(lease.treeId, lease)
        for (const body of [
          value,
          { ...Sample.message("x"), text: value },
          { ...Sample.message("x"), media: value },
          { ...Sample.message("x"), media: [value] },
          { ...Sample.message("x"), surplus: value },
          { _tag: "StepStarted", turn: 1, step: 1, model: "m", reservedTokens: value }
        ]) {
          yield* taken(journal, body)
        }
        const { state } = yield* journalOf(lease.treeId, lease)
        assert.strictEqual(state.nextSeq, journal.state.nextSeq)
      })
  )

  it.effect("a label that there is none of is refused", () =>
    Effect.gen(function* () {
      const lease = yield* Sample.openTree(0)
      const journal = yield* journalOf(lease.treeId, lease)
      assert.isFalse(yield* taken(journal, Sample.message("x"), "secret"))
      assert.isTrue(yield* taken(journal, Sample.message("x"), "private"))
    })
  )
}
