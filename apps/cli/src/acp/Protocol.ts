/**
 * The messages of the Agent Client Protocol, version 1, that an agent receives and sends:
 * https://agentclientprotocol.com/protocol/schema
 */
import * as Schema from "effect/Schema"
import { isAbsolute } from "node:path"

export const version = 1

/** A part of a prompt; unknown kinds are refused. */
export const ContentBlock = Schema.Union([
  Schema.Struct({ type: Schema.Literals(["text"]), text: Schema.String }),
  Schema.Struct({ type: Schema.Literals(["image"]), data: Schema.String, mimeType: Schema.String }),
  Schema.Struct({ type: Schema.Literals(["resource_link"]), uri: Schema.String, name: Schema.String }),
  Schema.Struct({
    type: Schema.Literals(["resource"]),
    resource: Schema.Struct({ uri: Schema.String, text: Schema.String })
  })
])
export type ContentBlock = typeof ContentBlock.Type

const ofSession = { sessionId: Schema.String }

/** A relative path would be looked up from the directory that the editor started the agent in. */
const Directory = Schema.String.check(
  Schema.makeFilter((path: string) => isAbsolute(path) || "cwd has to be an absolute path")
)

export const NewSession = Schema.Struct({ cwd: Directory })
export const LoadSession = Schema.Struct({ ...ofSession, cwd: Directory })
export const Prompt = Schema.Struct({ ...ofSession, prompt: Schema.Array(ContentBlock) })
export const Cancel = Schema.Struct(ofSession)
export const SetMode = Schema.Struct({ ...ofSession, modeId: Schema.String })

/** The answer to `session/request_permission`. */
export const PermissionOutcome = Schema.Struct({
  outcome: Schema.Union([
    Schema.Struct({ outcome: Schema.Literals(["selected"]), optionId: Schema.String }),
    Schema.Struct({ outcome: Schema.Literals(["cancelled"]) })
  ])
})

export type StopReason = "end_turn" | "max_tokens" | "max_turn_requests" | "refusal" | "cancelled"

export type ToolKind = "read" | "edit" | "delete" | "move" | "search" | "execute" | "think" | "fetch" | "other"

interface Text {
  readonly type: "text"
  readonly text: string
}

export interface ToolContent {
  readonly type: "content"
  readonly content: Text
}

export type Update =
  | {
      readonly sessionUpdate: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk"
      readonly content: Text
    }
  | {
      readonly sessionUpdate: "tool_call"
      readonly toolCallId: string
      readonly title: string
      readonly kind: ToolKind
      readonly status: "pending"
      readonly locations: ReadonlyArray<{ readonly path: string }>
      readonly rawInput: unknown
    }
  | {
      readonly sessionUpdate: "tool_call_update"
      readonly toolCallId: string
      readonly status: "in_progress" | "completed" | "failed"
      readonly content?: ReadonlyArray<ToolContent>
    }
  | {
      readonly sessionUpdate: "plan"
      readonly entries: ReadonlyArray<{
        readonly content: string
        readonly priority: "medium"
        readonly status: "pending" | "in_progress" | "completed"
      }>
    }
  | { readonly sessionUpdate: "current_mode_update"; readonly currentModeId: string }

export const text = (text: string): Text => ({ type: "text", text })
export const content = (shown: string): ToolContent => ({ type: "content", content: text(shown) })
