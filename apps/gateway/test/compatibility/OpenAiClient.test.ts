/** The client `openai` from npm talks to a hosted agent. */
import { Limits } from "@bough/gateway-api"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import OpenAI, {
  APIError,
  AuthenticationError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError
} from "openai"
import { thoroughOnly } from "../../../../test/thorough.ts"
import * as Served from "./served.ts"

const clientOf = ({ gateway, token }: Pick<Served.ServedGateway, "gateway" | "token">) =>
  new OpenAI({ apiKey: token, baseURL: `${gateway.url}/v1`, maxRetries: 0 })

const promise = Effect.promise

describe("openai", () => {
  it.live("lists the agents as models, and refuses others", () =>
    Served.serve([], (served) =>
      promise(async () => {
        const client = clientOf(served)
        const { data } = await client.models.list()
        assert.deepStrictEqual(
          data.map(({ id }) => id),
          ["bough"]
        )
        assert.strictEqual((await client.models.retrieve("bough")).id, "bough")
        const error = await client.responses.create({ model: "gpt-9", input: "hi" }).catch((error: unknown) => error)
        assert.instanceOf(error, NotFoundError)
        assert.deepInclude(error, { code: "model_not_found", param: "model" })
        const elsewhere = await client.embeddings
          .create({ model: "bough", input: "hi" })
          .catch((error: unknown) => error)
        assert.instanceOf(elsewhere, NotFoundError)
        assert.include(elsewhere.message, "/v1/responses, /v1/chat/completions and /v1/models")
        const stranger = new OpenAI({ apiKey: "sk-none", baseURL: `${served.gateway.url}/v1`, maxRetries: 0 })
        assert.instanceOf(await stranger.models.list().catch((error: unknown) => error), AuthenticationError)
      })
    )
  )

  it.live("holds a conversation by previous_response_id, streamed and not", () =>
    Served.serve([{ text: "Hello Ada" }, { text: "Again" }, { text: "Another way" }], (served) =>
      promise(async () => {
        const client = clientOf(served)
        const first = await client.responses.create({ model: "bough", input: "I am Ada", instructions: "Be brief" })
        assert.deepInclude(first, { output_text: "Hello Ada", status: "completed" })
        assert.deepInclude(first.usage, { input_tokens: 10, output_tokens: 5, total_tokens: 15 })
        const stream = client.responses.stream({ model: "bough", input: "Again?", previous_response_id: first.id })
        let output = ""
        stream.on("response.output_text.delta", ({ delta }) => void (output += delta))
        const second = await stream.finalResponse()
        assert.deepInclude(second, { output_text: "Again", previous_response_id: first.id })
        assert.strictEqual(output, "Again")
        assert.strictEqual(second.metadata?.["bough_session"], first.metadata?.["bough_session"])
        // A second continuation of the same response is a fork, and does not change the first conversation.
        const other = await client.responses.create({ model: "bough", input: "Or?", previous_response_id: first.id })
        assert.strictEqual(other.output_text, "Another way")
        assert.notStrictEqual(other.metadata?.["bough_session"], first.metadata?.["bough_session"])
      })
    )
  )

  it.live("asks for approvals as mcp_approval_request, and continues with the answer", () =>
    Served.serve(Served.approvalScript, (served) =>
      promise(async () => {
        const client = clientOf(served)
        const first = await client.responses.create({ model: "bough", input: "write it" })
        assert.deepStrictEqual(
          first.output.map(({ type }) => type),
          ["message", "mcp_approval_request", "message"]
        )
        const request = first.output.find(({ type }) => type === "mcp_approval_request")
        if (request?.type !== "mcp_approval_request") throw new Error("nothing is asked")
        assert.deepInclude(request, { name: "write_file", server_label: "bough" })
        const answer = { type: "mcp_approval_response" as const, approval_request_id: request.id, approve: true }
        const next = { model: "bough", previous_response_id: first.id, input: [answer] }
        const reader = new OpenAI({
          apiKey: await Effect.runPromise(served.tokenOf("acme/ada", ["read", "chat"])),
          baseURL: `${served.gateway.url}/v1`,
          maxRetries: 0
        })
        assert.instanceOf(await reader.responses.create(next).catch((error: unknown) => error), PermissionDeniedError)
        const other = new OpenAI({
          apiKey: await Effect.runPromise(served.tokenOf("acme/eve")),
          baseURL: `${served.gateway.url}/v1`,
          maxRetries: 0
        })
        assert.instanceOf(await other.responses.create(next).catch((error: unknown) => error), NotFoundError)
        assert.instanceOf(
          await other.responses.create({ model: "bough", input: [answer] }).catch((error: unknown) => error),
          NotFoundError
        )
        const second = await client.responses.stream(next).finalResponse()
        assert.deepStrictEqual(
          second.output.map(({ type }) => type),
          ["mcp_call", "message"]
        )
        assert.deepInclude(second.output[0], {
          name: "write_file",
          status: "completed",
          approval_request_id: request.id
        })
        assert.strictEqual(second.output_text, "It is written.")
        // The same answer again changes nothing, and gets the same response.
        const again = await client.responses.create(next)
        assert.strictEqual(again.output_text, "It is written.")
        assert.strictEqual(served.asked(), 3)
      })
    )
  )

  it.live(
    "matches a chat by its messages, and reports calls as reasoning",
    () =>
      Served.serve(
        [
          { text: "Looking.", calls: [{ name: "list_files", arguments: {} }] },
          { text: "Nothing here." },
          { text: "Yes." },
          { text: "Another." }
        ],
        (served) =>
          promise(async () => {
            const client = clientOf(served)
            const messages: Array<OpenAI.ChatCompletionMessageParam> = [
              { role: "system", content: "Be brief" },
              { role: "user", content: "what is there?" }
            ]
            const first = await client.chat.completions.create({ model: "bough", messages, temperature: 0.2 })
            const message = first.choices[0].message
            assert.strictEqual(message.content, "Looking.\n\nNothing here.")
            assert.include(JSON.stringify(message), "list_files")
            assert.strictEqual(first.usage?.total_tokens, 30)
            const next = [
              ...messages,
              { role: "assistant" as const, content: message.content },
              { role: "user" as const, content: "sure?" }
            ]
            const stream = client.chat.completions.stream({
              model: "bough",
              messages: next,
              stream_options: { include_usage: true }
            })
            const second = await stream.finalChatCompletion()
            assert.strictEqual(second.choices[0].message.content, "Yes.")
            assert.strictEqual(second.usage?.total_tokens, 15)
            // The messages continue the session in which the model was asked; an edited history starts another.
            const sessions = async () =>
              (await Effect.runPromise(served.gateway.request("/api/v1/sessions", { token: served.token }))).json.items
                .length
            assert.strictEqual(await sessions(), 1)
            await client.chat.completions.create({
              model: "bough",
              messages: [...messages, { role: "assistant", content: "No." }, { role: "user", content: "sure?" }]
            })
            assert.strictEqual(await sessions(), 2)
          })
      ),
    thoroughOnly
  )

  it.live("gives a chat the link to decide an approval", () =>
    Served.serve(Served.approvalScript, (served) =>
      promise(async () => {
        const client = clientOf(served)
        const chunks = await client.chat.completions.create({
          model: "bough",
          messages: [{ role: "user", content: "write it" }],
          stream: true
        })
        let content = ""
        for await (const chunk of chunks) content += chunk.choices[0]?.delta.content ?? ""
        assert.match(content, /Approve or deny it: http:\/\/127\.0\.0\.1:\d+\/#\/approvals\/apr_/u)
      })
    )
  )

  it.live(
    "refuses unsupported parameters, and names them",
    () =>
      Served.serve([], (served) =>
        promise(async () => {
          const client = clientOf(served)
          const user = { role: "user" as const, content: "hi" }
          const chat = (more: object) =>
            client.chat.completions.create({
              model: "bough",
              messages: [user],
              ...more
            } as OpenAI.ChatCompletionCreateParamsNonStreaming)
          const respond = (more: object) =>
            client.responses.create({
              model: "bough",
              input: "hi",
              ...more
            } as OpenAI.Responses.ResponseCreateParamsNonStreaming)
          const tool = { type: "function", function: { name: "f", parameters: {} } }
          const wrong: ReadonlyArray<readonly [string, () => Promise<unknown>]> = [
            ["n", () => chat({ n: 2 })],
            ["logprobs", () => chat({ logprobs: true })],
            ["tools", () => chat({ tools: [tool] })],
            ["response_format", () => chat({ response_format: { type: "json_object" } })],
            [
              "messages[0].content[0].image_url.url",
              () =>
                chat({
                  messages: [
                    { role: "user", content: [{ type: "image_url", image_url: { url: "https://example.org/a.png" } }] }
                  ]
                })
            ],
            [
              "messages[1].role",
              () => chat({ messages: [user, { role: "tool", tool_call_id: "c", content: "x" }, user] })
            ],
            ["messages[0]", () => chat({ messages: [] })],
            ["messages", () => chat({ messages: [user, { role: "assistant", content: "x" }] })],
            ["model", () => chat({ model: "" })],
            ["tools", () => respond({ tools: [{ type: "function", name: "f", parameters: {}, strict: true }] })],
            ["background", () => respond({ background: true })],
            ["text", () => respond({ text: { format: { type: "json_object" } } })],
            ["input[0].type", () => respond({ input: [{ type: "function_call_output", call_id: "x", output: "1" }] })],
            ["previous_response_id", () => respond({ previous_response_id: "resp_none" })],
            [
              "previous_response_id",
              () => respond({ previous_response_id: `resp_${"0".repeat(28)}_0_${"0".repeat(32)}` })
            ],
            ["input", () => respond({ input: [] })],
            ["input", () => respond({ input: " \n" })],
            ["messages", () => chat({ messages: [{ role: "user", content: "" }] })]
          ]
          for (const [param, request] of wrong) {
            const error = await request().catch((error: unknown) => error)
            assert.instanceOf(error, APIError, param)
            assert.strictEqual(error.param, param)
            if (error.message.includes("Missing key")) assert.include(error.message, `${param}: `)
            assert.isNotEmpty(error.code)
          }
          const raw = await Effect.runPromise(
            served.gateway.request("/v1/responses", { token: served.token, body: "{" })
          )
          assert.deepInclude(raw.json.error, { type: "invalid_request_error", code: "invalid_json" })
          const input = "x".repeat(Limits.limits.bodyBytes)
          const large = await respond({ input }).catch((error: unknown) => error)
          assert.instanceOf(large, APIError)
          assert.deepStrictEqual([large.status, large.code], [413, "payload_too_large"])
          assert.strictEqual(served.asked(), 0)
        })
      ),
    thoroughOnly
  )

  it.live("counts the sessions that it makes against the tenant's quota", () =>
    Served.serve([{ text: "Hello" }, { text: "Again" }], (served) =>
      promise(async () => {
        const client = clientOf(served)
        await served.limit({ sessions: 1 })
        const first = await client.responses.create({ model: "bough", input: "hi" })
        const error = await client.responses.create({ model: "bough", input: "hi" }).catch((error: unknown) => error)
        assert.instanceOf(error, RateLimitError)
        assert.strictEqual(error.code, "insufficient_quota")
        const again = await client.responses.create({ model: "bough", input: "hi", previous_response_id: first.id })
        assert.strictEqual(again.output_text, "Again")
      })
    )
  )

  it.live("leaves the session running when its reader disconnects, and cancels on request", () =>
    Served.serve([{ hangAfter: "One moment" }, { text: "Here again" }], (served) =>
      promise(async () => {
        const client = clientOf(served)
        const stream = await client.responses.create({ model: "bough", input: "hi", stream: true })
        let id = ""
        for await (const event of stream) {
          if (event.type === "response.created") ({ id } = event.response)
          if (event.type === "response.output_text.delta") break
        }
        stream.controller.abort()
        const state = async () =>
          (await Effect.runPromise(served.gateway.request("/api/v1/sessions", { token: served.token }))).json.items[0]
            .state
        assert.strictEqual(await state(), "Active")
        const cancelled = await client.responses.cancel(id)
        assert.strictEqual(cancelled.status, "cancelled")
        assert.isNull(cancelled.incomplete_details)
        assert.strictEqual((await client.responses.retrieve(id)).status, "cancelled")
        const next = await client.responses.create({ model: "bough", input: "still there?", previous_response_id: id })
        assert.strictEqual(next.output_text, "Here again")
      })
    )
  )

  it.live("cancels the turn of a response and no later one, and reports it to the stream", () =>
    Served.serve([{ text: "Done" }, { hangAfter: "One moment" }], (served) =>
      promise(async () => {
        const client = clientOf(served)
        const first = await client.responses.create({ model: "bough", input: "hi" })
        const stream = await client.responses.create({
          model: "bough",
          input: "and now?",
          previous_response_id: first.id,
          stream: true
        })
        const statuses: Array<unknown> = []
        let running = ""
        for await (const event of stream) {
          if (event.type === "response.created") running = event.response.id
          if (event.type === "response.output_text.delta") {
            statuses.push((await client.responses.cancel(first.id)).status)
            assert.strictEqual((await client.responses.retrieve(running)).status, "in_progress")
            statuses.push((await client.responses.cancel(running)).status)
          }
          if (event.type === "response.incomplete") statuses.push(event.response.status)
        }
        assert.deepStrictEqual(statuses, ["completed", "cancelled", "cancelled"])
        assert.strictEqual((await client.responses.retrieve(running)).output_text, "One moment")
      })
    )
  )

  it.live("reports a failing model as an error of the server", () =>
    Served.serve(
      [
        { status: 400, message: "no such model" },
        { status: 400, message: "no such model" },
        { status: 400, message: "no such model" }
      ],
      (served) =>
        promise(async () => {
          const client = clientOf(served)
          const failed = await client.responses.create({ model: "bough", input: "hi" })
          assert.strictEqual(failed.status, "failed")
          assert.strictEqual(failed.error?.code, "server_error")
          const message = { role: "user" as const, content: "hi" }
          assert.instanceOf(
            await client.chat.completions
              .create({ model: "bough", messages: [message] })
              .catch((error: unknown) => error),
            InternalServerError
          )
          const stream = await client.chat.completions.create({ model: "bough", messages: [message], stream: true })
          const error = await (async () => {
            for await (const _ of stream);
          })().catch((error: unknown) => error)
          assert.instanceOf(error, APIError)
        })
    )
  )
})
