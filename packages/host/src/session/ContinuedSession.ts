/** The agent and the model of a stored session, which it keeps when it continues. */
import type { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as FindSession from "./FindSession.ts"
import * as NewestEntry from "./NewestEntry.ts"

export interface ContinuedSession {
  readonly agent: string
  /** The model of the newest step, as `provider/model`; null: only the offline demo has answered. */
  readonly model: string | null
}

/** Reads the session that a user names; null: a new one. `agent`: the agent that the user names; null: any. */
export const read = Effect.fnUntraced(function* (
  target: FindSession.SessionTarget,
  workspaceRoot: string,
  agent: string | null
) {
  const sessionId = yield* FindSession.locate(target, workspaceRoot, agent)
  if (sessionId === null) return null
  const store = yield* SessionStore.SessionStore
  const session: ContinuedSession = {
    agent: (yield* store.session(sessionId)).agent,
    model: yield* modelOf(sessionId)
  }
  return session
})

/** Returns the model of a session's newest step. The offline demo does not count: it answers if no model is configured. */
export const modelOf = (sessionId: Session.SessionId) =>
  NewestEntry.find(sessionId, (body) =>
    body._tag === "StepStarted" && !body.model.startsWith("offline/") ? body.model : null
  )
