/**
 * `offline/planner`: the model when there is none. It reads plain requests in English and does them through the same
 * port, tools and approvals as any model; it needs no network, no clock and no key, and says so.
 */
import { Model } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Plan from "./offline/Plan.ts"
import type { Provider } from "./Provider.ts"

export const model: Model.Model["Service"] = {
  name: "offline/planner",
  contextTokens: null,
  priced: true,
  usesNoTokens: true,
  stream: (prompt) => Stream.suspend(() => Stream.fromIterable(parts(Plan.next(prompt))))
}

export const provider: Provider = {
  name: "offline",
  defaultModel: "planner",
  configured: () => "no model is configured",
  secretNames: [],
  make: ({ model: named, name }) =>
    named === null || named === "planner"
      ? Effect.succeed(model)
      : Effect.fail(
          new Model.ModelError({
            reason: "UnknownModel",
            model: name,
            message: `there is no model ${name}`,
            hint: "offline/planner is the only one that needs no provider",
            retryable: false,
            retryAfterMillis: null
          })
        )
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
