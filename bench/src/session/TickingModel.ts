/**
 * A scripted model that records the times of its requests; the interval between two requests is one step. It reads only
 * the newest message and keeps no prompt, so its work does not depend on the length of a session.
 */
import { Model } from "@bough/runtime"
import * as Stream from "effect/Stream"
import { check } from "../Check.ts"

export interface TickingModel {
  readonly model: Model.Model["Service"]
  /**
   * Makes the next turn call `do_nothing` this number of times, each time with another number, and then reply "done".
   */
  readonly script: (steps: number) => void
  /** Returns the milliseconds of the last turn from its first request to its last, divided by its steps. */
  readonly millisPerStep: () => number
}

export const make = (): TickingModel => {
  let steps = 0
  let requests = 0
  let number = 0
  let firstAtMillis = 0
  let lastAtMillis = 0

  const next = (prompt: Model.Prompt): ReadonlyArray<Model.ModelPart> => {
    const newest = prompt.messages[prompt.messages.length - 1]
    if (requests > 0) {
      check(
        newest._tag === "ToolResult" && !newest.isError && newest.output === `{"number":${number}}`,
        `step ${requests} did not hand back the result of call ${number}`
      )
    }
    if (requests++ === steps) return [{ _tag: "Text", text: "done" }, end("stop")]
    number++
    const callId = `call_${number}`
    return [
      { _tag: "ToolCallStart", callId, name: "do_nothing" },
      { _tag: "ToolCallArguments", callId, text: `{"number":${number}}` },
      end("toolCalls")
    ]
  }

  return {
    model: {
      name: "scripted/ticking",
      contextTokens: null,
      priced: false,
      stream: (prompt) =>
        Stream.suspend(() => {
          lastAtMillis = performance.now()
          if (requests === 0) firstAtMillis = lastAtMillis
          return Stream.fromIterable(next(prompt))
        })
    },
    script: (count) => {
      steps = count
      requests = 0
    },
    millisPerStep: () => {
      check(requests === steps + 1, `the model was asked ${requests} times, not ${steps + 1}`)
      return (lastAtMillis - firstAtMillis) / steps
    }
  }
}

const end = (reason: "stop" | "toolCalls"): Model.ModelPart => ({
  _tag: "End",
  reason,
  inputTokens: 10,
  cachedInputTokens: 0,
  outputTokens: 5,
  costUsd: null
})
