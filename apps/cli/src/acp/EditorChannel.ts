/** The user at an editor as a session's channel: approvals are requested from the editor, which shows every event. */
import { type RuleContext, offeredRule } from "@bough/host/approval/OfferedRule"
import type { Approval } from "@bough/protocol"
import type { Channel } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Connection } from "./JsonRpc.ts"
import * as Protocol from "./Protocol.ts"
import type { SessionUpdates } from "./SessionUpdates.ts"
import * as ToolCallText from "./ToolCallText.ts"

export interface EditorChannelOptions extends RuleContext {
  readonly connection: Connection
  readonly updates: SessionUpdates
  /** The name under which decisions are recorded. */
  readonly principal: string
}

export const make = (options: EditorChannelOptions): Channel.Channel["Service"] => {
  /** The Main; null: it is not open yet. */
  let main: string | null = null
  const { connection, principal, updates } = options
  return {
    name: "editor",
    readers: "owner",
    ask: (request) => Effect.map(ask(options, request), (decision) => ({ decision, principal })),
    publish: (event) =>
      Effect.sync(() => {
        if (event._tag === "Attached") main = event.sessionId
        // The results of the Main's descendants reach the Main as results of its calls.
        if (event.sessionId !== main && event._tag !== "MessageSent") return
        for (const update of updates.ofEvent(event)) connection.notify("session/update", { sessionId: main, update })
      })
  }
}

const withdrawn: Approval.Decision = { _tag: "Withdrawn", reason: "the user of the editor did not decide" }

/** Asks the user of the editor. A request that the editor does not answer is withdrawn. */
const ask = (options: EditorChannelOptions, request: Approval.Request): Effect.Effect<Approval.Decision> => {
  const rule = offeredRule(options, request)
  const decisions = decisionsOf(rule)
  return options.connection.request("session/request_permission", permissionOf(request, rule)).pipe(
    Effect.map((answer) =>
      Option.match(Schema.decodeUnknownOption(Protocol.PermissionOutcome)(answer), {
        onNone: () => withdrawn,
        onSome: ({ outcome }) =>
          outcome.outcome === "selected" ? (decisions[outcome.optionId] ?? withdrawn) : withdrawn
      })
    ),
    Effect.orElseSucceed(() => withdrawn)
  )
}

const decisionsOf = (rule: string | null): Readonly<Record<string, Approval.Decision>> => ({
  allow: { _tag: "Approved", rule: null },
  reject: { _tag: "Denied", words: null },
  ...(rule === null ? {} : { always: { _tag: "Approved", rule } })
})

const permissionOf = (
  { arguments: callArguments, preview, reason, sessionPath, tool, toolCallId }: Approval.Request,
  rule: string | null
) => ({
  sessionId: sessionPath[0],
  toolCall: {
    toolCallId,
    title: ToolCallText.titleOf(tool, callArguments, null),
    kind: ToolCallText.kindOf(tool, null),
    status: "pending",
    rawInput: ToolCallText.inputOf(callArguments),
    content: [preview.render, reason].filter((part) => part !== "").map(Protocol.content)
  },
  options: [
    { optionId: "allow", name: "Allow once", kind: "allow_once" },
    ...(rule === null ? [] : [{ optionId: "always", name: `Allow in this session: ${rule}`, kind: "allow_always" }]),
    { optionId: "reject", name: "Deny", kind: "reject_once" }
  ]
})
