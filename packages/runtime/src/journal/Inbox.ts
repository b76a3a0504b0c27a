/** Turns inbox rows into entries, for the tree's owner: a row and its entries are one commit. */
import { type Batch, type Entry, type Inbox, Principal, type Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { newMessageId } from "../Identity.ts"
import type { LeaseLost, SessionStore, StoreFailed } from "../ports/SessionStore.ts"
import { titleOf } from "../Title.ts"
import type { Append, Journal } from "./Journal.ts"
import { openJournal, type JournalStart } from "./SessionOpened.ts"
import type { SessionState } from "./SessionState.ts"

/** The entries that are recorded together with a message. */
export type JoinedEntries = Required<Pick<Append, "bodies" | "labels">>

/**
 * The entries to record with a message of a user; `refusal` is the reason why the message is refused; null: it is
 * accepted.
 */
export interface ScreenedMessage extends JoinedEntries {
  readonly refusal: string | null
}

/** The inbox of one session, as its owner reads it. */
export interface SessionInbox {
  readonly journal: Journal["Service"]
  readonly store: SessionStore["Service"]
  /** The first entries of its journal; null: its parent has written them. */
  readonly opening: JournalStart | null
  /** Returns the recalled notes that are relevant to a message. */
  readonly recallNotes: (state: SessionState, text: string) => Effect.Effect<JoinedEntries>
  /** Passes a user's message to the operator's hooks; absent: there are no hooks. */
  readonly screen?: (text: string) => Effect.Effect<ScreenedMessage>
  /** Changes the mode of the session's tree; absent: the agent has no modes. */
  readonly changeMode?: (mode: string) => void
  /** The keys of the changes of the mode that are in effect. */
  readonly changedModes: Set<string>
  /** Redacts a message of any sender before it is recorded. */
  readonly redact: (text: string) => string
  /** False if the inbox was read and has not grown since. */
  readonly mayHaveRows: boolean
  /** The number of times that the inbox may have grown. */
  readonly version: number
}

export const make = (parts: Omit<SessionInbox, "changedModes" | "mayHaveRows" | "version">): SessionInbox => ({
  ...parts,
  changedModes: new Set(),
  mayHaveRows: true,
  version: 0
})

/** The state that only this module changes. */
interface Cells {
  mayHaveRows: boolean
  version: number
}

const set = (cells: Cells, change: Partial<Cells>): void => void Object.assign(cells, change)

/** Marks that the inbox may contain new rows. */
export const markGrown = (inbox: SessionInbox): void => set(inbox, { mayHaveRows: true, version: inbox.version + 1 })

/** Turns waiting steering into messages of the running turn; returns a cancellation if there is one. */
export const takeSteering = (inbox: SessionInbox): Effect.Effect<Inbox.Row | null, LeaseLost | StoreFailed> =>
  inbox.mayHaveRows ? readSteering(inbox) : Effect.succeed(null)

const readSteering = Effect.fnUntraced(function* (inbox: SessionInbox) {
  set(inbox, { mayHaveRows: false })
  const rows = yield* rowsOf(inbox)
  const steering = rows.filter(({ command }) => command._tag === "SteerSession")
  if (steering.length > 0) {
    const screened = yield* Effect.forEach(steering, (row) => screen(inbox, row))
    yield* inbox.journal.append({
      bodies: steering.flatMap((row, index) => {
        const { bodies, refusal } = screened[index] ?? unscreened
        return refusal === null ? [...bodies, messageOf(row, inbox.redact)] : bodies
      }),
      labels: [...steering.flatMap((row) => labelsOf(inbox, row)), ...screened.flatMap(({ labels }) => labels)],
      projections: steering.map(doneProjection)
    })
  }
  return cancelIn(inbox, rows)
})

const unscreened: ScreenedMessage = { bodies: [], labels: [], refusal: null }

/** Screens the messages of users; those of other sessions are not screened. */
const screen = ({ redact, screen }: SessionInbox, row: Inbox.Row): Effect.Effect<ScreenedMessage> =>
  screen === undefined || !Principal.isPerson(row.principal)
    ? Effect.succeed(unscreened)
    : screen(redact(contentOf(row.command).text))

/** Records that a message was refused, and why; the next one may be accepted. */
const refuse = (
  { journal }: SessionInbox,
  row: Inbox.Row,
  { labels, reason }: { readonly reason: string; readonly labels: JoinedEntries["labels"] }
) => {
  const state = "Suspended"
  const { sessionId } = journal
  return journal.append({
    bodies: [{ _tag: "StateChanged", state, reason: `the message was rejected: ${reason}` }],
    labels,
    projections: [{ _tag: "SessionState", sessionId, state }, doneProjection(row)]
  })
}

/** Finds a cancellation. The cancellation of a child is handled by its tree, which ends the child. */
const cancelIn = ({ opening }: SessionInbox, rows: ReadonlyArray<Inbox.Row>): Inbox.Row | null =>
  opening === null ? null : (rows.find(({ command }) => command._tag === "CancelSession") ?? null)

/** Returns the rows that cancel a Main, oldest first: each cancels the earlier messages. */
export const cancelsOfMain = (inbox: SessionInbox) =>
  Effect.map(rowsOf(inbox), (rows) => rows.filter(({ command }) => command._tag === "CancelSession"))

/** Returns the row that cancels the session; null: there is none. */
export const findCancellation = (inbox: SessionInbox) => Effect.map(rowsOf(inbox), (rows) => cancelIn(inbox, rows))

/** Turns the oldest waiting message into an entry; false: no message is waiting. */
export const takeMessage: (inbox: SessionInbox) => Effect.Effect<boolean, LeaseLost | StoreFailed> = Effect.fnUntraced(
  function* (inbox: SessionInbox) {
    const rows = yield* rowsOf(inbox)
    const row = oldestMessage(rows)
    if (row === null) return false
    applyModes(inbox, rows)
    const { journal, opening } = inbox
    const { sessionId } = journal
    // Another process may have sent the message before the session had any entry.
    if (opening !== null) yield* openJournal(opening)
    const message = messageOf(row, inbox.redact)
    const screened = yield* screen(inbox, row)
    if (screened.refusal !== null) {
      yield* refuse(inbox, row, { reason: screened.refusal, labels: screened.labels })
      return yield* takeMessage(inbox)
    }
    // The standing text of this message records the mode.
    const modes = rows.filter(isModeChange).map(doneProjection)
    const joining = yield* inbox.recallNotes(journal.state, message.text)
    yield* journal.append((state) => {
      const title: ReadonlyArray<Batch.Projection> =
        state.turn === 0 ? [{ _tag: "SessionTitle", sessionId, title: titleOf(message.text) }] : []
      return {
        bodies: [...joining.bodies, ...screened.bodies, message],
        labels: [...labelsOf(inbox, row), ...joining.labels, ...screened.labels],
        projections: [...title, { _tag: "SessionState", sessionId, state: "Active" }, doneProjection(row), ...modes]
      }
    })
    return true
  }
)

/** Returns the oldest waiting message or steering; null if there is none. */
export const waitingMessages = (inbox: SessionInbox) => Effect.map(rowsOf(inbox), oldestMessage)

const oldestMessage = (rows: ReadonlyArray<Inbox.Row>): Inbox.Row | null =>
  rows.find(({ command }) => command._tag === "SendMessage" || command._tag === "SteerSession") ?? null

type ModeChange = Extract<Inbox.Command, { readonly _tag: "ChangeMode" }>

const isModeChange = (row: Inbox.Row): row is Inbox.Row & { readonly command: ModeChange } =>
  row.command._tag === "ChangeMode"

/** Applies the newest change of the mode, once. */
export const takeModes = (inbox: SessionInbox): Effect.Effect<void, StoreFailed> =>
  inbox.changeMode === undefined ? Effect.void : Effect.map(rowsOf(inbox), (rows) => applyModes(inbox, rows))

const applyModes = ({ changedModes, changeMode }: SessionInbox, rows: ReadonlyArray<Inbox.Row>): void => {
  const newest = rows.findLast(isModeChange)
  if (newest === undefined || changedModes.has(newest.dedupeKey)) return
  changedModes.add(newest.dedupeKey)
  changeMode?.(newest.command.mode)
}

/**
 * Stores a change of the mode that is in effect here already; the next message records it in the journal. A session
 * without entries is not stored yet, and its first message records the mode.
 */
export const submitMode = Effect.fnUntraced(function* (inbox: SessionInbox, mode: string, principal: string) {
  const { changedModes, journal, opening, store } = inbox
  if (opening !== null && journal.state.opened === null) return
  const dedupeKey = yield* newMessageId
  changedModes.add(dedupeKey)
  const command = { _tag: "ChangeMode", sessionId: journal.sessionId, mode } as const
  yield* store
    .submit({ treeId: journal.treeId, command, principal, dedupeKey })
    .pipe(Effect.catchTags({ SessionNotFound: Effect.die, ApprovalClosed: Effect.die }))
})

export type Message = Extract<Inbox.Command, { readonly _tag: "SendMessage" | "SteerSession" }>

/** The principal of a message, and the key by which it is inserted once. */
export interface MessageSender {
  readonly principal: string
  readonly dedupeKey: string
}

/** Submits a message, durable on return; `inserted` false: the inbox already had a message with that key. */
export const submit = Effect.fnUntraced(function* (inbox: SessionInbox, command: Message, from: MessageSender) {
  const { inserted } = yield* inbox.store
    .submit({ treeId: inbox.journal.treeId, command, ...from })
    .pipe(Effect.catchTags({ SessionNotFound: Effect.die, ApprovalClosed: Effect.die }))
  markGrown(inbox)
  return { inserted }
})

/** Sends a session a message of the runtime itself. */
export const steer = Effect.fnUntraced(function* (inbox: SessionInbox, text: string) {
  const command = { _tag: "SteerSession", sessionId: inbox.journal.sessionId, text } as const
  yield* submit(inbox, command, { principal: Principal.runtime, dedupeKey: yield* newMessageId })
})

/** Drops messages to descendants that have ended since and can no longer read them. */
export const dropUnreadable = Effect.fnUntraced(function* ({ journal, store }: SessionInbox) {
  const { children, liveChildren } = journal.state
  if (children.size === 0 || liveChildren.size > 0) return
  const rows = yield* store.inbox(journal.treeId)
  const lost = rows.filter(({ command }) => "sessionId" in command && command.sessionId !== journal.sessionId)
  if (lost.length === 0) return
  yield* journal.append({ bodies: [], projections: lost.map(doneProjection) })
})

/** Marks a cancellation as done. */
export const markDone = ({ journal }: SessionInbox, row: Inbox.Row) =>
  journal.append({ bodies: [], projections: [doneProjection(row)] })

/** Returns the session's open rows, oldest first. Decisions and rules belong to the tree. */
export const rowsOf = ({ journal, store }: SessionInbox) =>
  Effect.map(store.inbox(journal.treeId), (rows) =>
    rows.filter(({ command }) => "sessionId" in command && command.sessionId === journal.sessionId)
  )

export const doneProjection = ({ dedupeKey }: Inbox.Row): Batch.Projection => ({ _tag: "InboxDone", dedupeKey })

/** An attachment is a file, like one of the workspace: its author need not be the sender of the message. */
const ofAttachments: ReadonlyArray<Session.Label> = ["private", "untrusted"]

const ofAnotherPerson: ReadonlyArray<Session.Label> = ["untrusted"]

/** Returns the labels of a message. The session works for its user: the text of another person is not the user's. */
const labelsOf = ({ journal: { state } }: SessionInbox, row: Inbox.Row): ReadonlyArray<Session.Label> => {
  const { command, principal } = row
  const senderLabels = command._tag === "SteerSession" ? (command.labels ?? []) : []
  const ofSender = Principal.isAnotherPerson(principal, state.opened?.user ?? null) ? ofAnotherPerson : []
  return [...senderLabels, ...ofSender, ...(contentOf(command).media.length === 0 ? [] : ofAttachments)]
}

const messageOf = (row: Inbox.Row, redact: SessionInbox["redact"]): Entry.BodyOf<"UserMessage"> => {
  const { media, text } = contentOf(row.command)
  return { _tag: "UserMessage", text: redact(text), media, principal: row.principal, messageId: row.dedupeKey }
}

const contentOf = (command: Inbox.Command): Pick<Entry.BodyOf<"UserMessage">, "text" | "media"> =>
  command._tag === "SendMessage" || command._tag === "SteerSession"
    ? { text: command.text, media: command.media ?? [] }
    : { text: "", media: [] }
