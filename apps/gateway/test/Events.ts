/** Reads the frames of a stream of server-sent events. */
import type { Frame } from "@bough/gateway-api"
import type { Entry } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Gateway } from "./Gateway.ts"

export interface ReceivedFrame {
  readonly id: string | null
  readonly frame: Frame.Frame
}

const received = (block: string): ReadonlyArray<ReceivedFrame> => {
  const lines = block.split("\n")
  const data = lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice(6))
  const id = lines.find((line) => line.startsWith("id: "))?.slice(4) ?? null
  return data.length === 0 ? [] : [{ id, frame: JSON.parse(data.join("\n")) as Frame.Frame }]
}

export interface EventsOptions {
  readonly token: string
  readonly sessionId: string
  readonly query?: string
  readonly lastEventId?: string
}

/** Every frame until the server ends the stream, or the reader stops. */
export const events = ({ url }: Gateway, { lastEventId, query = "", sessionId, token }: EventsOptions) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const controller = yield* Effect.acquireRelease(
        Effect.sync(() => new AbortController()),
        (controller) => Effect.sync(() => controller.abort())
      )
      const response = yield* Effect.tryPromise(() =>
        fetch(`${url}/api/v1/sessions/${sessionId}/events${query}`, {
          headers: {
            authorization: `Bearer ${token}`,
            ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId })
          },
          signal: controller.signal
        })
      ).pipe(
        // A connection that the server closed while it was idle: the read can be repeated.
        Effect.retry({ times: 2 }),
        Effect.orDie
      )
      if (response.status !== 200) return Stream.die(new Error(`events: ${response.status}`))
      let rest = ""
      return Stream.fromReadableStream({
        evaluate: () => response.body!,
        onError: (error) => error
      }).pipe(
        Stream.decodeText(),
        Stream.flatMap((text) => {
          const blocks = (rest + text).split("\n\n")
          rest = blocks.pop() ?? ""
          return Stream.fromIterable(blocks.flatMap(received))
        })
      )
    })
  )

/** A reply after which the model is not asked again: its entry is in the journal, so a late reader gets it too. */
export const isLastReply = ({ frame }: ReceivedFrame): boolean =>
  frame._tag === "Entry" &&
  frame.entry.body._tag === "ModelReplied" &&
  frame.entry.body.parts.every(({ _tag }) => _tag !== "ToolCall")

/** The frames up to the last reply of a turn. */
export const untilReplied = (gateway: Gateway, options: EventsOptions) =>
  events(gateway, options).pipe(Stream.takeUntil(isLastReply), Stream.runCollect)

/** The frames up to a reply with exactly that text. */
export const untilSaid = (gateway: Gateway, options: EventsOptions, text: string) =>
  events(gateway, options).pipe(
    Stream.takeUntil(
      ({ frame }) =>
        frame._tag === "Entry" &&
        frame.entry.body._tag === "ModelReplied" &&
        frame.entry.body.parts.some((part) => part._tag === "Text" && part.text === text)
    ),
    Stream.runCollect
  )

export const entriesOf = (frames: ReadonlyArray<ReceivedFrame>): ReadonlyArray<Entry.Entry> =>
  frames.flatMap(({ frame }) => (frame._tag === "Entry" ? [frame.entry] : []))

/** The frames of entries from the first to that id. */
export const untilLast = (gateway: Gateway, of: { token: string; sessionId: string }, id: string) =>
  events(gateway, of).pipe(
    Stream.filter(({ frame }) => frame._tag === "Entry"),
    Stream.takeUntil((received) => received.id === id),
    Stream.runCollect
  )
