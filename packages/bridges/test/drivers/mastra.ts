import { Mastra } from "@mastra/core"
import { Agent } from "@mastra/core/agent"
import { InMemoryStore } from "@mastra/core/storage"
import { MockLanguageModelV4, simulateReadableStream } from "ai/test"
import { toMastra } from "../../src/Mastra.ts"
import { type Call, type Driver, type EndedOutcome, textOf, type World } from "./Driver.ts"

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined }
}

const start = (world: World, { input, name }: Call) => {
  const { shown, tools } = toMastra(world.opened)
  const finish = (unified: "stop" | "tool-calls") => ({
    type: "finish" as const,
    finishReason: { unified, raw: undefined },
    usage
  })
  const stream = (...chunks: ReadonlyArray<unknown>) => ({
    stream: simulateReadableStream({ chunks: [{ type: "stream-start", warnings: [] }, ...chunks] as Array<never> })
  })
  const model = new MockLanguageModelV4({
    doStream: [
      stream(
        { type: "tool-call", toolCallId: "call-1", toolName: name, input: JSON.stringify(input) },
        finish("tool-calls")
      ),
      stream(
        { type: "text-start", id: "1" },
        { type: "text-delta", id: "1", delta: "done" },
        { type: "text-end", id: "1" },
        finish("stop")
      )
    ]
  })
  const agent = new Agent({
    id: "agent",
    name: "agent",
    instructions: "",
    model: model as never,
    tools: tools as never
  })
  const mastra = new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false })
  return { agent: mastra.getAgent("agent"), model, shown }
}

interface Chunk {
  readonly type: string
  readonly payload?: { readonly output?: { readonly progress?: string } }
}

export const mastra: Driver = {
  declared: async (world) => {
    const { agent, model } = start(world, { name: "read_day", input: {} })
    const stream = await agent.stream("go")
    for await (const _ of stream.fullStream);
    const tool = model.doStreamCalls[0].tools?.find(({ name }) => name === "write_note")
    return tool?.type === "function" ? tool.inputSchema : null
  },
  run: async (world, call) => {
    const { agent, model, shown } = start(world, call)
    const result = (): EndedOutcome => {
      const message = model.doStreamCalls.at(-1)?.prompt.findLast(({ role }) => role === "tool")
      const part = message?.role === "tool" ? message.content.find(({ type }) => type === "tool-result") : undefined
      const output = part?.type === "tool-result" ? part.output : undefined
      return { told: textOf(output === undefined ? "nothing" : "value" in output ? output.value : output) }
    }
    const options = call.signal === undefined ? {} : { abortSignal: call.signal }
    const read = async (stream: { readonly fullStream: AsyncIterable<unknown> }): Promise<boolean> => {
      let isAsked = false
      for await (const chunk of stream.fullStream as AsyncIterable<Chunk>) {
        if (chunk.type === "tool-call-approval") isAsked = true
        const progress = chunk.payload?.output?.progress
        if (progress !== undefined) call.onProgress?.(progress)
      }
      return isAsked
    }
    const stream = await agent.stream("go", options as never)
    if (!(await read(stream as never))) return result()
    return {
      shown: shown(call.name, call.input)?.preview ?? "nothing",
      decide: async (approved) => {
        const { runId } = stream as { readonly runId: string }
        await read(await (approved ? agent.approveToolCall({ runId }) : agent.declineToolCall({ runId })))
        return result()
      }
    }
  }
}
