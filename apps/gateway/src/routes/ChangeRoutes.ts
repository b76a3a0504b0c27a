/** Handlers of changed files. */
import { Api, Authorization, Limits, Problem } from "@bough/gateway-api"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Schema from "effect/Schema"
import { OwnSessions } from "../sessions/OwnSessions.ts"
import * as SessionChanges from "../sessions/SessionChanges.ts"
import { UserHosts } from "../sessions/UserHosts.ts"

const Cursor = Schema.fromJsonString(Schema.Struct({ skip: Schema.Natural, throughCommit: Schema.Natural }))
const decodeCursor = Schema.decodeUnknownEffect(Cursor)

const encode = (cursor: SessionChanges.ChangesCursor): string =>
  Buffer.from(JSON.stringify(cursor)).toString("base64url")

const decode = (text: string): Effect.Effect<SessionChanges.ChangesCursor, Problem.InvalidRequest> =>
  Effect.mapError(
    decodeCursor(Buffer.from(text, "base64url").toString()),
    () => new Problem.InvalidRequest({ detail: "the cursor is not one of this list" })
  )

export const layer = HttpApiBuilder.group(
  Api.Api,
  "changes",
  Effect.fnUntraced(function* (handlers) {
    const ownSessions = yield* OwnSessions
    const hostOf = yield* UserHosts
    const store = yield* SessionStore.SessionStore
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ params, query }) {
        const session = yield* ownSessions.find(params.sessionId)
        const host = hostOf(Authorization.userKey(yield* Authorization.CurrentPrincipal))
        const { items, next } = yield* SessionChanges.read(host, session, {
          turn: query.turn ?? 0,
          limit: query.limit ?? Limits.limits.changesPageSize,
          after: query.cursor === undefined ? null : yield* decode(query.cursor)
        }).pipe(
          Effect.provideService(SessionStore.SessionStore, store),
          // The states are stored for a limited time; the operator may have turned them off.
          Effect.catchTags({
            SnapshotsMissing: () =>
              Effect.fail(new Problem.NotFound({ detail: "the states of the workspace are no longer stored" })),
            HostFailure: ({ message }) => Effect.fail(new Problem.NotFound({ detail: message })),
            FilesChanged: Effect.die,
            JournalCorrupt: Effect.die,
            RestoreIncomplete: Effect.die,
            SessionNotFound: Effect.die,
            SnapshotFailed: Effect.die,
            StoreFailed: Effect.die
          })
        )
        return { items, next: next === null ? null : encode(next) }
      })
    })
  })
)
