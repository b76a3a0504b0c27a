/** Responds with the frames of a session, over server-sent events, until the reader leaves or loses access. */
import { type Authorization, Frame, Limits, Problem } from "@bough/gateway-api"
import type { Session } from "@bough/protocol"
import { Host, SessionStore } from "@bough/runtime"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as RcMap from "effect/RcMap"
import * as Stream from "effect/Stream"
import { Accounts } from "../accounts/Accounts.ts"
import { Drain } from "../operations/Drain.ts"
import { AgentCatalog } from "../sessions/AgentCatalog.ts"
import * as FrameText from "./FrameText.ts"
import * as TreeFeed from "./TreeFeed.ts"

export interface Reading {
  readonly session: Session.Summary
  readonly after: Frame.FramePlace | null | "latest"
  readonly principal: Authorization.Principal
}

export class EventStreams extends Context.Service<
  EventStreams,
  {
    /** The frames of a session and its descendants. */
    readonly frames: (reading: Reading) => Stream.Stream<Frame.Frame>
    /** Opens the stream and counts it against the token's limit. */
    readonly counted: (reading: Reading) => Effect.Effect<Stream.Stream<Frame.Frame>, Problem.TooManyRequests>
    /** Streams that are open in this process. */
    readonly openStreams: () => number
    /** Milliseconds by which the slowest reader of this process is behind. */
    readonly lagMillis: () => number
    readonly respond: (
      reading: Reading
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, Problem.TooManyRequests>
  }
>()("@bough/gateway/EventStreams") {}

/** The time for which a feed without readers stays open, for readers that return. */
const feedIdleMillis = 30_000

/**
 * Formats a frame as an event: only frames of entries have an id, because readers resume from the last entry that they
 * have.
 */
const toEvent = (frame: Frame.Frame): string =>
  `${frame._tag === "Entry" ? `id: ${frame.id}\n` : ""}data: ${FrameText.fromFrame(frame)}\n\n`

const isBelow =
  (sessionId: Session.SessionId) =>
  (frame: Frame.Frame): boolean =>
    !("path" in frame) || frame.path.includes(sessionId)

const make = Effect.gen(function* () {
  const host = yield* Host.Host
  const store = yield* SessionStore.SessionStore
  const accounts = yield* Accounts
  const drain = yield* Drain
  const catalog = yield* AgentCatalog
  const fed = new Set<TreeFeed.TreeFeed>()
  const feeds = yield* RcMap.make({
    lookup: (treeId: Session.SessionId) =>
      Effect.acquireRelease(
        Effect.tap(TreeFeed.make({ host, store, treeId }), (feed) => Effect.sync(() => fed.add(feed))),
        (feed) => Effect.sync(() => fed.delete(feed))
      ),
    idleTimeToLive: feedIdleMillis
  })
  const open = new Map<string, number>()

  /** Returns the frame that tells readers that the session does not run because its agent is no longer offered. */
  const refusal = (session: Session.Summary): Effect.Effect<ReadonlyArray<Frame.Frame>> =>
    Effect.map(
      Effect.catchDefect(catalog.missing(session), () => Effect.succeed(null)),
      (message) => {
        const { sessionId, treeId } = session
        const place = { treeId, sessionId, path: [sessionId], turn: 0, step: 0 }
        return message === null
          ? []
          : [{ _tag: "TurnFailed", ...place, error: "NotServed", message, retryInMillis: null }]
      }
    )

  const frames = ({ after, principal, session }: Reading): Stream.Stream<Frame.Frame> => {
    let last: Frame.FrameId | null = null
    const draining: Frame.Frame = { _tag: "Resume", after: null, reason: "draining", retryAfterMillis: 5000 }
    const until = Effect.raceFirst(drain.begun, accounts.untilEnded(principal))
    const isRead = isBelow(session.sessionId)
    const feed = RcMap.get(feeds, session.treeId)
    return Stream.unwrap(
      Effect.zipWith(feed, refusal(session), (feed, first) => feed.read(after, { first, until }))
    ).pipe(
      Stream.orDie,
      Stream.filter((frame) => {
        if (frame._tag === "Entry") last = frame.id
        return isRead(frame)
      }),
      Stream.concat(
        Stream.suspend(() => (drain.isDraining() ? Stream.succeed({ ...draining, after: last }) : Stream.empty))
      )
    )
  }

  const counted = Effect.fnUntraced(function* (reading: Reading) {
    const { tokenId } = reading.principal
    if ((open.get(tokenId) ?? 0) >= Limits.limits.streamsPerToken) {
      return yield* new Problem.TooManyRequests({ code: "quota_exceeded", quota: "streams" })
    }
    return Stream.unwrap(
      Effect.map(
        Effect.acquireRelease(
          Effect.sync(() => open.set(tokenId, (open.get(tokenId) ?? 0) + 1)),
          () =>
            Effect.sync(() => {
              const left = (open.get(tokenId) ?? 1) - 1
              if (left === 0) open.delete(tokenId)
              else open.set(tokenId, left)
            })
        ),
        () => frames(reading)
      )
    )
  })

  const respond = Effect.fnUntraced(function* (reading: Reading) {
    const events = Stream.mapArray(yield* counted(reading), (frames): [Uint8Array] => [
      Buffer.from(frames.map(toEvent).join(""))
    ])
    const body = Stream.concat(Stream.succeed(Buffer.from("retry: 1000\n\n")), events)
    return HttpServerResponse.stream(body, {
      contentType: "text/event-stream",
      headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
    })
  })

  const openStreams = () => Array.from(open.values()).reduce((sum, count) => sum + count, 0)

  const lagMillis = () => Math.max(0, ...Array.from(fed, (feed) => feed.lagMillis()))

  return EventStreams.of({ counted, frames, lagMillis, openStreams, respond })
})

export const layer: Layer.Layer<
  EventStreams,
  never,
  Host.Host | SessionStore.SessionStore | Accounts | AgentCatalog | Drain
> = Layer.effect(EventStreams, make)
