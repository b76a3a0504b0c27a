/** Each call of a session tree, put together from the entries that tell of it, as it ends. A pure fold, bounded by what is open. */
import type { Approval, Entry, Receipt, Session } from "@bough/protocol"

/** One request for an approval; `decided` null: it was open when the entries end. */
export interface AskedCall {
  readonly request: Approval.Request
  decided: Entry.BodyOf<"ApprovalDecided"> | null
}

interface Asking {
  /** Null: a person called. */
  readonly turn: number | null
  readonly step: number | null
  readonly model: string | null
  /** The arguments as the model wrote them; null: no reply holds them. */
  readonly written: string | null
  /** What marked the session when it was asked for. */
  readonly labels: ReadonlyArray<Session.Label>
}

/** A call that has ended. */
export interface CallRecord extends Asking {
  /** Of the entry that ended it. */
  readonly id: Session.EntryId
  readonly sessionId: Session.SessionId
  /** From the Main down to the session. */
  readonly sessionPath: ReadonlyArray<Session.SessionId>
  readonly toolCallId: Session.ToolCallId
  readonly tool: string
  readonly asked: ReadonlyArray<AskedCall>
  /** Its intents, oldest first. */
  readonly started: ReadonlyArray<Entry.BodyOf<"CallStarted">>
  readonly outcome: Entry.Outcome
  /** Null: nothing of the tool ran. */
  readonly receipt: Receipt.Receipt | null
  /** It is another session's: a fork holds a copy. */
  readonly copied: boolean
}

interface Open extends Asking {
  readonly asked: Array<AskedCall>
  readonly started: Array<Entry.BodyOf<"CallStarted">>
}

interface SessionCalls {
  readonly path: ReadonlyArray<Session.SessionId>
  readonly isCopy: (entry: Entry.Entry) => boolean
  model: string | null
  readonly open: Map<Session.ToolCallId, Open>
}

/** Of the sessions of one tree, by id. */
export type CallRecordState = Map<Session.SessionId, SessionCalls>

/** Before the first entry. Changed in place by `append`. */
export const empty = (): CallRecordState => new Map()

/** Whether an entry of a session that this entry opens is another session's. */
export const copies = (first: Entry.Entry): ((entry: Entry.Entry) => boolean) => {
  const { body } = first
  if (body._tag !== "SessionOpened") return () => false
  const copied = body.terms?.copied
  if (copied !== undefined) return ({ seq }) => seq > 0 && seq <= copied
  const isFork = body.origin._tag === "Main" && body.origin.forkedFrom !== null
  return ({ commit, seq }) => isFork && seq > 0 && commit === first.commit
}

/** Takes the next entry of a session in; the call that ends with it, if one does. */
export const append = (state: CallRecordState, entry: Entry.Entry): CallRecord | null => {
  const { body } = entry
  if (body._tag === "SessionOpened") {
    state.set(entry.sessionId, {
      path: [...(body.terms?.parentPath ?? []), entry.sessionId],
      isCopy: copies(entry),
      model: null,
      open: new Map()
    })
  }
  const session = state.get(entry.sessionId)
  return session === undefined ? null : take(session, entry)
}

const take = (session: SessionCalls, entry: Entry.Entry): CallRecord | null => {
  const { body } = entry
  switch (body._tag) {
    case "StepStarted":
      session.model = body.model
      return null
    case "ModelReplied":
      if (body.completion === "complete") open(session, body, entry.labels)
      return null
    case "ApprovalAsked":
      callOf(session, body.request.toolCallId).asked.push({ request: body.request, decided: null })
      return null
    case "ApprovalDecided": {
      const asked = session.open
        .get(body.toolCallId)
        ?.asked.find(({ request }) => request.approvalId === body.approvalId)
      if (asked !== undefined) asked.decided = body
      return null
    }
    case "CallStarted":
      callOf(session, body.toolCallId).started.push(body)
      return null
    case "CallEnded":
      return end(session, entry, body)
    default:
      return null
  }
}

const open = (
  session: SessionCalls,
  { parts, step, turn }: Entry.BodyOf<"ModelReplied">,
  labels: ReadonlyArray<Session.Label>
): void => {
  for (const part of parts) {
    if (part._tag !== "ToolCall") continue
    const asking = { turn, step, model: session.model, written: part.arguments, labels }
    session.open.set(part.toolCallId, { ...asking, asked: [], started: [] })
  }
}

/** No reply asked for it: a person did. */
const byPerson = (): Open => ({
  turn: null,
  step: null,
  model: null,
  written: null,
  labels: [],
  asked: [],
  started: []
})

const callOf = (session: SessionCalls, toolCallId: Session.ToolCallId): Open => {
  const known = session.open.get(toolCallId)
  if (known !== undefined) return known
  const made = byPerson()
  session.open.set(toolCallId, made)
  return made
}

const end = (
  session: SessionCalls,
  entry: Entry.Entry,
  { outcome, receipt, tool, toolCallId }: Entry.BodyOf<"CallEnded">
): CallRecord => {
  const known = session.open.get(toolCallId) ?? byPerson()
  session.open.delete(toolCallId)
  return {
    ...known,
    id: entry.id,
    sessionId: entry.sessionId,
    sessionPath: session.path,
    toolCallId,
    tool,
    outcome,
    receipt,
    copied: session.isCopy(entry)
  }
}
