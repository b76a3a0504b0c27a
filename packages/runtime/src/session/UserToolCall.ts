/** Runs one tool that a user calls outside of any turn. */
import { type Call, Dispatcher } from "@bough/dispatch"
import { type Batch, Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { newMessageId } from "../Identity.ts"
import { openJournal } from "../journal/SessionOpened.ts"
import * as Loop from "./Loop.ts"
import * as ToolCalls from "./ToolCalls.ts"
import { callerOf, type ToolRunner } from "./ToolRunner.ts"
import type { Turns } from "./Turn.ts"

/** A call with its id in the journal. */
export type RecordedCall = Call.DispatchResult & { readonly toolCallId: Session.ToolCallId }

/** Opens a session that begins with a user's call: the session has no message as its title, and no turn runs. */
const callProjections = (sessionId: Session.SessionId, tool: string): ReadonlyArray<Batch.Projection> => [
  { _tag: "SessionTitle", sessionId, title: `call ${tool}` },
  { _tag: "SessionState", sessionId, state: "Suspended" }
]

/** Withdraws the request of a caller who no longer waits: a later decision would have no effect. */
const withdraw = (tools: ToolRunner, toolCallId: Session.ToolCallId) => {
  const open = tools.journal.state.openCalls.get(toolCallId)
  return open === undefined ? Effect.void : ToolCalls.callerGone(tools, open)
}

/** A call as the user specifies it. */
export interface RequestedCall {
  readonly name: string
  /** The arguments as JSON. */
  readonly argumentsText: string
  /** True: a program composed the arguments, such as a model of another agent. They may contain the session's texts. */
  readonly byProgram?: boolean
}

export const run = Effect.fnUntraced(
  function* ({ inbox, tools }: Turns, { argumentsText, byProgram = false, name }: RequestedCall) {
    if (inbox.opening !== null) yield* openJournal(inbox.opening, callProjections(tools.journal.sessionId, name))
    yield* ToolCalls.refreshCommit(tools)
    tools.calls.refreshTools()
    const toolCallId = Session.ToolCallId.make((yield* newMessageId).replace("msg_", "call_"))
    return yield* Dispatcher.dispatch(
      // Arguments that a user wrote contain no text of the session, so they get no labels.
      {
        toolCallId,
        name,
        arguments: argumentsText,
        isByUser: !byProgram,
        labels: byProgram ? [...tools.journal.state.labels] : [],
        prior: null
      },
      callerOf(tools)
    ).pipe(
      Effect.catchTag("NotRecorded", ToolCalls.causeOf),
      Effect.tap((dispatched) => (dispatched._tag === "Parked" ? withdraw(tools, toolCallId) : Effect.void)),
      Effect.map((dispatched): RecordedCall => ({ ...dispatched, toolCallId })),
      Effect.onInterrupt(() => Effect.ignore(withdraw(tools, toolCallId)))
    )
  },
  (effect, { tools }) => Loop.withPorts(effect, tools)
)
