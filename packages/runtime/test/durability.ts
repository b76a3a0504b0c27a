/**
 * The promise about power cuts: which batches are synced before the work continues. `Durability.table` of the runtime
 * is the implementation; this list is written separately by hand, and `hold` checks every commit of a test's store
 * against it.
 */
import type { Batch, Entry } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SessionStore } from "../src/index.ts"

/** Kinds that are synced before the work continues, wherever they are committed. */
export const alwaysFull: ReadonlySet<Entry.Body["_tag"]> = new Set([
  "ApprovalAsked",
  "ApprovalDecided",
  "CallStarted",
  "ChildSpawned",
  "ChildEnded",
  "RuleGiven",
  "RuleRevoked",
  "CommandEnded",
  "Compacted",
  "SessionEnded"
])

/** The Safe tools of the tests: a call whose end is lost runs again, though an approval may have left an intent. */
const safeTools: ReadonlySet<string> = new Set([
  "look",
  "fail",
  "wait_for_sessions",
  "nothing",
  "run_chain",
  "read_earlier",
  "visit",
  "find",
  "open_file"
])

/** The required durability of a batch with an entry; "Either": the end of a call that ran nothing. */
type Need = Batch.Durability | "Either"

/** `hasStarted`: an intent of the call is stored. */
const needOf = (body: Entry.Body, hasStarted: (toolCallId: string) => boolean): Need => {
  if (body._tag === "CallEnded" && !safeTools.has(body.tool)) return hasStarted(body.toolCallId) ? "Full" : "Either"
  return mustBeFull(body) ? "Full" : "Relaxed"
}

const mustBeFull = (body: Entry.Body): boolean => {
  if (body._tag === "SessionOpened") return body.terms !== undefined
  if (body._tag === "ModelReplied") return body.parts.every(({ _tag }) => _tag !== "ToolCall")
  if (body._tag === "StateChanged") return body.state !== "Active"
  return alwaysFull.has(body._tag)
}

/** Checks batches in their order, and returns the fault in the durability of each, or null. */
export const makeCheck = () => {
  const started = new Set<string>()
  return ({ durability, entries }: Batch.Batch): string | null => {
    const keyOf = (sessionId: string, toolCallId: string) => `${sessionId} ${toolCallId}`
    const needs = new Set(
      entries.map(({ body, sessionId }) => needOf(body, (toolCallId) => started.has(keyOf(sessionId, toolCallId))))
    )
    for (const { body, sessionId } of entries) {
      if (body._tag === "CallStarted") started.add(keyOf(sessionId, body.toolCallId))
    }
    const needed = needs.has("Full") ? "Full" : "Relaxed"
    // A session that is stored complete, without a pending message, is synced at once.
    const isWhole = entries[0]?.body._tag === "SessionOpened"
    if (durability === needed || (durability === "Full" && (isWhole || needs.has("Either")))) return null
    return `${entries.map(({ body }) => nameOf(body)).join(", ")} was committed ${durability}, not ${needed}`
  }
}

const nameOf = (body: Entry.Body): string => (body._tag === "CallEnded" ? `CallEnded of ${body.tool}` : body._tag)

/**
 * A session store that records each commit of the wrong durability, and fails the test that made it when it is closed.
 */
export const hold = Layer.effect(
  SessionStore.SessionStore,
  Effect.gen(function* () {
    const store = yield* SessionStore.SessionStore
    const wrong: Array<string> = []
    const wrongIn = makeCheck()
    yield* Effect.addFinalizer(() => (wrong.length === 0 ? Effect.void : Effect.die(new Error(wrong.join("\n")))))
    const commit = (batch: Batch.Batch) => {
      const found = wrongIn(batch)
      if (found !== null) wrong.push(found)
      return store.commit(batch)
    }
    return { ...store, commit }
  })
)
