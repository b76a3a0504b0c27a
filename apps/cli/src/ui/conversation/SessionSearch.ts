/** Finds sessions of a workspace by their titles, and by the words that were said in them. */
import type { Settings } from "@bough/host/config/Settings"
import * as SecretPatterns from "@bough/memory/SecretPatterns"
import type { Session } from "@bough/protocol"
import type { SessionStore } from "@bough/runtime"
import { NoteWords } from "@bough/text"
import { ConversationIndex } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as MessageQuote from "../../format/MessageQuote.ts"

export interface SessionMatch {
  readonly summary: Session.Summary
  /** The best passage; "": only the title matches. */
  readonly quote: string
}

/** Searches with the words of a query. A fault of the store or of the index finds nothing. */
export type SessionSearch = (query: string) => Effect.Effect<ReadonlyArray<SessionMatch>>

const maxOfEach = 20
/** The number of passages that are read per session, since the best ones may be of one session. */
const passagesOfEach = 5

export const make = Effect.fnUntraced(function* (
  store: SessionStore.SessionStore["Service"],
  { environment: { user }, workspace: { root: workspaceRoot } }: Settings
) {
  const index = Option.getOrNull(yield* Effect.serviceOption(ConversationIndex.ConversationIndex))
  const search: SessionSearch = Effect.fnUntraced(
    function* (query) {
      const titled = yield* store.list({ workspaceRoot, titleContains: query.trim(), limit: maxOfEach })
      const found = new Map(
        titled.map((summary): [string, SessionMatch] => [summary.sessionId, { summary, quote: "" }])
      )
      if (index === null || user === null || NoteWords.queryWords(query).length === 0) return [...found.values()]
      yield* catchUp(index)
      const limit = maxOfEach * passagesOfEach
      const { messages } = yield* index.search({
        user,
        text: query,
        limit,
        workspaceRoot,
        without: null,
        catchUp: some
      })
      for (const passage of messages) {
        const { sessionId } = passage
        const known = found.get(sessionId)
        if (known !== undefined && known.quote !== "") continue
        const summary = known?.summary ?? (yield* store.session(sessionId))
        found.set(sessionId, { summary, quote: redact(MessageQuote.quote(passage, query)) })
      }
      return [...found.values()]
    },
    Effect.orElseSucceed(() => [])
  )
  return search
})

const redact = (text: string): string => SecretPatterns.redact(text).text

/** The entries that one run indexes: the screen answers keys between two runs. */
const some: ConversationIndex.CatchUp = { redact, maxEntries: 200 }

const catchUp = Effect.fnUntraced(function* (index: ConversationIndex.ConversationIndex["Service"]) {
  while ((yield* index.catchUp(some)) > 0) yield* Effect.sleep(0)
})
