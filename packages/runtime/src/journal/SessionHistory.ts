/** Earlier sessions for the tools that read them: only the sessions of the calling user. */
import { Canonical, type Entry, Session, ToolError } from "@bough/protocol"
import type { History, Invocation } from "@bough/tool"
import * as Effect from "effect/Effect"
import { SessionStore } from "../ports/SessionStore.ts"

type Store = SessionStore["Service"]

/** The maximum number of sessions that one query by user and time scans. */
const maxSessions = 1000

const failed = ({ message }: { readonly message: string }) => new ToolError.ExecutionError({ message })

const unknown = (sessionId: string) =>
  new ToolError.ValidationError({
    message: `there is no session ${sessionId} of this user: list_tasks gives their ids`,
    issues: []
  })

/** Returns a line about an entry; null: the entry has no text for users. */
const lineOf = ({ body, seq }: Entry.Entry): History.HistoryLine | null => {
  switch (body._tag) {
    case "UserMessage":
      return { seq, from: "user", text: body.text }
    case "ModelReplied": {
      const text = body.parts.flatMap((part) => (part._tag === "Text" ? [part.text] : [])).join("\n")
      return text === "" ? null : { seq, from: "agent", text }
    }
    case "CallEnded":
      return body.outcome._tag === "Succeeded"
        ? { seq, from: "tool", text: `${body.tool}: ${body.outcome.display}` }
        : { seq, from: "tool", text: `${body.tool}: ${body.outcome._tag}` }
    case "SessionOpened":
    case "ContextAdded":
    case "StepStarted":
    case "ApprovalAsked":
    case "ApprovalDecided":
    case "CallStarted":
    case "CallDeferred":
    case "ChildSpawned":
    case "ChildEnded":
    case "RuleGiven":
    case "RuleRevoked":
    case "CommandEnded":
    case "Compacted":
    case "SamplingStarted":
    case "SamplingEnded":
    case "StateChanged":
    case "SessionEnded":
      return null
  }
}

const pageOf = <A>(
  entries: ReadonlyArray<Entry.Entry>,
  limit: number,
  item: (entry: Entry.Entry) => A | null
): History.HistoryPage<A> => ({
  items: entries.map(item).filter((found) => found !== null),
  nextSeq: entries.length < limit ? null : (entries.at(-1)?.seq ?? 0) + 1
})

/** Returns the user that a session was opened for; null: it has none, or does not exist. */
const userOf = (store: Store, sessionId: Session.SessionId): Effect.Effect<string | null> =>
  store.entries(sessionId, 0, 1).pipe(
    Effect.map(([first]) => (first?.body._tag === "SessionOpened" ? first.body.user : null)),
    Effect.orElseSucceed(() => null)
  )

/** Makes the History of a call. */
export const make: Effect.Effect<
  (caller: Invocation.Invocation["Service"]) => History.History["Service"],
  never,
  SessionStore
> = Effect.map(SessionStore, (store) => ({ user }) => {
  const entries = (sessionId: Session.SessionId, { fromSeq, limit }: History.HistoryRange) =>
    Effect.gen(function* () {
      if (user === null || (yield* userOf(store, sessionId)) !== user) return yield* unknown(sessionId)
      return yield* Effect.mapError(store.entries(sessionId, fromSeq, limit), failed)
    })

  return {
    list: ([fromMillis, toMillis], limit) =>
      Effect.gen(function* () {
        const all = yield* Effect.mapError(store.list({ workspaceRoot: null, limit: maxSessions }), failed)
        const found: Array<Session.Summary> = []
        for (const summary of all) {
          if (found.length === limit) break
          if (summary.updatedAtMillis < fromMillis || summary.updatedAtMillis >= toMillis) continue
          if (user !== null && (yield* userOf(store, summary.sessionId)) === user) found.push(summary)
        }
        return found
      }),
    replay: (sessionId, range) => Effect.map(entries(sessionId, range), (page) => pageOf(page, range.limit, lineOf)),
    archive: (sessionId, range) =>
      Effect.map(entries(sessionId, range), (page) => pageOf(page, range.limit, (entry) => Canonical.stringify(entry)))
  }
})
