/** Loads the full outputs of calls for display. The model receives only the beginning of a long output. */
import { Entry, type Event } from "@bough/protocol"
import type { BlobStore } from "@bough/runtime"
import * as Effect from "effect/Effect"

type Blobs = BlobStore.BlobStore["Service"]

/** The number of newest entries whose full output is loaded; older entries are not shown. */
const maxExpandedEntries = 100

export const forEvent = (event: Event.Event, blobs: Blobs): Effect.Effect<Event.Event> =>
  event._tag === "Recorded"
    ? Effect.map(forEntry(event.entry, blobs), (entry) => ({ ...event, entry }))
    : Effect.succeed(event)

export const forEntries = (
  entries: ReadonlyArray<Entry.Entry>,
  blobs: Blobs
): Effect.Effect<ReadonlyArray<Entry.Entry>> =>
  Effect.forEach(entries, (entry, at) =>
    at < entries.length - maxExpandedEntries ? Effect.succeed(entry) : forEntry(entry, blobs)
  )

const forEntry = (entry: Entry.Entry, blobs: Blobs): Effect.Effect<Entry.Entry> => {
  const { body } = entry
  return body._tag === "CallEnded"
    ? Effect.map(forOutcome(body.outcome, blobs), (outcome) => ({ ...entry, body: { ...body, outcome } }))
    : Effect.succeed(entry)
}

/** If a blob cannot be read, the text stays truncated. */
const forOutcome = (outcome: Entry.Outcome, blobs: Blobs): Effect.Effect<Entry.Outcome> => {
  if (outcome._tag !== "Succeeded" || Entry.blobsOf(outcome).length === 0) return Effect.succeed(outcome)
  const { output, outputBlob, text, textBlob } = outcome
  return Effect.zipWith(
    outputBlob === null ? Effect.succeed(output) : readWhole(blobs, outputBlob, output),
    text === undefined || textBlob === undefined ? Effect.succeed(text) : readWhole(blobs, textBlob, text),
    (output, text) => ({ ...outcome, output, ...(text === undefined ? {} : { text }) })
  )
}

const readWhole = (blobs: Blobs, digest: string, cut: string): Effect.Effect<string> =>
  blobs.get(digest).pipe(
    Effect.map((bytes) => (bytes === null ? cut : new TextDecoder().decode(bytes))),
    Effect.catch(() => Effect.succeed(cut))
  )
