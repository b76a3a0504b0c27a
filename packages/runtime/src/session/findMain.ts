/** Finds the session that a caller wants to open. */
import type { Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SessionNotFound, SessionStore, StoreFailed } from "../ports/SessionStore.ts"

/** The session belongs to the tree of another session: only a Main can be opened directly. */
export class NotAMain extends Schema.TaggedError<NotAMain>()("NotAMain", {
  sessionId: Schema.String,
  treeId: Schema.String
}) {
  override get message(): string {
    return `session ${this.sessionId} works for session ${this.treeId}, and is opened with it`
  }
}

/** Finds the id of a Main by a prefix. */
export const findMain = (
  store: SessionStore["Service"],
  id: string
): Effect.Effect<Session.SessionId, SessionNotFound | NotAMain | StoreFailed> =>
  Effect.flatMap(store.session(id), ({ kind, sessionId, treeId }) =>
    kind === "Main" ? Effect.succeed(sessionId) : Effect.fail(new NotAMain({ sessionId, treeId }))
  )
