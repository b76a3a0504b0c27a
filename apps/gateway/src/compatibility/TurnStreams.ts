/** The events of a turn for one reader, and their frames as a response. */
import type { Authorization } from "@bough/gateway-api"
import { Limits } from "@bough/gateway-api"
import { Usage } from "@bough/protocol"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Accounts } from "../accounts/Accounts.ts"
import { OpenStreams } from "../events/OpenStreams.ts"
import * as UnreadResponse from "../events/UnreadResponse.ts"
import { Drain } from "../operations/Drain.ts"
import * as FailuresLive from "../operations/FailuresLive.ts"
import type { Failure } from "./FollowTurn.ts"
import { HostedTurns } from "./HostedTurns.ts"
import * as Sse from "./ServerSentEvents.ts"
import type { TurnEvent } from "./TurnEvent.ts"
import { TurnRefused } from "./TurnRefused.ts"
import type { OpenedTurn } from "./TurnStart.ts"

export class TurnStreams extends Context.Service<
  TurnStreams,
  {
    /** Counts the stream of this request against the limit of its token, until the response was sent. */
    readonly take: (principal: Authorization.Principal) => Effect.Effect<void, TurnRefused, Scope.Scope>
    /** The stream always ends with Ended, which gives the reason if the stream is cut. */
    readonly events: (principal: Authorization.Principal, opened: OpenedTurn) => Stream.Stream<TurnEvent>
    /**
     * Counts the response to this request; the connection is cut if a reader who has lost access does not read the end.
     */
    readonly responseEvents: (
      principal: Authorization.Principal,
      opened: OpenedTurn
    ) => Effect.Effect<Stream.Stream<TurnEvent>, never, HttpServerRequest.HttpServerRequest>
  }
>()("@bough/gateway/TurnStreams") {}

const make = Effect.gen(function* () {
  const turns = yield* HostedTurns
  const accounts = yield* Accounts
  const drain = yield* Drain
  const open = yield* OpenStreams

  const take = ({ tokenId }: Authorization.Principal) =>
    Effect.mapError(open.take(tokenId), ({ message }) => new TurnRefused({ reason: "too_many_streams", message }))

  const eventsUntil = (isEnded: Effect.Effect<unknown>, opened: OpenedTurn): Stream.Stream<TurnEvent> => {
    const cut = (error: string, reason: string): TurnEvent => ({
      _tag: "Ended",
      sessionId: opened.sessionId,
      status: "failed",
      reason,
      error,
      usage: Usage.zero,
      pending: [],
      positions: {}
    })
    const isDraining = Effect.as(
      drain.hasStarted,
      cut("draining", "the server is stopping; the session continues, ask again in 5 seconds")
    )
    const isLost = Effect.as(isEnded, cut("unauthenticated", "the token was revoked or has expired"))
    const ends = Stream.fromEffect(Effect.raceFirst(isDraining, isLost))
    return Stream.merge(turns.follow(opened), ends).pipe(
      Stream.catchCause((cause: Cause.Cause<Failure>) =>
        Cause.hasInterruptsOnly(cause)
          ? Stream.failCause(cause as Cause.Cause<never>)
          : Stream.fromEffect(Effect.map(failureOf(cause), ({ error, reason }) => cut(error, reason)))
      ),
      Stream.takeUntil(({ _tag }) => _tag === "Ended")
    )
  }

  return TurnStreams.of({
    events: (principal, opened) => eventsUntil(accounts.untilEnded(principal), opened),
    responseEvents: (principal, opened) =>
      Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
        eventsUntil(Effect.andThen(accounts.untilEnded(principal), UnreadResponse.cutConnection(request)), opened)
      ),
    take
  })
})

const failureOf = (cause: Cause.Cause<Failure>) => {
  const found = cause.reasons.find(Cause.isFailReason)?.error
  if (found?._tag === "TreeBusy") {
    return Effect.succeed({
      error: "session_busy",
      reason: "another process works on the session; ask again in some seconds"
    })
  }
  if (found?._tag === "SessionNotFound")
    return Effect.succeed({ error: "not_found", reason: "the session was deleted" })
  return Effect.map(FailuresLive.fromCause(cause), ({ _tag }) => ({ error: _tag, reason: "a fault of the server" }))
}

export const layer: Layer.Layer<TurnStreams, never, HostedTurns | Accounts | Drain | OpenStreams> = Layer.effect(
  TurnStreams,
  make
)

/** Responds with frames; heartbeats keep a connection without frames open. */
export const respond = (
  frames: Stream.Stream<string>,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse => {
  const heartbeats = Stream.as(Stream.drop(Stream.tick(Limits.limits.heartbeatMillis), 1), Sse.heartbeat)
  const body = Stream.merge(frames, heartbeats, { haltStrategy: "left" })
  return HttpServerResponse.stream(Stream.encodeText(body), {
    contentType: "text/event-stream",
    headers: { "cache-control": "no-store", "x-accel-buffering": "no", ...headers }
  })
}
