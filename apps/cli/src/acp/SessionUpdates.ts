/** The updates that an editor gets for the events of a session, live and when it loads the session again. */
import { Entry, type Event } from "@bough/protocol"
import type { Tool } from "@bough/tool"
import * as UnifiedDiff from "@bough/tui/diff/UnifiedDiff"
import * as CallText from "../format/CallText.ts"
import * as OutputText from "../format/OutputText.ts"
import * as PlanView from "../ui/tui/PlanView.ts"
import * as Protocol from "./Protocol.ts"
import * as ToolCallText from "./ToolCallText.ts"

type Updates = ReadonlyArray<Protocol.Update>

export interface SessionUpdates {
  readonly ofEvent: (event: Event.Event) => Updates
  /** Returns the updates of a stored entry, with the text of its reply. */
  readonly ofEntry: (entry: Entry.Entry) => Updates
}

export interface UpdateOptions {
  readonly roles: ReadonlyMap<string, Tool.Role>
  readonly workspaceRoot: string
}

export const make = ({ roles, workspaceRoot }: UpdateOptions): SessionUpdates => {
  /** The arguments of open calls, by id. */
  const open = new Map<string, string>()
  const roleOf = (tool: string): Tool.Role | null => roles.get(tool) ?? null

  const calls = ({ completion, parts }: Entry.BodyOf<"ModelReplied">): Updates =>
    parts.flatMap((part): Updates => {
      if (part._tag !== "ToolCall" || completion !== "complete") return []
      const { arguments: callArguments, name, toolCallId } = part
      open.set(toolCallId, callArguments)
      const role = roleOf(name)
      // A plan is shown by its own update.
      if (role === "Plan") return []
      return [
        {
          sessionUpdate: "tool_call",
          toolCallId,
          title: ToolCallText.titleOf(name, callArguments, role),
          kind: ToolCallText.kindOf(name, role),
          status: "pending",
          locations: ToolCallText.locationsOf(callArguments, workspaceRoot),
          rawInput: ToolCallText.inputOf(callArguments)
        }
      ]
    })

  const callEnd = ({ outcome, tool, toolCallId }: Entry.BodyOf<"CallEnded">): Updates => {
    const callArguments = open.get(toolCallId)
    open.delete(toolCallId)
    // The call belongs to no reply: a user or a chain made it.
    if (callArguments === undefined) return []
    if (roleOf(tool) === "Plan") return outcome._tag === "Succeeded" ? planOf(callArguments) : []
    const isDone = outcome._tag === "Succeeded" && CallText.succeededSign(outcome) === "✓"
    const shown = outputOf(outcome)
    return [
      {
        sessionUpdate: "tool_call_update",
        toolCallId,
        status: isDone ? "completed" : "failed",
        ...(shown === "" ? {} : { content: [Protocol.content(shown)] })
      }
    ]
  }

  const updatesOf = (body: Entry.Body): Updates => {
    if (body._tag === "ModelReplied") return calls(body)
    return body._tag === "CallEnded" ? callEnd(body) : []
  }

  return {
    ofEvent: (event) => {
      switch (event._tag) {
        case "TextDelta":
          return [chunk("agent_message_chunk", event.text)]
        case "ReasoningDelta":
          return [chunk("agent_thought_chunk", event.text)]
        case "MessageSent":
          return [chunk("agent_message_chunk", `${event.text}\n\n`)]
        case "ToolStarted":
          return roleOf(event.tool) === "Plan" || !open.has(event.toolCallId)
            ? []
            : [{ sessionUpdate: "tool_call_update", toolCallId: event.toolCallId, status: "in_progress" }]
        case "Recorded":
          return updatesOf(event.entry.body)
        default:
          return []
      }
    },
    ofEntry: ({ body }) => {
      if (body._tag === "UserMessage") return [chunk("user_message_chunk", body.text)]
      const parts = body._tag === "ModelReplied" ? body.parts : []
      const texts = parts.flatMap((part): Updates => {
        if (part._tag === "ToolCall") return []
        return [chunk(part._tag === "Text" ? "agent_message_chunk" : "agent_thought_chunk", part.text)]
      })
      return [...texts, ...updatesOf(body)]
    }
  }
}

const chunk = (
  sessionUpdate: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk",
  words: string
): Protocol.Update => ({ sessionUpdate, content: Protocol.text(words) })

/** Formats an outcome as Markdown; "" if there is nothing to show. */
const outputOf = (outcome: Entry.Outcome): string => {
  if (outcome._tag !== "Succeeded") return Entry.failureText(outcome)
  const { isText, text } = OutputText.formatOutput(outcome)
  if (!isText || text.trim() === "") return outcome.display
  return fenceText(text, UnifiedDiff.isDiff(text) ? "diff" : "")
}

/** Puts text into a fence that the text does not contain. */
const fenceText = (text: string, language: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/gu)].map(([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n+$/u, "")}\n${fence}`
}

const statuses = { pending: "pending", active: "in_progress", done: "completed" } as const

const planOf = (callArguments: string): Updates => {
  const plan = PlanView.fromArguments(callArguments)
  if (plan === null) return []
  const entries = plan.items.map(({ status, text }) => ({
    content: text,
    priority: "medium" as const,
    status: statuses[status]
  }))
  return [{ sessionUpdate: "plan", entries }]
}
