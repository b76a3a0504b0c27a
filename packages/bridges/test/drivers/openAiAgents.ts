import { Agent, type Model, type ModelRequest, Runner, Usage } from "@openai/agents"
import { toOpenAiAgents } from "../../src/OpenAiAgents.ts"
import { type Call, type Driver, type EndedOutcome, textOf, type World } from "./Driver.ts"

const scripted = ({ input, name }: Call, requests: Array<ModelRequest>): Model => ({
  getResponse: async (request) => {
    requests.push(request)
    const output =
      requests.length === 1
        ? { type: "function_call", callId: "call-1", name, arguments: JSON.stringify(input), status: "completed" }
        : { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: "done" }] }
    return { usage: new Usage(), output: [output as never] }
  },
  async *getStreamedResponse() {}
})

const start = (world: World, call: Call) => {
  const requests: Array<ModelRequest> = []
  const { onProgress } = call
  const { shown, tools } = toOpenAiAgents(world.opened, onProgress === undefined ? {} : { onProgress })
  const agent = new Agent({ name: "agent", tools, model: scripted(call, requests) })
  const runner = new Runner({ tracingDisabled: true })
  return { requests, shown, agent, runner }
}

export const openAiAgents: Driver = {
  declared: async (world) => {
    const { agent, requests, runner } = start(world, { name: "read_day", input: {} })
    await runner.run(agent, "go")
    const tool = requests[0].tools.find((one) => one.type === "function" && one.name === "write_note")
    return tool?.type === "function" ? tool.parameters : null
  },
  run: async (world, call) => {
    const { agent, requests, runner, shown } = start(world, call)
    const outcome = (): EndedOutcome => {
      const items = requests.at(-1)?.input
      const result = Array.isArray(items) ? items.find((item) => item.type === "function_call_result") : undefined
      return { told: textOf(result?.type === "function_call_result" ? result.output : "nothing") }
    }
    const options = call.signal === undefined ? {} : { signal: call.signal }
    const result = await runner.run(agent, "go", options)
    const [interruption] = result.interruptions
    if (interruption === undefined) return outcome()
    return {
      shown: shown("call-1")?.preview ?? "nothing",
      decide: async (approved) => {
        if (approved) result.state.approve(interruption)
        else result.state.reject(interruption)
        await runner.run(agent, result.state)
        return outcome()
      }
    }
  }
}
