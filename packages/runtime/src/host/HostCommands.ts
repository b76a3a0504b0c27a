/** Checks the commands of users, and writes them to the inbox of their tree. */
import type { Redaction } from "@bough/dispatch"
import { Inbox, type Session as SessionData } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SessionNotFound, SessionStore, StoreFailed } from "../ports/SessionStore.ts"
import { checkPrincipal, dedupeKeyOf, type PrincipalRefused, type Sender } from "../session/Sender.ts"
import * as Session from "../session/Session.ts"
import type * as HostTraces from "./HostTraces.ts"

/** The program's hook refused a command before it reached the inbox. */
export class NotAuthorised extends Schema.TaggedError<NotAuthorised>()("NotAuthorised", {
  principal: Schema.String,
  command: Schema.String,
  treeId: Schema.String
}) {
  override get message(): string {
    return `${this.principal} may not ${this.command} in session ${this.treeId}`
  }
}

export type Authorise = (principal: string, command: Inbox.Command, tree: SessionData.Summary) => Effect.Effect<boolean>

export interface HostCommandsOptions {
  readonly store: SessionStore["Service"]
  readonly traces: HostTraces.HostTraces
  readonly authorise: Authorise | undefined
  readonly redaction: Pick<Redaction.Redaction, "redact"> | undefined
}

/** The tree of a command, and the name that is recorded for its user. */
export interface CommandOwner {
  readonly treeId: SessionData.SessionId
  readonly principal: string
}

export type Refusal = PrincipalRefused | NotAuthorised | SessionNotFound | StoreFailed

export interface HostCommands {
  /** Checks that the user may give the command; `principal`: undefined for the tree's own user. */
  readonly allow: (
    session: SessionData.Summary,
    command: Inbox.Command,
    principal: string | undefined
  ) => Effect.Effect<CommandOwner, Refusal>
  /** Checks a command and writes it to the inbox; durable on return. */
  readonly submit: (
    session: SessionData.Summary,
    command: Inbox.Command,
    from: Sender
  ) => Effect.Effect<Session.SubmitResult, Refusal>
  /** Returns the command that sends a message, without its secrets, and the Main that receives it. */
  readonly message: (
    sessionId: string,
    input: Session.UserInput
  ) => Effect.Effect<
    { readonly command: Inbox.Command; readonly session: SessionData.Summary },
    Session.NotAMain | SessionNotFound | StoreFailed
  >
  /** Hides the secrets of a user's text. */
  readonly redact: (text: string) => string
}

export const make = ({ authorise, redaction, store, traces }: HostCommandsOptions): HostCommands => {
  const redact = redaction?.redact ?? ((text: string) => text)

  const allow: HostCommands["allow"] = Effect.fnUntraced(function* (session, command, name) {
    const tree = session.kind === "Main" ? session : yield* store.session(session.treeId)
    const principal = name === undefined ? (tree.user ?? "user") : yield* checkPrincipal(name)
    const isAllowed = authorise === undefined || (yield* authorise(principal, command, tree))
    if (!isAllowed) return yield* new NotAuthorised({ principal, command: command._tag, treeId: tree.sessionId })
    return { treeId: tree.sessionId, principal }
  })

  return {
    allow,
    submit: Effect.fnUntraced(function* (session, command, from) {
      const { principal, treeId } = yield* allow(session, command, from.principal)
      const dedupeKey = yield* dedupeKeyOf(from, principal)
      const submitted = store.submit({ treeId, dedupeKey, command, principal })
      return yield* Effect.catchTag(traces.submitLinked(treeId, submitted), "ApprovalClosed", Effect.die)
    }),
    message: Effect.fnUntraced(function* (sessionId, input) {
      const session = yield* store.session(sessionId)
      const { kind, treeId } = session
      if (kind !== "Main") return yield* new Session.NotAMain({ sessionId: session.sessionId, treeId })
      const text = redact(input.text)
      return { command: { _tag: "SendMessage", sessionId: session.sessionId, ...input, text }, session }
    }),
    redact
  }
}
