/** Sends a message, or a cancellation, to a session that another process has open: that process takes it from the inbox. */
import { Redaction } from "@bough/dispatch"
import * as Home from "@bough/host/config/Home"
import * as SettingsFile from "@bough/host/config/Settings"
import type { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { CliFailure, exitCode, failure, usage } from "../CliFailure.ts"
import * as Lineage from "../io/Lineage.ts"
import type { Program } from "../Program.ts"
import * as SentKey from "./SentKey.ts"

export type Message =
  /** Joins the running turn before its next step. */
  | { readonly _tag: "Steer"; readonly text: string }
  /** Waits until the running turn ends. */
  | { readonly _tag: "Queue"; readonly text: string }
  | { readonly _tag: "Cancel" }

/** Puts the message into the inbox of the session's tree, with secrets redacted. */
export const send = Effect.fnUntraced(function* (program: Program, sessionId: Session.SessionId, message: Message) {
  const { environment } = program
  yield* refuseAgents(program)
  const store = yield* SessionStore.SessionStore
  const found = yield* store.session(sessionId)
  yield* refuse(program, found, message)
  if ((yield* store.ownedElsewhere(found.treeId)) === null) {
    const hint = `"${program.name} run --session ${found.treeId} PROMPT" continues it`
    return yield* failure(`session ${found.treeId} is not open in another process`, hint)
  }
  const { secrets } = yield* SettingsFile.loadForUndo(environment)
  const { redact } = Redaction.make(secrets)
  yield* store.submit({
    treeId: found.treeId,
    command: commandOf(sessionId, message, redact),
    principal: environment.user ?? "terminal",
    dedupeKey: SentKey.make()
  })
})

const commandOf = (sessionId: Session.SessionId, message: Message, redact: (text: string) => string) => {
  switch (message._tag) {
    case "Steer":
      return { _tag: "SteerSession", sessionId, text: redact(message.text) } as const
    case "Queue":
      return { _tag: "SendMessage", sessionId, text: redact(message.text), media: [] } as const
    case "Cancel":
      return { _tag: "CancelSession", sessionId, reason: "cancelled by the user" } as const
  }
}

/** States of sessions that receive no more messages. */
const endedStates: ReadonlySet<Session.SessionState> = new Set(["Completed", "Failed", "Expired", "Cancelled"])

const refuse = (
  { environment, name }: Program,
  { kind, sessionId, state, treeId, user }: Session.Summary,
  { _tag }: Message
): Effect.Effect<void, CliFailure> => {
  if (user !== null && environment.user !== null && user !== environment.user) {
    return usage(`session ${sessionId} belongs to ${user}`, `"${name} sessions" lists your own`)
  }
  if (kind === "Main") return Effect.void
  if (endedStates.has(state)) {
    return failure(`session ${sessionId} has ended (${state.toLowerCase()})`, `send to its conversation, ${treeId}`)
  }
  return _tag === "Queue"
    ? usage(`session ${sessionId} is a child of session ${treeId} and receives messages at once`, "omit --queue")
    : Effect.void
}

/** Refuses agents: such a message counts as a user's words, and agents message sessions by their tools. */
const refuseAgents = ({ environment }: Program): Effect.Effect<void, CliFailure> => {
  const database = join(Home.dataDirectory(environment), "bough.db")
  return Lineage.isRunByAgent({ parent: process.ppid, variables: environment.variables, database })
    ? Effect.fail(
        new CliFailure({
          code: exitCode.needsApproval,
          message: "only a person may message another session, not a command of an agent",
          hint: "",
          details: ""
        })
      )
    : Effect.void
}
