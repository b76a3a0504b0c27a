/** Responds with the frames of a session, over server-sent events, until the reader leaves or loses access. */
import type { Authorization, Frame } from "@bough/gateway-api"
import type { Session } from "@bough/protocol"
import { Host, SessionStore } from "@bough/runtime"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as RcMap from "effect/RcMap"
import * as Stream from "effect/Stream"
import { Accounts } from "../accounts/Accounts.ts"
import { Drain } from "../operations/Drain.ts"
import { AgentCatalog } from "../sessions/AgentCatalog.ts"
import * as FrameText from "./FrameText.ts"
import * as FrameWriter from "./FrameWriter.ts"
import * as ResponseChunks from "./ResponseChunks.ts"
import * as TreeFeed from "./TreeFeed.ts"
import { heartbeat } from "./TreeReader.ts"
import * as UnreadResponse from "./UnreadResponse.ts"

export interface StreamRequest {
  readonly session: Session.Summary
  readonly after: Frame.FramePosition | null | "latest"
  readonly principal: Authorization.Principal
  /** The request whose connection is cut if its reader, who has lost access, does not read the end. */
  readonly request: HttpServerRequest.HttpServerRequest
}

export class EventStreams extends Context.Service<
  EventStreams,
  {
    /** The frames of a session and its descendants. */
    readonly frames: (reading: StreamRequest) => Stream.Stream<Frame.Frame>
    /** Milliseconds by which the slowest reader of this process is behind. */
    readonly lagMillis: () => number
    /** The same frames as the response to a request. */
    readonly respond: (reading: StreamRequest) => HttpServerResponse.HttpServerResponse
  }
>()("@bough/gateway/EventStreams") {}

/** The time for which a feed without readers stays open, for readers that return. */
const feedIdleMillis = 30_000

/**
 * Formats a frame as an event: only frames of entries have an id, because readers resume from the last entry that they
 * have.
 */
const toEvent = (frame: Frame.Frame, isShared: boolean): string => {
  const data = `data: ${FrameText.fromFrame(frame, isShared)}\n\n`
  return frame._tag === "Entry" ? `id: ${frame.id}\n${data}` : data
}

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

  /** Returns the frame that tells readers that the session does not run because its agent is no longer offered. */
  const refusal = (session: Session.Summary): Effect.Effect<ReadonlyArray<Frame.Frame>> =>
    Effect.map(
      Effect.catchDefect(catalog.missing(session), () => Effect.succeed(null)),
      (message) => {
        const { sessionId, treeId } = session
        const origin = { treeId, sessionId, path: [sessionId], turn: 0, step: 0 }
        return message === null
          ? []
          : [{ _tag: "TurnFailed", ...origin, error: "NotServed", message, retryInMillis: null }]
      }
    )

  /** Opens a reader that ends with the gateway or with the access of its user. */
  const feedFor = ({ principal, request, session }: StreamRequest) => {
    const isLost = Effect.andThen(accounts.untilEnded(principal), UnreadResponse.cutConnection(request))
    return Effect.zipWith(RcMap.get(feeds, session.treeId), refusal(session), (feed, first) => ({
      feed,
      options: { first, until: Effect.raceFirst(drain.hasStarted, isLost) }
    }))
  }

  /** Selects the frames of one session for a reader, and ends its stream. */
  const makeOutlet = (sessionId: Session.SessionId) => {
    let last: Frame.FrameId | null = null
    const draining: Frame.Frame = { _tag: "Resume", after: null, reason: "draining", retryAfterMillis: 5000 }
    return {
      /** True if the reader gets the frame; called for every frame of the tree, in order. */
      passes: (frame: Frame.Frame): boolean => {
        if (frame._tag === "Entry") last = frame.id
        return !("path" in frame) || frame.path.includes(sessionId)
      },
      /** The frames at the end of the stream. */
      ending: Stream.suspend(() =>
        drain.isDraining() ? Stream.succeed<Frame.Frame>({ ...draining, after: last }) : Stream.empty
      )
    }
  }

  const frames: EventStreams["Service"]["frames"] = (reading) => {
    const { ending, passes } = makeOutlet(reading.session.sessionId)
    const read = Effect.map(feedFor(reading), ({ feed, options }) => feed.read(reading.after, options))
    return Stream.unwrap(read).pipe(Stream.orDie, Stream.filter(passes), Stream.concat(ending))
  }

  const respond: EventStreams["Service"]["respond"] = (reading) => {
    const { ending, passes } = makeOutlet(reading.session.sessionId)
    const format = (frames: ReadonlyArray<Frame.Frame>, isShared: boolean): string => {
      let text = ""
      for (const frame of frames) if (passes(frame)) text += toEvent(frame, isShared)
      return text
    }
    const response = NodeHttpServerRequest.toServerResponse(reading.request)
    const asBytes = Stream.mapArray((frames: ReadonlyArray<Frame.Frame>): [Uint8Array] => [
      Buffer.from(format(frames, false))
    ])
    const frames = Effect.gen(function* () {
      const { feed, options } = yield* feedFor(reading)
      const reader = yield* feed.open(reading.after, options)
      return asBytes(Stream.concat(Stream.succeed(heartbeat), Stream.fromIterableEffect(reader.beginning))).pipe(
        Stream.concat(
          Stream.fromEffectDrain(
            Effect.suspend(() =>
              FrameWriter.write(ResponseChunks.outletOf(response), reader, (taken) => format(taken, feed.isShared()))
            )
          )
        )
      )
    })
    const body = Stream.succeed<Uint8Array>(Buffer.from("retry: 1000\n\n")).pipe(
      Stream.concat(Stream.unwrap(frames)),
      Stream.concat(asBytes(ending))
    )
    return HttpServerResponse.stream(body, {
      contentType: "text/event-stream",
      headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
    })
  }

  const lagMillis = () => Math.max(0, ...Array.from(fed, (feed) => feed.lagMillis()))

  return EventStreams.of({ frames, lagMillis, respond })
})

export const layer: Layer.Layer<
  EventStreams,
  never,
  Host.Host | SessionStore.SessionStore | Accounts | AgentCatalog | Drain
> = Layer.effect(EventStreams, make)
