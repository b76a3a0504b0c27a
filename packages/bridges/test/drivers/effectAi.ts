import * as LanguageModel from "effect/ai/LanguageModel"
import type * as Prompt from "effect/ai/Prompt"
import type * as Response from "effect/ai/Response"
import * as AiTool from "effect/ai/Tool"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { toEffectAi } from "../../src/EffectAi.ts"
import { type Call, type Driver, textOf, type World } from "./Driver.ts"

const usage = { inputTokens: {}, outputTokens: {} } as never
const finish = (reason: "stop" | "tool-calls") => ({ type: "finish", reason, usage }) as const

const scripted = ({ input, name }: Call, prompts: Array<LanguageModel.ProviderOptions>) => {
  const answer = (options: LanguageModel.ProviderOptions): Array<Response.StreamPartEncoded> => {
    prompts.push(options)
    return prompts.length === 1
      ? [{ type: "tool-call", id: "call-1", name, params: { ...input } } as never, finish("tool-calls")]
      : ([
          { type: "text-start", id: "1" },
          { type: "text-delta", id: "1", delta: "done" },
          { type: "text-end", id: "1" },
          finish("stop")
        ] as never)
  }
  return LanguageModel.make({
    generateText: () => Effect.die("only streams are asked for"),
    streamText: (options) => Stream.suspend(() => Stream.fromIterable(answer(options) as never))
  })
}

interface Part {
  readonly type: string
  readonly approvalId?: string
  readonly preliminary?: boolean
  readonly result?: { readonly progress?: string }
  readonly modelOutput?: unknown
  readonly encodedResult?: unknown
}

const start = (world: World, call: Call) => {
  const prompts: Array<LanguageModel.ProviderOptions> = []
  const { layer, shown, toolkit } = toEffectAi(world.opened)
  const ask = (prompt: Prompt.RawInput): Effect.Effect<ReadonlyArray<Part>> =>
    Effect.gen(function* () {
      const model = yield* scripted(call, prompts)
      const stream = model.streamText({ prompt, toolkit } as never) as unknown as Stream.Stream<Part>
      return [...(yield* Stream.runCollect(stream))]
    }).pipe(Effect.provide(layer as never)) as Effect.Effect<ReadonlyArray<Part>>
  return { ask, prompts, shown }
}

export const effectAi: Driver = {
  declared: async (world) => {
    const { ask, prompts } = start(world, { name: "read_day", input: {} })
    await Effect.runPromise(ask("go"))
    const tool = prompts[0].tools.find(({ name }) => name === "write_note")
    return tool === undefined ? null : AiTool.getJsonSchema(tool)
  },
  run: async (world, call) => {
    const { ask, shown } = start(world, call)
    const options = call.signal === undefined ? {} : { signal: call.signal }
    const parts = await Effect.runPromise(ask("go"), options)
    for (const { preliminary, result } of parts) {
      if (preliminary === true) call.onProgress?.(result?.progress ?? "")
    }
    const resultOf = (made: ReadonlyArray<Part>) => {
      const result = made.findLast(({ type }) => type === "tool-result")
      return { told: textOf(result?.modelOutput ?? result?.encodedResult ?? "nothing") }
    }
    const request = parts.find(({ type }) => type === "tool-approval-request")
    if (request === undefined) return resultOf(parts)
    return {
      shown: shown("call-1")?.preview ?? "nothing",
      decide: async (approved) => {
        const { approvalId } = request
        const messages = [
          { role: "user", content: "go" },
          {
            role: "assistant",
            content: [
              { type: "tool-call", id: "call-1", name: call.name, params: call.input },
              { type: "tool-approval-request", approvalId, toolCallId: "call-1" }
            ]
          },
          { role: "tool", content: [{ type: "tool-approval-response", approvalId, approved, reason: "not today" }] }
        ]
        return resultOf(await Effect.runPromise(ask(messages as never)))
      }
    }
  }
}
