/** `/new`, `/sessions` and `/fork`: the conversation goes on in another session. */
import type { Session } from "@bough/protocol"
import { Fork, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as FindSession from "@bough/host/session/FindSession"
import { toCliFailure } from "../../Failures.ts"
import { usage } from "../../CliFailure.ts"
import type { ConversationContext, CommandEffect } from "./ConversationContext.ts"
import type { Open } from "./OpenedSession.ts"
import { resumeTarget } from "./resumeTarget.ts"

export const sessions = (conversing: ConversationContext, open: Open, given: string): CommandEffect =>
  Effect.gen(function* () {
    const { place } = conversing
    const chosen = given === "" ? yield* choose(conversing, open) : given
    if (chosen === null) return "here"
    const sessionId = yield* Effect.mapError(FindSession.byId(chosen), toCliFailure)
    if (sessionId === open.session.sessionId) {
      place.note("that session is open already")
      return "here"
    }
    place.note(`session ${sessionId}`)
    return { ...open, which: { session: sessionId, continue: false }, isNew: true }
  })

/** A session of its own; the old one can be opened again. */
export const begin = (conversing: ConversationContext, open: Open): CommandEffect =>
  Effect.sync(() => {
    conversing.place.note("new session: /sessions returns to the one before")
    return { ...open, which: { session: null, continue: false }, isNew: true }
  })

const mostSessions = 15

const choose = Effect.fnUntraced(function* ({ place, settings }: ConversationContext, { session }: Open) {
  const store = yield* SessionStore.SessionStore
  const { workspaceRoot } = settings
  const found = yield* store.list({ workspaceRoot, limit: mostSessions }).pipe(Effect.mapError(toCliFailure))
  if (found.length > 0) {
    return yield* place.choose({
      command: "sessions",
      now: session.sessionId,
      options: found.map((summary) => [summary.sessionId, textOf(summary, session.sessionId)]),
      knownBy: "text",
      hint: "/sessions ID opens one; a prefix of the id is enough"
    })
  }
  place.note("no sessions in this workspace yet")
  return null
})

const textOf = ({ sessionId, state, title, updatedAtMillis }: Session.Summary, open: Session.SessionId): string => {
  const when = new Date(updatedAtMillis).toISOString().slice(0, 16).replace("T", " ")
  return `${title} · ${when} · ${state}${sessionId === open ? " (this one)" : ""}`
}

export const fork = (conversing: ConversationContext, open: Open, given: string): CommandEffect =>
  Effect.gen(function* () {
    const { place } = conversing
    const at = given === "" ? null : Number(given)
    if (at !== null && !Number.isSafeInteger(at)) {
      return yield* usage(
        `/fork takes the number of an entry, not ${JSON.stringify(given)}`,
        '"bough sessions show ID" numbers the entries'
      )
    }
    const { session } = yield* resumeTarget(open.session.sessionId)
    if (session === null) {
      place.note("nothing to fork yet")
      return "here"
    }
    const forked = yield* Fork.fork(session, at).pipe(Effect.mapError(toCliFailure))
    place.note(`forked ${session}; this is now session ${forked}`)
    return { ...open, which: { session: forked, continue: false }, isNew: false }
  })
