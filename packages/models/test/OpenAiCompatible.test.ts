/**
 * Tests of the openai-compatible provider against a real server on loopback: its requests, and its parsing of answers.
 */
import {
  ask,
  assistant,
  calls,
  end,
  prompt,
  reasoning,
  text,
  toolCall,
  toolError,
  toolResult,
  user
} from "@bough/runtime/testing/ModelProbe"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import type { ServerResponse } from "node:http"
import * as ChatServer from "./ChatServer.ts"
import { connect } from "./wire/Tiny.ts"

const { call, delta, events, usage } = ChatServer
const stop = delta({}, "stop")
const toolsDone = delta({}, "tool_calls")
const pixel = { mediaType: "image/png", data: "iVBORw0KGgo=" }

/** Servers that do not end the connection of a complete reply. */
const afterwards: ReadonlyArray<readonly [how: string, act: (response: ServerResponse) => void]> = [
  ["stays silent", (response) => void response.write(": done\n\n")],
  [
    "sends comments",
    (response) => {
      const timer = setInterval(() => response.write(": still here\n\n"), 5)
      response.on("close", () => clearInterval(timer))
    }
  ],
  [
    "goes on writing",
    (response) => {
      const timer = setInterval(() => response.write(`data: ${JSON.stringify(delta({ content: "more" }))}\n\n`), 5)
      response.on("close", () => clearInterval(timer))
    }
  ]
]

describe("OpenAiCompatible", () => {
  it.live("streams text and ends with the usage", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(
        events([delta({ role: "assistant", content: "Hel" }), delta({ content: "lo" }), stop, usage(100, 7, 40)])
      )
      const model = yield* connect(server.baseUrl)
      const reply = yield* ask(model, prompt("hi", ["read_file"]))
      assert.isNull(reply.error)
      assert.deepStrictEqual(reply.parts, [
        { _tag: "Text", text: "Hel" },
        { _tag: "Text", text: "lo" },
        { _tag: "End", reason: "stop", inputTokens: 100, cachedInputTokens: 40, outputTokens: 7, costUsd: null }
      ])
      const [request] = server.received
      assert.strictEqual(request.path, "/v1/chat/completions")
      assert.strictEqual(request.body.model, "tiny")
      assert.isUndefined(request.headers.authorization)
      assert.deepStrictEqual(request.body.messages, [
        { role: "system", content: "be brief" },
        { role: "user", content: "hi" }
      ])
      assert.deepStrictEqual(request.body.tools, [
        {
          type: "function",
          function: {
            name: "read_file",
            description: "does read_file",
            parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] }
          }
        }
      ])
    })
  )

  it.live("streams while the server still writes", () =>
    Effect.gen(function* () {
      const first = yield* Deferred.make<void>()
      const server = yield* ChatServer.start((response) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        response.write(`data: ${JSON.stringify(delta({ content: "now" }))}\n\n`)
        Effect.runFork(
          Effect.andThen(
            Deferred.await(first),
            Effect.sync(() => response.end(`data: ${JSON.stringify(stop)}\n\n`))
          )
        )
      })
      const model = yield* connect(server.baseUrl)
      // The server ends its answer only once the first part was seen here.
      const parts = yield* model.stream(prompt("hi")).pipe(
        Stream.tap(() => Deferred.succeed(first, undefined)),
        Stream.runCollect
      )
      assert.deepStrictEqual(
        parts.map((part) => part._tag),
        ["Text", "End"]
      )
    })
  )

  it.live("passes on reasoning apart from text", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(
        events([
          delta({ reasoning_content: "let me " }),
          delta({ reasoning_content: "see" }),
          delta({ content: "42" }),
          stop
        ])
      )
      const reply = yield* ask(yield* connect(server.baseUrl), prompt("?"))
      assert.strictEqual(reasoning(reply), "let me see")
      assert.strictEqual(text(reply), "42")
    })
  )

  it.live("assembles the alternating fragments of parallel calls under their own ids", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(
        events([
          call(0, { id: "a", name: "read_file", arguments: "" }),
          call(1, { id: "b", name: "list_files", arguments: `{"pa` }),
          call(0, { arguments: `{"path":"x` }),
          call(1, { arguments: `th":"` }),
          call(0, { arguments: `.ts"}` }),
          call(1, { arguments: `src"}` }),
          toolsDone
        ])
      )
      const reply = yield* ask(yield* connect(server.baseUrl), prompt("go", ["read_file", "list_files"]))
      assert.isNull(reply.error)
      assert.deepStrictEqual(calls(reply), [
        { id: "a", name: "read_file", arguments: `{"path":"x.ts"}` },
        { id: "b", name: "list_files", arguments: `{"path":"src"}` }
      ])
      assert.strictEqual(end(reply)?.reason, "toolCalls")
      // Fragments were passed on as they came, not gathered.
      assert.isAtLeast(reply.parts.filter((part) => part._tag === "ToolCallArguments").length, 5)
    })
  )

  it.live("gives a call without any arguments an empty object", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(events([call(0, { id: "a", name: "current_time" }), toolsDone]))
      const reply = yield* ask(yield* connect(server.baseUrl), prompt("time?", ["current_time"]))
      assert.deepStrictEqual(calls(reply), [{ id: "a", name: "current_time", arguments: "{}" }])
    })
  )

  it.live("leaves the arguments of a call that ran out of tokens malformed", () =>
    Effect.gen(function* () {
      const answers = [
        [call(0, { id: "a", name: "wipe" })],
        [call(0, { id: "a", name: "wipe", arguments: `{"path":"a` })]
      ]
      for (const chunks of answers) {
        const server = yield* ChatServer.start(events([...chunks, delta({}, "length")]))
        const reply = yield* ask(yield* connect(server.baseUrl), prompt("go", ["wipe"]))
        assert.strictEqual(end(reply)?.reason, "length")
        assert.match(calls(reply)[0].arguments, /^\{/)
        assert.throws(() => JSON.parse(calls(reply)[0].arguments))
      }
    })
  )

  it.live("counts no tokens and no cost if the server reports none, also with a price", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(events([delta({ content: "ok" }), stop]))
      const model = yield* connect(server.baseUrl, { price: { inputPerMillionUsd: 1, outputPerMillionUsd: 1 } })
      const reply = yield* ask(model, prompt("hi"))
      assert.deepStrictEqual(end(reply), {
        _tag: "End",
        reason: "stop",
        inputTokens: 0,
        cachedInputTokens: 0,
        outputTokens: 0,
        costUsd: null
      })
    })
  )

  it.live("computes the cost from the configured price and says that it is priced", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(
        events([delta({ content: "ok" }), stop, usage(1_000_000, 100_000, 500_000)])
      )
      const price = { inputPerMillionUsd: 2, cachedInputPerMillionUsd: 0.5, outputPerMillionUsd: 10 }
      const model = yield* connect(server.baseUrl, { price })
      assert.isTrue(model.priced)
      assert.isFalse((yield* connect(server.baseUrl)).priced)
      assert.closeTo(end(yield* ask(model, prompt("hi")))!.costUsd!, 1 + 0.25 + 1, 1e-9)
    })
  )

  it.live("sends the conversation back: images, calls, reasoning, results and errors", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(events([delta({ content: "ok" }), stop]))
      const model = yield* connect(server.baseUrl, { key: "secret-key" })
      const reply = yield* ask(
        model,
        prompt([
          user("look", [pixel]),
          assistant(
            { _tag: "Reasoning", text: "hm" },
            { _tag: "Text", text: "reading" },
            toolCall("a", "read_file", { path: "x" }),
            toolCall("b", "read_file", "{broken")
          ),
          { ...toolResult("a", "read_file", { text: "hello" }), media: [pixel] },
          toolError("b", "read_file", "arguments are not JSON"),
          assistant({ _tag: "Text", text: "done" }),
          toolResult("a", "read_file", "came late"),
          user("go on")
        ])
      )
      assert.isNull(reply.error)
      const [request] = server.received
      assert.strictEqual(request.headers.authorization, "Bearer secret-key")
      const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }
      const functionCall = (id: string, args: string) => ({
        id,
        type: "function",
        function: { name: "read_file", arguments: args }
      })
      assert.deepStrictEqual(request.body.messages, [
        { role: "system", content: "be brief" },
        { role: "user", content: [{ type: "text", text: "look" }, image] },
        {
          role: "assistant",
          content: "reading",
          reasoning_content: "hm",
          tool_calls: [functionCall("a", `{"path":"x"}`), functionCall("b", `{"malformed_arguments":"{broken"}`)]
        },
        { role: "tool", tool_call_id: "a", content: `{"text":"hello"}` },
        { role: "tool", tool_call_id: "b", content: "arguments are not JSON" },
        { role: "user", content: [{ type: "text", text: "Images of read_file:" }, image] },
        { role: "assistant", content: "done" },
        { role: "user", content: "Result of the earlier call of read_file: came late" },
        { role: "user", content: "go on" }
      ])
    })
  )

  it.live("sends a conversation that has grown like one that it never sent", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(events([delta({ content: "ok" }), stop]))
      const model = yield* connect(server.baseUrl)
      const messages = [
        user("look"),
        assistant(toolCall("a", "read_file", "{}"), toolCall("b", "read_file", "{}")),
        toolResult("a", "read_file", "first"),
        { ...toolResult("b", "read_file", "second"), media: [pixel] },
        assistant(toolCall("c", "read_file", { path: "z" })),
        toolResult("c", "read_file", "third")
      ]
      const late = [...messages.slice(0, 2), user("and then?"), assistant({ _tag: "Text", text: "well" }), messages[2]]
      const asked = [messages.slice(0, 4), messages, structuredClone(messages), late]
      for (const each of asked) assert.strictEqual(text(yield* ask(model, prompt(each, ["read_file"]))), "ok")
      const [, grown, uncached, withLate] = server.received.map(({ body }) => body)
      assert.deepStrictEqual(grown, uncached)
      assert.strictEqual([3, 4, 7].map((at) => grown.messages[at].content).join(), "first,second,third")
      assert.strictEqual(withLate.messages.at(-1)?.content, "Result of the earlier call of read_file: first")
    })
  )

  it.live("reuses its connection for the next reply", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(events([delta({ content: "ok" }), stop]))
      const model = yield* connect(server.baseUrl)
      for (let count = 0; count < 3; count++) assert.strictEqual(text(yield* ask(model, prompt("hi"))), "ok")
      assert.strictEqual(server.received.length, 3)
      assert.strictEqual(server.connections(), 1)
    })
  )

  it.live.each(afterwards)("ends a complete reply whose server %s, and closes the connection", ([, act]) =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start((response, received, index) => {
        ChatServer.hangAfter([delta({ content: "ok" }), stop, usage(1, 1), "data: [DONE]\n\n"])(
          response,
          received,
          index
        )
        act(response)
      })
      const answer = yield* ask(yield* connect(server.baseUrl), prompt("hi"))
      assert.isNull(answer.error)
      assert.strictEqual(text(answer), "ok")
      yield* server.hangClosed
    })
  )

  it.live("retries at once when a reused connection turns out to be closed", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start((response, received, index) => {
        // Read in full, then dropped without an answer, like a server that closes idle connections.
        if (index === 1) response.socket!.destroy()
        else events([delta({ content: "ok" }), stop])(response, received, index)
      })
      const model = yield* connect(server.baseUrl)
      assert.strictEqual(text(yield* ask(model, prompt("one"))), "ok")
      const second = yield* ask(model, prompt("two"))
      assert.isNull(second.error)
      assert.strictEqual(text(second), "ok")
      assert.strictEqual(server.received.length, 3)
    })
  )

  it.live("closes the connection when the reply is interrupted", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(ChatServer.hangAfter([delta({ content: "thinking" })]))
      const model = yield* connect(server.baseUrl)
      const started = yield* Deferred.make<void>()
      const fiber = yield* model.stream(prompt("hi")).pipe(
        Stream.runForEach(() => Deferred.succeed(started, undefined)),
        Effect.forkChild
      )
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      yield* server.hangClosed
    })
  )

  it.live("closes the connection when it is interrupted before the server answered", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(() => {})
      const model = yield* connect(server.baseUrl)
      const fiber = yield* Effect.forkChild(ask(model, prompt("hi")))
      yield* Deferred.await(server.hanging)
      yield* Fiber.interrupt(fiber)
      yield* server.hangClosed
    })
  )

  it.live("asks the server for its model if none is named, once", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start((response, received, index) =>
        received.path === "/v1/models"
          ? ChatServer.status(200, { data: [{ id: "llama" }] })(response, received, index)
          : events([delta({ content: "ok" }), stop])(response, received, index)
      )
      const model = yield* connect(server.baseUrl, { model: null })
      yield* ask(model, prompt("one"))
      yield* ask(model, prompt("two"))
      assert.deepStrictEqual(
        server.received.map(({ body, path }) => [path, body.model]),
        [
          ["/v1/models", undefined],
          ["/v1/chat/completions", "llama"],
          ["/v1/chat/completions", "llama"]
        ] as never
      )
    })
  )

  it.live("lists a server's models instead of choosing among several", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(ChatServer.status(200, { data: [{ id: "llama" }, { id: "qwen" }] }))
      const { error } = yield* ask(yield* connect(server.baseUrl, { model: null }), prompt("hi"))
      assert.strictEqual(error?.reason, "UnknownModel")
      assert.include(error?.message, "llama, qwen")
      assert.include(error?.hint, "--model openai-compatible/llama")
    })
  )

  it.live.each([
    [401, "Refused"],
    [500, "ServerFailed"]
  ] as const)("asks no model of a server that answers the request for its list with %s", ([status, reason]) =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(ChatServer.status(status, { error: { message: "not for you" } }))
      const { error } = yield* ask(yield* connect(server.baseUrl, { model: null }), prompt("hi"))
      assert.strictEqual(error?.reason, reason)
      assert.include(error?.message, `answered ${status}: not for you`)
      assert.deepStrictEqual([...new Set(server.received.map(({ path }) => path))], ["/v1/models"])
    })
  )

  it.live("accepts any name for the model of a server that lists none", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start((response, received, index) =>
        received.path === "/v1/models"
          ? ChatServer.status(404, "<html>no</html>")(response, received, index)
          : events([delta({ content: "ok" }), stop])(response, received, index)
      )
      assert.strictEqual(text(yield* ask(yield* connect(server.baseUrl, { model: null }), prompt("hi"))), "ok")
      assert.strictEqual(server.received[1].body.model, "default")
    })
  )
})
