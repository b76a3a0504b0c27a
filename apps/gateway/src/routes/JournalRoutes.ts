/** Handlers of trees, entries and event streams. */
import { Api, Authorization, Frame, Problem } from "@bough/gateway-api"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as EventStreams from "../events/EventStreams.ts"
import { OpenStreams } from "../events/OpenStreams.ts"
import * as SocketFrames from "../events/SocketFrames.ts"
import { OwnSessions } from "../sessions/OwnSessions.ts"
import * as TreeFacts from "../sessions/TreeFacts.ts"

const defaultLimit = 100

/** The start of a stream: the reader's position, or the first entry. */
const startPosition = (after: string | undefined, lastEventId: string | undefined) => {
  // A reconnecting reader sends its position, which takes precedence over the URL.
  const positionText = lastEventId === undefined || lastEventId === "" ? after : lastEventId
  if (positionText === undefined) return Effect.succeed(null)
  if (positionText === "latest") return Effect.succeed("latest" as const)
  const position = Frame.parse(positionText)
  return position === null
    ? Effect.fail(new Problem.InvalidRequest({ detail: "the id is not one of this stream" }))
    : Effect.succeed(position)
}

export const layer = HttpApiBuilder.group(
  Api.Api,
  "journal",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* SessionStore.SessionStore
    const ownSessions = yield* OwnSessions
    const streams = yield* EventStreams.EventStreams
    const open = yield* OpenStreams
    const takeStream = ({ tokenId }: Authorization.Principal) =>
      Effect.mapError(
        open.take(tokenId),
        ({ message: detail }) => new Problem.TooManyRequests({ code: "quota_exceeded", quota: "streams", detail })
      )
    const facts = TreeFacts.make(store)
    return handlers.handleAll({
      tree: Effect.fnUntraced(function* ({ params }) {
        const { treeId } = yield* ownSessions.find(params.sessionId)
        const sessions = yield* Effect.orDie(store.sessionsOf(treeId))
        return {
          treeId,
          sessions: yield* Effect.forEach(sessions, (session) =>
            Effect.map(facts.read(session), (found) => ({ ...ownSessions.view(session), ...found }))
          )
        }
      }),
      entries: Effect.fnUntraced(function* ({ params, query }) {
        const { sessionId } = yield* ownSessions.find(params.sessionId)
        const limit = query.limit ?? defaultLimit
        const found = yield* Effect.orDie(store.entries(sessionId, query.fromSeq ?? 0, limit + 1))
        const items = found.slice(0, limit)
        const last = items.at(-1)
        return { items, nextSeq: found.length > limit && last !== undefined ? last.seq + 1 : null }
      }),
      events: Effect.fnUntraced(function* ({ headers, params, query, request }) {
        const principal = yield* Authorization.CurrentPrincipal
        const session = yield* ownSessions.find(params.sessionId)
        const after = yield* startPosition(query.after, headers["last-event-id"])
        yield* takeStream(principal)
        return streams.respond({ session, after, principal, request })
      }),
      socket: Effect.fnUntraced(function* ({ params, query, request }) {
        const principal = yield* Authorization.CurrentPrincipal
        const session = yield* ownSessions.find(params.sessionId)
        const after = yield* startPosition(query.after, undefined)
        yield* takeStream(principal)
        const detail = "open a WebSocket here: this address answers no other request"
        const socket = yield* Effect.mapError(request.upgrade, () => new Problem.InvalidRequest({ detail }))
        yield* SocketFrames.send(socket, streams.frames({ session, after, principal, request }))
        return HttpServerResponse.empty()
      })
    })
  })
)
