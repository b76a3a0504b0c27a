/** Inbox rows turned into entries by the tree's owner: a row and what it became are one commit. */
import { type Batch, type Entry, type Inbox, Principal } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { openJournal } from "./SessionOpened.ts"
import { newMessageId } from "../session/Identity.ts"
import * as Preferences from "../session/Preferences.ts"
import * as MemoryRecall from "../session/MemoryRecall.ts"
import type { SessionContext } from "../session/SessionContext.ts"
import { titleOf } from "../session/Title.ts"

/** Steering that waits now becomes messages of the running turn; a cancel is handed back. */
export const takeSteering = (context: SessionContext) =>
  context.inbox.mayHoldMore ? readSteering(context) : Effect.succeed(null)

const readSteering = Effect.fnUntraced(function* (context: SessionContext) {
  context.inbox.mayHoldMore = false
  const rows = yield* rowsOf(context)
  const steering = rows.filter(({ command }) => command._tag === "SteerSession")
  if (steering.length > 0) {
    yield* context.journal.append({
      bodies: steering.map(messageOf),
      labels: steering.flatMap(labelsOf),
      projections: steering.map(doneOf)
    })
  }
  return cancelIn(context, rows)
})

/** A child is told to end by its tree, whatever it is at. */
const cancelIn = ({ kind }: SessionContext, rows: ReadonlyArray<Inbox.Row>): Inbox.Row | null =>
  kind === "Main" ? (rows.find(({ command }) => command._tag === "CancelSession") ?? null) : null

/** Rows that cancel a Main, oldest first: each stops what came before it. */
export const cancelsOfMain = (main: SessionContext) =>
  Effect.map(rowsOf(main), (rows) => rows.filter(({ command }) => command._tag === "CancelSession"))

/** The row that cancels the session; null: there is none. */
export const cancelling = (context: SessionContext) => Effect.map(rowsOf(context), (rows) => cancelIn(context, rows))

/** The oldest message that no turn has taken becomes one; false: none waits. */
export const takeMessage = Effect.fnUntraced(function* (context: SessionContext) {
  const row = yield* waiting(context)
  if (row === null) return false
  // Another process may have sent it before anything else happened in the session.
  if (context.kind === "Main") yield* openJournal(context)
  const preferred = yield* Preferences.forMessage(context.agent, context.journal.state.preferences)
  const recalled = yield* MemoryRecall.forMessage(context.agent, context.journal.state, said(row.command).text)
  yield* context.journal.append((state) => {
    const message = messageOf(row)
    const title: ReadonlyArray<Batch.Projection> =
      state.turn === 0
        ? [{ _tag: "SessionTitle", sessionId: context.journal.sessionId, title: titleOf(message.text) }]
        : []
    return {
      bodies: [...preferred.bodies, ...recalled.bodies, message],
      labels: [...labelsOf(row), ...preferred.labels, ...recalled.labels],
      projections: [
        ...title,
        { _tag: "SessionState", sessionId: context.journal.sessionId, state: "Active" },
        doneOf(row)
      ]
    }
  })
  return true
})

/** The oldest message or steering that no turn has taken; null: none. */
export const waiting = (context: SessionContext) =>
  Effect.map(
    rowsOf(context),
    (rows) => rows.find(({ command }) => command._tag === "SendMessage" || command._tag === "SteerSession") ?? null
  )

export type Message = Extract<Inbox.Command, { readonly _tag: "SendMessage" | "SteerSession" }>

/** The principal of a message, and the key by which it is inserted once. */
export interface From {
  readonly principal: string
  readonly dedupeKey: string
}

/** Durable on return; `inserted` false: a message with that key was there. */
export const submit = Effect.fnUntraced(function* (context: SessionContext, command: Message, from: From) {
  const { inserted } = yield* context.store
    .submit({ treeId: context.journal.treeId, command, ...from })
    .pipe(Effect.catchTags({ SessionNotFound: Effect.die, ApprovalClosed: Effect.die }))
  grown(context)
  return { inserted }
})

/** What the runtime itself tells a session. */
export const steer = Effect.fnUntraced(function* (context: SessionContext, text: string) {
  const command = { _tag: "SteerSession", sessionId: context.journal.sessionId, text } as const
  yield* submit(context, command, { principal: Principal.runtime, dedupeKey: yield* newMessageId })
})

/** The inbox may hold more. */
export const grown = ({ inbox }: SessionContext): void => {
  inbox.mayHoldMore = true
  inbox.version += 1
}

/** What was sent to sessions below the Main that have ended since: nobody is left to read it. */
export const dropUnreadable = Effect.fnUntraced(function* (main: SessionContext) {
  const { children, liveChildren } = main.journal.state
  if (children.size === 0 || liveChildren.size > 0) return
  const rows = yield* main.store.inbox(main.journal.treeId)
  const lost = rows.filter(({ command }) => "sessionId" in command && command.sessionId !== main.journal.sessionId)
  if (lost.length === 0) return
  yield* main.journal.append({ bodies: [], projections: lost.map(doneOf) })
})

/** A cancel that was acted on. */
export const done = (context: SessionContext, row: Inbox.Row) =>
  context.journal.append({ bodies: [], projections: [doneOf(row)] })

/** The session's open rows, oldest first. Decisions and rules are the tree's. */
export const rowsOf = ({ journal, store }: SessionContext) =>
  Effect.map(store.inbox(journal.treeId), (rows) =>
    rows.filter(({ command }) => "sessionId" in command && command.sessionId === journal.sessionId)
  )

export const doneOf = ({ dedupeKey }: Inbox.Row): Batch.Projection => ({ _tag: "InboxDone", dedupeKey })

const labelsOf = ({ command }: Inbox.Row) => (command._tag === "SteerSession" ? (command.labels ?? []) : [])

const messageOf = (row: Inbox.Row): Entry.BodyOf<"UserMessage"> => ({
  _tag: "UserMessage",
  ...said(row.command),
  principal: row.principal,
  messageId: row.dedupeKey
})

const said = (command: Inbox.Command): Pick<Entry.BodyOf<"UserMessage">, "text" | "media"> =>
  command._tag === "SendMessage" || command._tag === "SteerSession"
    ? { text: command.text, media: command.media ?? [] }
    : { text: "", media: [] }
