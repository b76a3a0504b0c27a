/** Tests of AI SDK tools as a pack, opened as any other. */
import { open } from "@bough/sdk"
import { assert, describe, it } from "@effect/vitest"
import { dynamicTool, jsonSchema, tool } from "ai"
import { tmpdir } from "node:os"
import { z } from "zod"
import { fromAiSdk } from "../src/AiSdk.ts"
import { dot } from "./World.ts"

const weather = tool({
  description: "The weather of a city",
  inputSchema: z.object({ city: z.string().min(2).describe("Its name"), days: z.number().default(1) }),
  execute: async ({ city, days }) => ({ city, days, isSunny: true })
})

const opened = async (tools: Parameters<typeof fromAiSdk>[0], approve = () => true) =>
  open(await fromAiSdk(tools), { root: tmpdir(), approve })

const outcome = async (
  tools: Parameters<typeof fromAiSdk>[0],
  name: string,
  input: unknown,
  approve?: () => boolean
) => {
  await using pack = await opened(tools, approve)
  return await pack.call(name, input)
}

describe("fromAiSdk", () => {
  it("runs a tool with the arguments decoded by its schema", async () => {
    const envelope = await outcome({ weather }, "weather", { city: "Rome" })
    assert.deepStrictEqual<unknown>(envelope.status === "success" ? envelope.result.output : envelope, {
      city: "Rome",
      days: 1,
      isSunny: true
    })
  })

  it("keeps name, description and schema, and refuses invalid arguments", async () => {
    const { tools } = await fromAiSdk({ weather })
    assert.deepInclude(tools["weather"], { name: "weather", description: "The weather of a city", tier: "System" })
    for (const wrong of [{}, { city: 1 }, { city: "R" }, { city: "Rome", more: 1 }]) {
      const envelope = await outcome({ weather }, "weather", wrong)
      assert.isTrue(envelope.status === "error" && envelope.error._tag === "ValidationError", JSON.stringify(wrong))
    }
  })

  it("names tools in snake case, and asks for the tier by their own names", async () => {
    const named: Array<string> = []
    const tools = { getWeather: weather, fetchURLNow: weather, plain_name: weather }
    const pack = await fromAiSdk(tools, { tier: (name) => (named.push(name), "ReadOnly") })
    assert.deepStrictEqual(Object.keys(pack.tools), ["get_weather", "fetch_url_now", "plain_name"])
    assert.deepStrictEqual(named, Object.keys(tools))
    const failed = (wrong: Parameters<typeof fromAiSdk>[0]) =>
      fromAiSdk(wrong).then(
        () => "made",
        ({ message }: Error) => message
      )
    assert.match(await failed({ "get weather": weather }), /"get weather": name/u)
    assert.match(await failed({ getWeather: weather, get_weather: weather }), /two tools named get_weather/u)
  })

  it("asks about each call, and about one with needsApproval as an Elevated one", async () => {
    await using pack = await opened({
      weather,
      pay: { ...weather, needsApproval: ({ days }: { days: number }) => days > 2 }
    })
    const tiers = await Promise.all([
      pack.judge("weather", { city: "Rome" }),
      pack.judge("pay", { city: "Rome", days: 1 }),
      pack.judge("pay", { city: "Rome", days: 3 })
    ])
    assert.deepStrictEqual(
      tiers.map((judged) => [judged.decision, judged.decision === "ask" && judged.tier]),
      [
        ["ask", "System"],
        ["ask", "System"],
        ["ask", "Elevated"]
      ]
    )
    const denied = await outcome({ weather }, "weather", { city: "Rome" }, () => false)
    assert.strictEqual(denied.status, "rejected")
  })

  it("turns preliminary results into progress, files into media, and a throw into an ExecutionError", async () => {
    const tools = {
      count: dynamicTool({
        description: "Count",
        inputSchema: jsonSchema({ type: "object", properties: {} }),
        execute: async function* () {
          yield "one"
          yield "two"
          yield "three"
        },
        toModelOutput: () => ({
          type: "content",
          value: [{ type: "file", mediaType: "image/png", data: { type: "data", data: dot } }]
        })
      }),
      fail: dynamicTool({
        description: "Fail",
        inputSchema: z.object({}),
        execute: () => Promise.reject(new Error("no luck"))
      })
    }
    await using pack = await opened(tools)
    const lines: Array<string> = []
    const counted = await pack.call("count", {}, { onProgress: (line) => lines.push(line) })
    assert.deepStrictEqual(lines, ["one", "two"])
    assert.deepInclude(counted.status === "success" ? counted.result : counted, {
      output: "three",
      text: "three",
      media: [{ mediaType: "image/png", data: dot }]
    })
    const failed = await pack.call("fail", {})
    assert.deepInclude(failed.status === "error" ? failed.error : failed, {
      _tag: "ExecutionError",
      message: "no luck"
    })
  })

  it("passes the abort on", async () => {
    const started = Promise.withResolvers<AbortSignal>()
    const tools = {
      wait: dynamicTool({
        description: "Wait",
        inputSchema: z.object({}),
        execute: (_, { abortSignal }) => {
          if (abortSignal !== undefined) started.resolve(abortSignal)
          return new Promise<string>(() => {})
        }
      })
    }
    await using pack = await opened(tools)
    const controller = new AbortController()
    const ended = pack.call("wait", {}, { signal: controller.signal }).catch((error: unknown) => String(error))
    const signal = await started.promise
    controller.abort(new Error("enough"))
    assert.strictEqual(await ended, "Error: enough")
    assert.isTrue(signal.aborted)
  })
})
