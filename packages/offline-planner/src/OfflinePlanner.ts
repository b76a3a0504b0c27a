/**
 * `offline/planner`: the built-in planner that answers if no model is available. It understands plain requests in
 * English and performs them through the same port, tools and approvals as any model. It needs no network, clock or key,
 * and tells the user what it is.
 */
import { Model } from "@bough/runtime"
import * as Stream from "effect/Stream"
import * as Plan from "./Plan.ts"

export const model: Model.Model["Service"] = {
  name: "offline/planner",
  contextTokens: null,
  priced: true,
  usesNoTokens: true,
  stream: (prompt) => Stream.suspend(() => Stream.fromIterable(parts(Plan.next(prompt))))
}

const parts = (next: Plan.Next): ReadonlyArray<Model.ModelPart> =>
  next._tag === "Answer"
    ? [{ _tag: "Text", text: next.text }, end("stop")]
    : [
        { _tag: "ToolCallStart", callId: next.callId, name: next.call.name },
        { _tag: "ToolCallArguments", callId: next.callId, text: JSON.stringify(next.call.arguments) },
        end("toolCalls")
      ]

const end = (reason: "stop" | "toolCalls"): Model.ModelPart => ({
  _tag: "End",
  reason,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  costUsd: 0
})
