/** Tests of the cached prefix of a conversation, when one of its calls declares more tools. */
import { Session } from "@bough/protocol"
import type { Model } from "@bough/runtime"
import { ask, assistant, prompt, toolCall, user } from "@bough/runtime/testing/ModelProbe"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as DeclaredInPlace from "../src/DeclaredInPlace.ts"
import * as ChatServer from "./ChatServer.ts"
import * as AnthropicDialect from "./wire/AnthropicDialect.ts"
import * as ChatDialect from "./wire/ChatDialect.ts"
import type { Body, Dialect } from "./wire/Dialect.ts"
import { dialects } from "./wire/Dialects.ts"
import * as ResponsesDialect from "./wire/ResponsesDialect.ts"
import * as Wire from "./wire/Wire.ts"
import * as Workshop from "./wire/Workshop.ts"

const callId = Session.ToolCallId.make("call_1_1_use")
const use = { ...toolCall("use", "use_tools", { names: ["git_log", "git_diff"] }), toolCallId: callId }

const result = (text: string): Model.PromptMessage => ({
  _tag: "ToolResult",
  toolCallId: callId,
  providerCallId: "use",
  name: "use_tools",
  output: text,
  isError: false,
  media: []
})

const before: Model.Prompt = prompt("look at the history", ["read_file", "use_tools"])
const [readFile, useTools] = before.tools
const added = ["git_log", "git_diff"].map((name) => ({ ...readFile, name, description: name, declaredBy: callId }))
const during: Model.Prompt = {
  ...before,
  tools: [readFile, useTools, ...added],
  messages: [...before.messages, assistant(use), result("Declared git_log, git_diff")]
}
const after: Model.Prompt = { ...during, messages: [...during.messages, user("go on")] }

/** The bodies of requests with these prompts, one after the other. */
const bodiesOf = Effect.fnUntraced(function* (
  dialect: Dialect,
  name: string,
  prompts: ReadonlyArray<Model.Prompt>,
  environment: Readonly<Record<string, string>> = { BOUGH_TOOLS_IN_PLACE: "on" }
) {
  const server = yield* ChatServer.start(Wire.answer(dialect, Wire.says(Wire.text("ok"))))
  const model = yield* dialect.provider.make({
    name,
    model: name.slice(name.indexOf("/") + 1),
    effort: null,
    environment: { ...dialect.environment(new URL(server.baseUrl).origin, Wire.key), ...environment },
    price: null,
    contextTokens: null
  })
  for (const one of prompts) assert.isNull((yield* ask(model, one)).error)
  return server.received.map(({ body }) => body as Body)
}, Effect.scoped)

/** Cache marks move with each request and are not part of the cached text. */
const unmarked = (value: unknown): string =>
  JSON.stringify(value, (key: string, inner: unknown) => (key === "cache_control" ? undefined : inner))

/** The text in the order in which a provider caches it: tools, system prompt, messages. */
const anthropicText = ({ messages, system, tools }: Body): string =>
  unmarked([tools.filter((tool: Body) => tool.defer_loading !== true), system, messages]).replace(/\]{2}$/u, "")
const responsesText = ({ input, instructions, tools }: Body): string =>
  unmarked([tools, instructions, input]).replace(/\]{2}$/u, "")

/** The bodies of a session's requests in which the model declares `run_command` and calls it. */
const session = Effect.fnUntraced(function* (dialect: Dialect, name: string) {
  const replies = [
    Wire.says(Wire.call("use", "use_tools", { names: ["run_command"] })),
    Wire.says(Wire.call("run", "run_command", { argv: ["echo", "declared-and-run"] })),
    Wire.says(Wire.text("done"))
  ]
  const server = yield* ChatServer.start(Wire.inTurn(dialect, replies))
  const model = yield* dialect.provider.make({
    name,
    model: name.slice(name.indexOf("/") + 1),
    effort: null,
    environment: { ...dialect.environment(new URL(server.baseUrl).origin, Wire.key), BOUGH_TOOLS_IN_PLACE: "on" },
    price: null,
    contextTokens: null
  })
  const opened = yield* Workshop.open(yield* Workshop.make(), model, { tools: { core: new Set(["read_file"]) } })
  assert.strictEqual((yield* opened.run({ text: "go", media: [] })).text, "done")
  const bodies: ReadonlyArray<Body> = server.received.map(({ body }) => body)
  assert.lengthOf(bodies, 3)
  assert.include(dialect.results(bodies[2]).at(-1), "declared-and-run")
  return bodies
})

/** A session's tools, as the request declares them; a list may be wrapped. */
const declared = (dialect: Dialect, body: Body): string => JSON.stringify(dialect.tools(body)).replace(/[\]}]+$/u, "")

const inPlace: ReadonlyArray<readonly [string, Dialect, (body: Body) => string]> = [
  ["anthropic/claude-sonnet-5-5", AnthropicDialect.dialect, anthropicText],
  ["openai/gpt-6.1-terra", ResponsesDialect.dialect, responsesText]
]
const others = dialects.filter((dialect) => !inPlace.some(([, known]) => known === dialect))

describe("use_tools leaves the cached prefix unchanged", () => {
  it.live.each(inPlace)(
    "in a session with %s: every byte of an earlier request stays the same",
    ([name, dialect, text]) =>
      Effect.gen(function* () {
        const [first, second, third] = (yield* session(dialect, name)).map(text)
        assert.isTrue(second.startsWith(first.replace(/[\]}]+$/u, "")))
        assert.isTrue(third.startsWith(second.replace(/[\]}]+$/u, "")))
      }).pipe(Effect.scoped, Effect.provide(Workshop.layer))
  )

  it.live.each(others.map((dialect) => [dialect.model, dialect] as const))(
    "in a session with %s, which cannot declare in place, up to its first tools",
    ([name, dialect]) =>
      Effect.gen(function* () {
        const [first, second, third] = yield* session(dialect, name)
        assert.isTrue(declared(dialect, second).startsWith(declared(dialect, first)))
        assert.notStrictEqual(declared(dialect, second), declared(dialect, first))
        assert.strictEqual(declared(dialect, third), declared(dialect, second))
      }).pipe(Effect.scoped, Effect.provide(Workshop.layer))
  )
})

describe("DeclaredInPlace", () => {
  it.live("Claude: each request is a prefix of every later one, and the result refers to the tools", () =>
    Effect.gen(function* () {
      const bodies = yield* bodiesOf(AnthropicDialect.dialect, "anthropic/claude-sonnet-5-5", [before, during, after])
      const [first, second, third] = bodies.map(anthropicText)
      assert.isTrue(second.startsWith(first))
      assert.isTrue(third.startsWith(second.replace(/\]\}$/u, "")))
      const { messages, tools } = bodies[1]
      assert.deepStrictEqual(messages.at(-1).content[0].content, [
        { type: "tool_reference", tool_name: "git_log" },
        { type: "tool_reference", tool_name: "git_diff" }
      ])
      assert.deepStrictEqual(
        tools.map(({ defer_loading, name }: Body) => [name, defer_loading ?? false]),
        [
          ["read_file", false],
          ["use_tools", false],
          ["git_log", true],
          ["git_diff", true]
        ]
      )
    })
  )

  it.live("GPT: each request is a prefix of every later one, and the tools follow the result", () =>
    Effect.gen(function* () {
      const bodies = yield* bodiesOf(ResponsesDialect.dialect, "openai/gpt-6.1-terra", [before, during, after])
      const [first, second, third] = bodies.map(responsesText)
      assert.isTrue(second.startsWith(first))
      assert.isTrue(third.startsWith(second))
      const { input, tools } = bodies[1]
      assert.strictEqual(input.at(-2).type, "function_call_output")
      assert.strictEqual(input.at(-1).type, "additional_tools")
      assert.deepStrictEqual(
        input.at(-1).tools.map(({ name, parameters }: Body) => [name, parameters]),
        added.map(({ name, parameters }) => [name, parameters])
      )
      assert.deepStrictEqual(
        tools.map(({ name }: Body) => name),
        ["read_file", "use_tools"]
      )
    })
  )

  it.live("a provider without such a way gets them after the others", () =>
    Effect.gen(function* () {
      const [first, second] = yield* bodiesOf(ChatDialect.openAiCompatible, "openai-compatible/tiny", [before, during])
      assert.deepStrictEqual(second.tools.slice(0, 2), first.tools)
      assert.deepStrictEqual(
        second.tools.slice(2).map(({ function: { name } }: Body) => name),
        ["git_log", "git_diff"]
      )
    })
  )

  it.live("once the result has left the prompt, the tools are declared with the others", () =>
    Effect.gen(function* () {
      const gone: Model.Prompt = { ...during, messages: [user("a summary of it all")] }
      const [claude] = yield* bodiesOf(AnthropicDialect.dialect, "anthropic/claude-sonnet-5-5", [gone])
      assert.isTrue(claude.tools.every((tool: Body) => tool.defer_loading !== true))
      const [gpt] = yield* bodiesOf(ResponsesDialect.dialect, "openai/gpt-6.1-terra", [gone])
      assert.lengthOf(gpt.tools, 4)
    })
  )

  it.live("older models and servers in between get them with the others", () =>
    Effect.gen(function* () {
      const plain = (body: Body) => unmarked(body.tools).includes("git_diff") && !unmarked(body).includes("reference")
      const [old] = yield* bodiesOf(AnthropicDialect.dialect, "anthropic/claude-opus-4-1", [during])
      assert.isTrue(plain(old))
      const [between] = yield* bodiesOf(AnthropicDialect.dialect, "anthropic/claude-sonnet-5-5", [during], {})
      assert.isTrue(plain(between))
      assert.isFalse(unmarked(between).includes("defer_loading"))
      const own = { environment: {}, model: "claude-sonnet-5-5", baseUrl: "https://api.anthropic.com/v1" }
      assert.isNotNull(DeclaredInPlace.forClaude(own))
      assert.isNull(DeclaredInPlace.forClaude({ ...own, environment: { BOUGH_TOOLS_IN_PLACE: "off" } }))
      assert.isNull(DeclaredInPlace.forClaude({ ...own, model: "claude-opus-4-20250514" }))
      assert.isNull(DeclaredInPlace.forGpt({ ...own, model: "gpt-5.1", baseUrl: "https://api.openai.com/v1" }))
    })
  )
})
