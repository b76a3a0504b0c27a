/** Which session of which conversation asks for something. */
import type { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"

/** From the Main down to the session that asks. */
export type RequestingSessions = ReadonlyArray<Pick<Session.Summary, "sessionId" | "kind" | "title" | "workspaceRoot">>

/** The sessions of a path; one that is not stored is left out. */
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

/** The same for a question, which without its place is better than none. */
export const loadOrEmpty = (
  store: SessionStore.SessionStore["Service"],
  path: ReadonlyArray<Session.SessionId>
): Effect.Effect<RequestingSessions> => Effect.orElseSucceed(load(store, path), () => [])
