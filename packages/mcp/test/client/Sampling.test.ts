/** Requests of real servers for an answer of the model: off by default, within the configured limits, during calls. */
import { ToolError } from "@bough/protocol"
import type { Sampling } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Servers from "../../src/client/Servers.ts"
import type { ServerConfig } from "../../src/ServerConfig.ts"
import { calling, until } from "../calling.ts"
import * as http from "../servers/http.ts"
import { ports, server, stdio } from "../World.ts"

const limits = { model: null, maxTokens: 1000, requestsPerMinute: 100 }

const open = Effect.fnUntraced(function* (
  more: Partial<ServerConfig>,
  transport: ServerConfig["transport"] = stdio("stdio.ts"),
  reply: (request: Sampling.SamplingRequest) => ReturnType<Sampling.Sampling["Service"]["ask"]> = ({ messages }) =>
    Effect.succeed({ text: `heard: ${messages.at(-1)?.text}. END more`, model: "own/model", reason: "stop" })
) {
  const world = ports(new Map())
  const servers = yield* Servers.make({
    servers: [server("Sample", transport, more)],
    workspaceRoot: "/",
    ports: world
  })
  yield* servers.settled
  const requests: Array<Sampling.SamplingRequest> = []
  const call = calling(servers, {
    ask: (request) =>
      Effect.suspend(() => {
        requests.push(request)
        return reply(request)
      })
  })
  const sample = (params: object) =>
    Effect.map(call("sample__ask_model", { params }), ({ output }): unknown => JSON.parse(output.text))
  return { call, requests, sample, world }
})

const hello = { messages: [{ role: "user", content: { type: "text", text: "hello" } }], maxTokens: 50 }

describe("sampling", () => {
  it.live("is refused unless the configuration allows it", () =>
    Effect.gen(function* () {
      const { requests, sample } = yield* open({ sampling: null })
      assert.match(JSON.stringify(yield* sample(hello)), /Method not found/u)
      assert.isEmpty(requests)
    }).pipe(Effect.scoped)
  )

  it.live("sends the server's own text to the session, and the answer back", () =>
    Effect.gen(function* () {
      const { requests, sample } = yield* open({ sampling: { ...limits, model: "cheap/model" } })
      const answer = yield* sample({
        ...hello,
        systemPrompt: "Be kind",
        messages: [
          { role: "user", content: [{ type: "text", text: "hello" }] },
          { role: "assistant", content: { type: "text", text: "yes?" } },
          ...hello.messages
        ],
        maxTokens: 5000,
        stopSequences: [" END"],
        includeContext: "allServers"
      })
      assert.deepStrictEqual(requests, [
        {
          requester: "MCP server Sample",
          system: "Be kind",
          messages: [
            { role: "user", text: "hello" },
            { role: "assistant", text: "yes?" },
            { role: "user", text: "hello" }
          ],
          maxTokens: 1000,
          model: "cheap/model"
        }
      ])
      assert.deepStrictEqual(answer, {
        model: "own/model",
        stopReason: "stopSequence",
        role: "assistant",
        content: { type: "text", text: "heard: hello." }
      })
    }).pipe(Effect.scoped)
  )

  it.live("works for a server that is reached by HTTP", () =>
    Effect.gen(function* () {
      const remote = yield* Effect.acquireRelease(
        Effect.promise(() => http.withSessions()),
        (running) => Effect.promise(() => running.close())
      )
      const transport = { _tag: "Http", url: remote.url, headers: {}, protocol: "Streamable" } as const
      const { sample } = yield* open({ sampling: limits }, transport)
      assert.deepInclude(yield* sample(hello), { stopReason: "endTurn", model: "own/model" })
    }).pipe(Effect.scoped)
  )

  it.live("is refused for other content than text, for tools, for a tool that only reads, and when no call runs", () =>
    Effect.gen(function* () {
      const { call, requests, sample, world } = yield* open({ sampling: limits })
      const image = { role: "user", content: { type: "image", data: "AAAA", mimeType: "image/png" } }
      assert.match(JSON.stringify(yield* sample({ ...hello, messages: [image] })), /something other than text/u)
      yield* call("sample__ask_model_later", {})
      yield* until(() => world.notices.some((notice) => notice.includes("no call of it runs")))
      const reading = yield* open({ sampling: limits, tiers: [["*", "ReadOnly"]] })
      assert.match(JSON.stringify(yield* reading.sample(hello)), /the tool that runs has the tier ReadOnly/u)
      assert.isEmpty([...requests, ...reading.requests])
      // Each reason is told once, however often the server asks.
      for (let again = 0; again < 3; again++) yield* reading.sample(hello)
      assert.lengthOf(reading.world.notices, 1)
    }).pipe(Effect.scoped)
  )

  it.live("is refused beyond the requests of a minute, also after the server connected again", () =>
    Effect.gen(function* () {
      const { call, requests, sample } = yield* open({ sampling: { ...limits, requestsPerMinute: 2 } })
      yield* sample(hello)
      yield* Effect.flip(call("sample__die", {}))
      yield* sample(hello)
      assert.match(JSON.stringify(yield* sample(hello)), /it may ask 2 times a minute/u)
      assert.lengthOf(requests, 2)
    }).pipe(Effect.scoped)
  )

  it.live("tells the server why the session has no answer, and ends with the call", () =>
    Effect.gen(function* () {
      const failing = yield* open({ sampling: limits }, stdio("stdio.ts"), () =>
        Effect.fail(new ToolError.ExecutionError({ message: "the remaining budget is too small" }))
      )
      assert.match(JSON.stringify(yield* failing.sample(hello)), /the remaining budget is too small/u)
      const ended: Array<string> = []
      const hanging = yield* open({ sampling: limits }, stdio("stdio.ts"), () =>
        Effect.onInterrupt(Effect.never, () => Effect.sync(() => void ended.push("interrupted")))
      )
      yield* Effect.raceFirst(
        hanging.sample(hello),
        Effect.promise(async () => {
          while (hanging.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
        })
      )
      assert.deepStrictEqual(ended, ["interrupted"])
    }).pipe(Effect.scoped)
  )

  it.live("is named in the approval of a call", () =>
    Effect.gen(function* () {
      const { call } = yield* open({ sampling: limits })
      const { render } = yield* Effect.orDie(call.preview("sample__add"))
      assert.include(render, "the server may ask the model meanwhile: 100 times a minute, for 1000 tokens each")
      const without = yield* open({ sampling: null })
      assert.notInclude((yield* Effect.orDie(without.call.preview("sample__add"))).render, "may ask")
    }).pipe(Effect.scoped)
  )
})
