/**
 * Makes the user of a Model Context Protocol client the channel of a session: approvals are requested by elicitation,
 * and progress is reported.
 */
import type { OfferedCall } from "@bough/mcp/server"
import { type Approval, Canonical, Event } from "@bough/protocol"
import type { Channel } from "@bough/runtime"
import * as Effect from "effect/Effect"

/** The running calls of a connection, the newest last. */
export type RunningCalls = Set<OfferedCall>

const principal = "mcp client"

/** `canAsk`: the client can ask its user. */
export const make = (running: RunningCalls, canAsk: boolean): Channel.Channel["Service"] => ({
  name: "mcp",
  readers: "others",
  ask: canAsk ? (request) => ask(callOf(running, request), request) : null,
  publish: (event) => Effect.sync(() => show(running, event))
})

/** The call to which a request belongs: the call that made it, or the call that runs the agent that made it. */
const callOf = (running: RunningCalls, request: Approval.Request): OfferedCall | null => {
  const calls = [...running]
  const sameTool = calls.filter(({ tool }) => tool === request.tool)
  return (
    sameTool.find((call) => Canonical.stringify(call.arguments) === request.arguments) ??
    sameTool.at(-1) ??
    calls.at(-1) ??
    null
  )
}

const ask = (
  call: OfferedCall | null,
  request: Approval.Request
): Effect.Effect<{ readonly decision: Approval.Decision; readonly principal: string }> =>
  Effect.map(call?.ask?.(questionOf(request)) ?? Effect.succeed("unanswered" as const), (answer) => {
    switch (answer) {
      case "approved":
        return { decision: { _tag: "Approved" as const, rule: null }, principal }
      case "denied":
        return { decision: { _tag: "Denied" as const, words: null }, principal }
      case "unanswered":
        return {
          decision: { _tag: "Withdrawn" as const, reason: "the MCP client returned no decision" },
          principal
        }
    }
  })

const questionOf = ({ preview, reason, tier, tool }: Approval.Request): string =>
  `${tool} (${tier}) asks for your approval: ${reason}\n\n${preview.render}`

const show = (running: RunningCalls, event: Event.Event): void => {
  if (event._tag !== "ToolProgressed" && event._tag !== "ToolStarted") return
  const calls = [...running]
  const call = calls.findLast(({ tool }) => tool === event.tool) ?? calls.at(-1)
  if (event._tag === "ToolProgressed") call?.onProgress(Event.progressLine(event))
  else if (call?.tool !== event.tool) call?.onProgress(`runs ${event.tool}`)
}
