/**
 * A stateless scripted model, for any number of concurrent sessions: its reply depends only on the newest message of
 * the prompt. A user's message starts a count of `do_nothing` calls up to `steps`, then it says "done". If the message
 * asks it to divide the work, it starts `branches` Branches, and replies "done" to each of their results.
 */
import { Model } from "@bough/runtime"
import * as Stream from "effect/Stream"
import { check } from "../Check.ts"

export const work = "Go on."
export const divide = "Divide the work."

export interface Script {
  readonly steps: number
  readonly branches: number
}

export const make = (script: Script): Model.Model["Service"] => ({
  name: "scripted/counting",
  contextTokens: null,
  priced: false,
  stream: ({ messages }) => Stream.suspend(() => Stream.fromIterable(next(messages[messages.length - 1], script)))
})

const next = (newest: Model.PromptMessage, { branches, steps }: Script): ReadonlyArray<Model.ModelPart> => {
  if (newest._tag === "User") {
    if (newest.text === divide) {
      return [
        ...Array.from({ length: branches }, (_, index) => call("spawn_branch", index, { task: work })).flat(),
        end("toolCalls")
      ]
    }
    return newest.text === work && steps > 0 ? [...count(1), end("toolCalls")] : done
  }
  check(newest._tag === "ToolResult" && !newest.isError, `the newest message was ${JSON.stringify(newest)}`)
  if (newest.name !== "do_nothing") return done
  const number = Number(newest.providerCallId.slice("call_".length))
  check(newest.output === `{"number":${number}}`, `call ${number} came back with ${newest.output}`)
  return number < steps ? [...count(number + 1), end("toolCalls")] : done
}

const count = (number: number) => call("do_nothing", number, { number })

const call = (name: string, number: number, parameters: object): ReadonlyArray<Model.ModelPart> => [
  { _tag: "ToolCallStart", callId: `call_${number}`, name },
  { _tag: "ToolCallArguments", callId: `call_${number}`, text: JSON.stringify(parameters) }
]

const end = (reason: "stop" | "toolCalls"): Model.ModelPart => ({
  _tag: "End",
  reason,
  inputTokens: 10,
  cachedInputTokens: 0,
  outputTokens: 5,
  costUsd: null
})

const done: ReadonlyArray<Model.ModelPart> = [{ _tag: "Text", text: "done" }, end("stop")]
