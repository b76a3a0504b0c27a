import { AIMessage } from "@langchain/core/messages"
import { fakeModel } from "@langchain/core/testing"
import { Command, MemorySaver } from "@langchain/langgraph"
import { createAgent, humanInTheLoopMiddleware } from "langchain"
import { type LangChainTools, toLangChain } from "../../src/LangChain.ts"
import { type Call, type Driver, type EndedOutcome, textOf, type World } from "./Driver.ts"

// The package's own types are incompatible with exactOptionalPropertyTypes.
const humanInTheLoop = humanInTheLoopMiddleware as unknown as (options: Pick<LangChainTools, "interruptOn">) => never

const start = (world: World, { input, name }: Call) => {
  const { interruptOn, tools } = toLangChain(world.opened)
  const model = fakeModel()
    .respondWithTools([{ name, args: { ...input }, id: "call-1" }])
    .respond(new AIMessage("done"))
  return createAgent({
    model,
    tools,
    middleware: [humanInTheLoop({ interruptOn })],
    checkpointer: new MemorySaver()
  })
}

interface State {
  readonly messages: ReadonlyArray<{ readonly type: string; readonly content: unknown; readonly status?: string }>
  readonly __interrupt__?: ReadonlyArray<{
    readonly value: { readonly actionRequests: ReadonlyArray<{ description: string }> }
  }>
}

const resultOf = ({ messages }: State): EndedOutcome => {
  const message = messages.find(({ type }) => type === "tool")
  return { told: textOf(message?.content ?? "nothing") }
}

export const langChain: Driver = {
  declared: async (world) => {
    const { tools } = toLangChain(world.opened)
    return tools.find(({ name }) => name === "write_note")?.schema
  },
  run: async (world, call) => {
    const agent = start(world, call)
    const config = {
      configurable: { thread_id: "thread" },
      ...(call.signal === undefined ? {} : { signal: call.signal })
    }
    let state: unknown = null
    const stream = await agent.stream(
      { messages: [{ role: "user", content: "go" }] } as never,
      {
        ...config,
        streamMode: ["custom", "values"]
      } as never
    )
    for await (const [mode, chunk] of stream as AsyncIterable<[string, { readonly progress?: string }]>) {
      if (mode === "custom" && chunk.progress !== undefined) call.onProgress?.(chunk.progress)
      if (mode === "values") state = chunk
    }
    const [interrupt] = (state as State).__interrupt__ ?? []
    if (interrupt === undefined) return resultOf(state as State)
    return {
      shown: interrupt.value.actionRequests[0].description,
      decide: async (approved) => {
        const decision = approved ? { type: "approve" } : { type: "reject", message: "not today" }
        const resumed = await agent.invoke(new Command({ resume: { decisions: [decision] } }) as never, config as never)
        return resultOf(resumed)
      }
    }
  }
}
