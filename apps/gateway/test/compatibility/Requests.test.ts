/** Any request of a client is parsed or refused: nothing throws, and no unrequested decision is made. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as RunInput from "../../src/compatibility/ag-ui/RunInput.ts"
import * as UiChatRequest from "../../src/compatibility/ai-sdk/ChatRequest.ts"
import * as ChatRequest from "../../src/compatibility/openai/ChatRequest.ts"
import * as ResponseId from "../../src/compatibility/openai/ResponseId.ts"
import * as ResponsesRequest from "../../src/compatibility/openai/ResponsesRequest.ts"

type Name = "chat" | "responses" | "ui" | "agUi"

const readers: Readonly<Record<Name, (body: unknown) => Result.Result<unknown, unknown>>> = {
  chat: ChatRequest.read,
  responses: ResponsesRequest.read,
  ui: UiChatRequest.read,
  agUi: RunInput.read
}

const user = { role: "user", content: "hi" }
const valid: Readonly<Record<Name, object>> = {
  chat: { model: "bough", messages: [user] },
  responses: {
    model: "bough",
    input: [user, { type: "mcp_approval_response", approval_request_id: "apr_1", approve: true }]
  },
  ui: {
    id: "c",
    messages: [
      {
        id: "1",
        role: "assistant",
        parts: [
          {
            type: "dynamic-tool",
            toolCallId: "t",
            state: "approval-responded",
            approval: { id: "apr_1", approved: true }
          }
        ]
      },
      { id: "2", role: "user", parts: [{ type: "text", text: "hi" }] }
    ]
  },
  agUi: {
    threadId: "t",
    runId: "r",
    messages: [{ id: "1", ...user }],
    tools: [],
    context: [],
    resume: [{ interruptId: "apr_1", status: "resolved", payload: { approved: true } }]
  }
}

/** Every position in a value, as a path of keys. */
const pathsOf = (value: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> => [
  path,
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))
    : [])
]

const replaced = (value: unknown, [key, ...rest]: ReadonlyArray<string>, by: unknown): unknown => {
  if (key === undefined) return by
  const copy: unknown = Array.isArray(value) ? [...value] : { ...(value as object) }
  const held = copy as Record<string, unknown>
  held[key] = replaced(held[key], rest, by)
  return copy
}

const names = Schema.Literals(["chat", "responses", "ui", "agUi"])
const runs = { arbitrary: { runs: 300, size: 20 } }

describe("requests", () => {
  it.prop(
    "are parsed or refused, whatever JSON they are",
    [names, Schema.Json],
    ([name, body]) => {
      assert.isTrue(Result.isResult(readers[name](body)))
    },
    runs
  )

  it.prop(
    "are parsed or refused, with any value in place of any part",
    [names, Schema.Natural, Schema.Json],
    ([name, at, by]) => {
      const paths = pathsOf(valid[name])
      assert.isTrue(Result.isResult(readers[name](replaced(valid[name], paths[at % paths.length], by))))
    },
    runs
  )

  it("are parsed to their meaning", () => {
    for (const name of ["chat", "responses", "ui", "agUi"] as const) {
      const read = readers[name](valid[name])
      assert.isTrue(Result.isSuccess(read), name)
    }
  })

  it.prop("name a response by an id that can be parsed", [Schema.Natural, Schema.Natural], ([entries, seed]) => {
    const id = {
      sessionId: `ses_${seed.toString(16).padStart(28, "0")}` as ResponseId.ResponseId["sessionId"],
      entries,
      key: "0".repeat(32)
    }
    assert.deepStrictEqual(ResponseId.parse(ResponseId.format(id)), id)
  })
})
