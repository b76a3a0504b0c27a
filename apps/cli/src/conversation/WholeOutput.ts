/** What a call gave back, whole: the model is told the beginning of what is long, a person can see all of it. */
import { Entry, type Event } from "@bough/protocol"
import type { BlobStore } from "@bough/runtime"
import * as Effect from "effect/Effect"

type Blobs = BlobStore.BlobStore["Service"]

/** Entries at the end whose output is filled in: what is older is not shown. */
const newest = 100

export const ofEvent = (event: Event.Event, blobs: Blobs): Effect.Effect<Event.Event> =>
  event._tag === "ToolEnded"
    ? Effect.map(ofOutcome(event.outcome, blobs), (outcome) => ({ ...event, outcome }))
    : Effect.succeed(event)

export const ofEntries = (
  entries: ReadonlyArray<Entry.Entry>,
  blobs: Blobs
): Effect.Effect<ReadonlyArray<Entry.Entry>> =>
  Effect.forEach(entries, (entry, at) => (at < entries.length - newest ? Effect.succeed(entry) : ofEntry(entry, blobs)))

const ofEntry = (entry: Entry.Entry, blobs: Blobs): Effect.Effect<Entry.Entry> => {
  const { body } = entry
  return body._tag === "CallEnded"
    ? Effect.map(ofOutcome(body.outcome, blobs), (outcome) => ({ ...entry, body: { ...body, outcome } }))
    : Effect.succeed(entry)
}

/** A blob that cannot be read leaves the text as it was cut. */
const ofOutcome = (outcome: Entry.Outcome, blobs: Blobs): Effect.Effect<Entry.Outcome> => {
  if (outcome._tag !== "Succeeded") return Effect.succeed(outcome)
  const blob = Entry.modelBlob(outcome)
  if (blob === null) return Effect.succeed(outcome)
  return blobs.get(blob).pipe(
    Effect.map((bytes) => {
      if (bytes === null) return outcome
      const whole = new TextDecoder().decode(bytes)
      return outcome.text === undefined ? { ...outcome, output: whole } : { ...outcome, text: whole }
    }),
    Effect.catch(() => Effect.succeed(outcome))
  )
}
