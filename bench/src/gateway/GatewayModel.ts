/**
 * The scripted model of the gateway's benchmark. The user's message is its script: `ticks N MILLIS` sends N pieces of
 * text that are due in that interval, each with the time at which it was due; `steps N` calls read_file N times in
 * parallel, then replies "done". The model has no state, so one model serves any number of sessions.
 */
import { Model } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { check } from "../Check.ts"

/** The file that `steps` reads line by line. */
export const file = "notes.txt"
export const lineOf = (step: number): string => `The word of line ${step} is kestrel-${step * 7919}.`

export const ticks = (count: number, millis: number): string => `ticks ${count} ${millis}`
export const steps = (count: number): string => `steps ${count}`

/** Returns the time of a clock that all processes of a machine share. */
export const nowMillis = (): number => performance.timeOrigin + performance.now()

const end = (reason: "stop" | "toolCalls"): Model.ModelPart => ({
  _tag: "End",
  reason,
  inputTokens: 10,
  cachedInputTokens: 0,
  outputTokens: 5,
  costUsd: null
})

const done: ReadonlyArray<Model.ModelPart> = [{ _tag: "Text", text: "done" }, end("stop")]

const call = (step: number): ReadonlyArray<Model.ModelPart> => [
  { _tag: "ToolCallStart", callId: `call_${step}`, name: "read_file" },
  {
    _tag: "ToolCallArguments",
    callId: `call_${step}`,
    text: JSON.stringify({ path: file, fromLine: step, maxLines: 1 })
  },
  end("toolCalls")
]

/** Sends pieces of text. Each contains the time at which it was due, so waiting in a busy process counts. */
const sendTicks = (count: number, millis: number): Stream.Stream<Model.ModelPart> => {
  // The sessions' pieces are spread over the interval.
  const startMillis = nowMillis() + Math.random() * millis
  const pieces = Stream.unfold(0, (index) => {
    if (index === count) return Effect.succeed(undefined)
    const dueMillis = startMillis + index * millis
    const part: Model.ModelPart = { _tag: "Text", text: `[${index}:${dueMillis.toFixed(2)}]` }
    return Effect.as(Effect.sleep(Math.max(0, dueMillis - nowMillis())), [part, index + 1] as const)
  })
  return Stream.concat(pieces, Stream.succeed(end("stop")))
}

const next = ({ messages }: Model.Prompt): Stream.Stream<Model.ModelPart> => {
  const newest = messages[messages.length - 1]
  const request = messages.findLast(({ _tag }) => _tag === "User")
  const script = request !== undefined && "text" in request ? request.text : ""
  const tick = /\bticks (\d+) (\d+)/u.exec(script)
  if (tick !== null) return sendTicks(Number(tick[1]), Number(tick[2]))
  const count = Number(/\bsteps (\d+)/u.exec(script)?.[1] ?? 0)
  if (newest._tag !== "ToolResult") return Stream.fromIterable(count > 0 ? call(1) : done)
  const step = Number(newest.providerCallId.slice("call_".length))
  check(!newest.isError && newest.output.includes(lineOf(step)), `step ${step} came back with ${newest.output}`)
  return Stream.fromIterable(step < count ? call(step + 1) : done)
}

export const model: Model.Model["Service"] = {
  name: "scripted/gateway",
  contextTokens: null,
  priced: false,
  stream: (prompt) => Stream.suspend(() => next(prompt))
}
