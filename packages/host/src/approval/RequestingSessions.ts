/** The sessions on the path to the session that requests an approval. */
import type { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"

/** The sessions from the Main down to the requesting session. */
export type RequestingSessions = ReadonlyArray<Pick<Session.Summary, "sessionId" | "kind" | "title" | "workspaceRoot">>

/** Reads the sessions of a path; one that is not stored is left out. */
export const load = (
  store: SessionStore.SessionStore["Service"],
  path: ReadonlyArray<Session.SessionId>
): Effect.Effect<RequestingSessions, SessionStore.StoreFailed> =>
  Effect.map(
    Effect.forEach(path, (sessionId) =>
      Effect.catchTag(store.session(sessionId), "SessionNotFound", () => Effect.succeed(null))
    ),
    (found) => found.filter((summary) => summary !== null)
  )

/** Reads the sessions of a path; returns none if the store fails, so that the user is asked in any case. */
export const loadOrEmpty = (
  store: SessionStore.SessionStore["Service"],
  path: ReadonlyArray<Session.SessionId>
): Effect.Effect<RequestingSessions> => Effect.orElseSucceed(load(store, path), () => [])
