/** Finds the stored session that a user names by its id, by a prefix of it, or as the newest one. */
import type { Session as SessionData } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { invalid } from "../HostFailure.ts"
import * as IdPrefix from "./IdPrefix.ts"

/** Selects a session by its id or a prefix of it, else the newest with `continue`, else a new one. */
export interface SessionTarget {
  readonly session: string | null
  readonly continue: boolean
}

/** The number of sessions that are searched, newest first. */
const searchLimit = 1_000

/** The agent of the session; `isChosen` is false if the user named none and the app's default is used. */
export interface WantedAgent {
  readonly name: string
  readonly isChosen: boolean
}

/** Finds the session to open in a workspace; null: a new one. */
export const find = Effect.fnUntraced(function* (target: SessionTarget, workspaceRoot: string, agent: WantedAgent) {
  const sessionId = yield* locate(target, workspaceRoot, agent.isChosen ? agent.name : null)
  if (sessionId !== null) yield* ofAgent(sessionId, agent)
  return sessionId
})

/** Finds the session that a user names, of any agent; the newest one is the newest of `agent`, if that is not null. */
export const locate = Effect.fnUntraced(function* (target: SessionTarget, workspaceRoot: string, agent: string | null) {
  if (target.session !== null) return yield* ofWorkspace(yield* byId(target.session), workspaceRoot)
  return target.continue ? yield* newestIn(workspaceRoot, agent ?? undefined) : null
})

/** Fails for another agent than the one with which the session was opened: the other agent might have more tools. */
const ofAgent = Effect.fnUntraced(function* (sessionId: SessionData.SessionId, { isChosen, name }: WantedAgent) {
  const store = yield* SessionStore.SessionStore
  const { agent } = yield* store.session(sessionId)
  if (agent === name) return
  return yield* invalid(
    `session ${sessionId} belongs to the agent ${agent}, not to ${name}`,
    isChosen ? "omit --agent, or start a new session with it" : `add --agent ${agent}`
  )
})

/** A session continues in its own folder, or in the given workspace if that folder was removed or renamed. */
const ofWorkspace = Effect.fnUntraced(function* (sessionId: SessionData.SessionId, workspaceRoot: string) {
  const store = yield* SessionStore.SessionStore
  const began = (yield* store.session(sessionId)).workspaceRoot
  if (began === workspaceRoot || !existsSync(began)) return sessionId
  return yield* invalid(
    `session ${sessionId} works in ${began}, not in ${workspaceRoot}`,
    `go there, or add --cwd ${began}`
  )
})

const newestIn = Effect.fnUntraced(function* (workspaceRoot: string, agent?: string) {
  const store = yield* SessionStore.SessionStore
  const newest = yield* newestConversation(store, { workspaceRoot, ...(agent === undefined ? {} : { agent }) })
  const whose = agent === undefined ? "" : ` of the agent ${agent}`
  return newest === null
    ? yield* invalid(`there is no session${whose} in ${workspaceRoot} yet`, "", "StartSession")
    : newest
})

/** The number of a session's first entries that are searched for a message of the user. */
const firstEntries = 32

/** Finds the newest session with a message of the user: single calls are sessions without one. */
const newestConversation = Effect.fnUntraced(function* (
  store: SessionStore.SessionStore["Service"],
  filter: Pick<SessionStore.ListOptions, "workspaceRoot" | "agent">
) {
  for (const { sessionId } of yield* store.list({ ...filter, limit: searchLimit })) {
    const entries = yield* store.entries(sessionId, 0, firstEntries)
    if (entries.some(({ body }) => body._tag === "UserMessage")) return sessionId
  }
  return null
})

/** Returns a session by its id or a prefix; null: the newest one with a user message. */
export const byIdOrNewest = (idOrPrefix: string | null, workspaceRoot: string) =>
  idOrPrefix === null ? newestIn(workspaceRoot) : byId(idOrPrefix)

const sessions: IdPrefix.IdListing<SessionData.Summary> = {
  idOf: ({ sessionId }) => sessionId,
  plural: "sessions",
  lists: "ListSessions"
}

/** Finds a session by its whole id, or by a prefix that no other session has. */
export const byId = Effect.fnUntraced(function* (idOrPrefix: string) {
  const store = yield* SessionStore.SessionStore
  return yield* store.session(idOrPrefix).pipe(
    Effect.map(({ sessionId }) => sessionId),
    Effect.catchTag("SessionNotFound", (notFound) =>
      Effect.gen(function* () {
        const all = yield* store.list({ workspaceRoot: null, limit: searchLimit })
        const found = yield* IdPrefix.findUnique(idOrPrefix, all, sessions)
        return found === null ? yield* notFound : found.sessionId
      })
    )
  )
})
