/** Excerpts of earlier sessions: messages of the user and the model, without text that looks like a secret. */
import type { Session } from "@bough/protocol"
import type { ConversationIndex, MemoryRead, NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Excerpt from "./Excerpt.ts"
import * as SecretPatterns from "./SecretPatterns.ts"

export interface Conversations {
  /** `without`: the calling session; null: there is none. */
  readonly search: (
    who: { readonly user: string; readonly without: Session.SessionId | null },
    query: MemoryRead.ConversationQuery
  ) => Effect.Effect<MemoryRead.ConversationSearch, NoteStore.NoteStoreFailed>
  /** Indexes new messages within a bound, or rebuilds the whole index. */
  readonly index: (how: "more" | "rebuild") => Effect.Effect<number, NoteStore.NoteStoreFailed>
}

/** The number of entries that are indexed before a search: 1.4 s of processor time on a 2-core Linux machine. */
const beforeSearch = 20_000
/** The number of entries that are indexed in the background. */
const inBackground = 1000

const redact = (text: string): string => SecretPatterns.redact(text).text

export const make = (index: ConversationIndex.ConversationIndex["Service"]): Conversations => ({
  search: Effect.fnUntraced(function* (who, { limit, text, workspaceRoot }) {
    const query = { ...who, text, limit, catchUp: { redact, maxEntries: beforeSearch } }
    const here = yield* index.search({ ...query, workspaceRoot })
    const anywhere = here.messages.length < limit ? yield* index.search({ ...query, workspaceRoot: null }) : here
    const known = new Set(here.messages.map((message) => message.text))
    const excerpts = [...here.messages, ...anywhere.messages.filter((one) => !known.has(one.text))].slice(0, limit)
    return {
      messages: excerpts.map((one) => ({ ...one, text: Excerpt.cut(redact(one.text), text) })),
      notIndexed: anywhere.unindexed
    }
  }),
  index: (how) =>
    index.catchUp({ redact, maxEntries: how === "rebuild" ? Infinity : inBackground, rebuild: how === "rebuild" })
})
