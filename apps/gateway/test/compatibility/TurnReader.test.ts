/**
 * A turn is reported once and completely. The reader may connect at any time, miss events, and read the journal again.
 */
import { Session, type Entry, type EventStream } from "@bough/protocol"
import { Reply } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { sampled } from "../../../../test/thorough.ts"
import type { TurnEvent } from "../../src/compatibility/TurnEvent.ts"
import * as TurnReader from "../../src/compatibility/TurnReader.ts"
import * as Hosting from "./hosting.ts"

const piece = Schema.Union([
  Schema.Struct({ kind: Schema.Literals(["Text", "Reasoning"]), text: Schema.NonEmptyString }),
  Schema.Struct({ kind: Schema.Literals(["look", "launch", "fail"]) })
])
const plan = Schema.Struct({
  replies: Schema.Array(Schema.Array(piece)),
  sizes: Schema.Array(Schema.Literals([1, 2, 3, 7])),
  /** The events that a reader misses: from which, how many, and how many later entries are already stored. */
  cuts: Schema.Array(Schema.Struct({ from: Schema.Natural, missed: Schema.Natural, ahead: Schema.Natural }))
})

const repliesOf = ({ replies, sizes }: typeof plan.Type): ReadonlyArray<Reply.Reply> => [
  ...replies.slice(0, 4).map((pieces) => {
    const words = pieces.flatMap((each) => ("text" in each ? [{ _tag: each.kind, text: each.text } as const] : []))
    const calls = pieces.flatMap((each) =>
      "text" in each ? [] : [{ name: each.kind, arguments: each.kind === "fail" ? {} : { key: "a", target: "moon" } }]
    )
    const reply = calls.length === 0 ? [Reply.end("stop")] : Reply.toolCalls(calls)
    return Reply.fragmented(Reply.before(words, reply), sizes.length === 0 ? [3] : sizes)
  }),
  ...Array.from({ length: 6 }, () => Reply.fragmented(Reply.text("the end"), [2]))
]

interface Recorded {
  readonly items: ReadonlyArray<EventStream.PublishedItem>
  readonly entries: ReadonlyArray<Entry.Entry>
  readonly live: ReadonlyArray<TurnEvent>
  readonly mainId: Session.SessionId
  readonly start: TurnReader.Start
}

/** Plays a turn on a real host, and keeps all published events and recorded entries. */
const record = (replies: ReadonlyArray<Reply.Reply>): Effect.Effect<Recorded> =>
  Hosting.run(
    Effect.gen(function* () {
      const { follow, host, say, sessionId: mainId, store } = yield* Hosting.make(replies, { heldEvents: 100_000 })
      const start = yield* say("go", "1")
      const live = yield* Stream.runCollect(follow(start))
      const entries = yield* store.entries(mainId, 0, 10_000)
      const items: Array<EventStream.PublishedItem> = []
      yield* host.attach(mainId, null).pipe(
        Stream.tap((item) => Effect.sync(() => void (item._tag === "Published" && items.push(item)))),
        Stream.takeUntil((item) => item._tag === "Published" && item.event._tag === "TurnEnded"),
        Stream.runDrain
      )
      return { items, entries, live, mainId, start }
    })
  ).pipe(Effect.orDie)

/** The text of a stream, however it was split, without the parts that only live readers get. */
const normal = (events: ReadonlyArray<TurnEvent>): ReadonlyArray<TurnEvent> => {
  const published: Array<TurnEvent> = []
  for (const event of events) {
    const last = published.at(-1)
    if (event._tag === "CallStarted" || event._tag === "CallProgressed" || event._tag === "Notice") continue
    if (
      (event._tag === "Text" || event._tag === "Reasoning") &&
      last?._tag === event._tag &&
      last.step === event.step
    ) {
      published[published.length - 1] = { ...last, text: last.text + event.text }
    } else published.push(event)
  }
  // The journal stores no half of a character.
  return published.map((event) => ("text" in event ? { ...event, text: event.text.toWellFormed() } : event))
}

const readAll = (
  reader: TurnReader.TurnReader,
  { entries, mainId }: Recorded,
  before: number
): ReadonlyArray<TurnEvent> => entries.slice(reader.nextSeq(mainId), before).flatMap((entry) => reader.entry(entry))

const ended = (reader: TurnReader.TurnReader, { mainId }: Recorded): ReadonlyArray<TurnEvent> => {
  const ending = reader.ending()
  return ending === null ? [] : [{ _tag: "Ended", sessionId: mainId, ...ending }]
}

/** Reads with these misses. */
const readWith = (recorded: Recorded, cuts: (typeof plan.Type)["cuts"]): ReadonlyArray<TurnEvent> => {
  const { items, mainId, start } = recorded
  const reader = TurnReader.make(mainId, start)
  const events: Array<TurnEvent> = []
  let at = 0
  for (const { ahead, from, missed } of cuts.toSorted((a, b) => a.from - b.from)) {
    const until = Math.max(at, from % (items.length + 1))
    for (const item of items.slice(at, until)) events.push(...reader.event(item))
    at = Math.min(items.length, until + (missed % 40))
    reader.gap()
    const known = at === 0 ? 0 : items[at - 1].entries
    // The row says so with the entry that ends the turn.
    reader.setState(mainId, known === recorded.entries.length ? "Suspended" : "Active")
    events.push(...readAll(reader, recorded, Math.max(known, 0) + (ahead % 5)))
  }
  for (const item of items.slice(at)) events.push(...reader.event(item))
  return [...events, ...ended(reader, recorded)]
}

describe("TurnReader", () => {
  it.effect.prop(
    "reports the same for a turn that was watched, missed in part, or read afterwards",
    [plan],
    ([given]) =>
      Effect.gen(function* () {
        const recorded = yield* record(repliesOf(given))
        const reader = TurnReader.make(recorded.mainId, recorded.start)
        const afterwards = [...readAll(reader, recorded, Infinity), ...ended(reader, recorded)]
        assert.strictEqual(afterwards.at(-1)?._tag, "Ended")
        assert.deepStrictEqual(normal(recorded.live), normal(afterwards))
        assert.deepStrictEqual(normal(readWith(recorded, given.cuts)), normal(afterwards))
        // Reading everything again reports nothing.
        assert.deepStrictEqual(
          [...readAll(reader, recorded, Infinity), ...recorded.items.flatMap((item) => normal(reader.event(item)))],
          []
        )
      }),
    sampled({ arbitrary: { runs: 60, size: 30 } })
  )
})
