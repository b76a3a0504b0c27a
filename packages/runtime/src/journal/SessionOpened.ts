/** The first entry of a Main, which is stored in one commit with the first event of the session. */
import { type Batch, Canonical, type Entry } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { SessionStore } from "../ports/SessionStore.ts"
import type { Journal } from "./Journal.ts"
import type { SessionState } from "./SessionState.ts"

/** The user, the workspace and the agent of a Main. */
export interface SessionFacts {
  /** The name of its agent. */
  readonly name: string
  /** Null: the user is not known. */
  readonly user: string | null
  readonly workspaceRoot: string
  /** The channel that the session owns; null: none. */
  readonly channel: string | null
}

type Instructions = ReadonlyArray<Pick<Entry.BodyOf<"ContextAdded">, "source" | "text">>

/** The first entries of a Main's journal. */
export interface JournalStart {
  readonly journal: Journal["Service"]
  readonly store: SessionStore["Service"]
  readonly facts: SessionFacts
  readonly instructions: Instructions
}

/** The first entry of a Main. */
export const openedBody = (
  { channel, name, user, workspaceRoot }: SessionFacts,
  openedAtMillis: number
): Entry.BodyOf<"SessionOpened"> => ({
  _tag: "SessionOpened",
  v: 1,
  kind: "Main",
  origin: { _tag: "Main", forkedFrom: null },
  agent: name,
  user,
  workspaceRoot,
  channel,
  openedAtMillis
})

const entriesOf = new WeakMap<Instructions, ReadonlyArray<Entry.BodyOf<"ContextAdded">>>()

/** The instructions of an agent as entries, digested once. */
const contextsOf = (instructions: Instructions): ReadonlyArray<Entry.BodyOf<"ContextAdded">> => {
  const known = entriesOf.get(instructions)
  if (known !== undefined) return known
  const digests = instructions.map(({ source, text }) => {
    const digest = Canonical.digestOf({ source, text })
    return { _tag: "ContextAdded", source, text, digest } as const
  })
  entriesOf.set(instructions, digests)
  return digests
}

/**
 * Opens a new Main in its journal, and adds the instructions that are new to it. `whenNew`: projections that are stored
 * with a new Main.
 */
export const openJournal = Effect.fnUntraced(function* (
  { facts, instructions, journal, store }: JournalStart,
  whenNew: ReadonlyArray<Batch.Projection> = []
) {
  const missing = ({ contexts }: SessionState) => contextsOf(instructions).filter(({ digest }) => !contexts.has(digest))
  if (journal.state.opened !== null && missing(journal.state).length === 0) return
  const openedAtMillis = yield* store.now
  // The entry is computed inside the commit: if two callers open the session at once, the second finds it open.
  yield* journal.append((state) => {
    const isNew = state.opened === null
    const opened = isNew ? [openedBody(facts, openedAtMillis)] : []
    return {
      bodies: [...opened, ...missing(state)],
      projections: isNew ? whenNew : []
    }
  })
})
