/** Requests that the client `openai` sends again, by a key of their own or by itself after an error. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import OpenAI, { APIError, ConflictError, RateLimitError } from "openai"
import * as Served from "./served.ts"

/** The client with its own number of repetitions. */
const clientOf = ({ gateway, token }: Pick<Served.ServedGateway, "gateway" | "token">) =>
  new OpenAI({ apiKey: token, baseURL: `${gateway.url}/v1` })

const failure = (request: Promise<unknown>) => request.catch((error: unknown) => error)

const sessions = async ({ gateway, token }: Served.ServedGateway): Promise<ReadonlyArray<{ readonly agent: string }>> =>
  (await Effect.runPromise(gateway.request("/api/v1/sessions", { token }))).json.items

const keyed = (key: string) => ({ headers: { "Idempotency-Key": key } })

describe("a repeated request", () => {
  it.live("continues a response once, without another fork", () =>
    Served.serve([{ text: "One" }, { text: "Two" }, { text: "Not asked" }], (served) =>
      Effect.promise(async () => {
        const client = clientOf(served)
        const first = await client.responses.create({ model: "bough", input: "1" })
        const next = { model: "bough", input: "2", previous_response_id: first.id }
        const second = await client.responses.create(next, keyed("k"))
        const again = await client.responses.create(next, keyed("k"))
        assert.deepStrictEqual([again.id, again.output_text], [second.id, "Two"])
        assert.deepStrictEqual(again.metadata, second.metadata)
        assert.lengthOf(await sessions(served), 1)
        assert.strictEqual(served.asked(), 2)
      })
    )
  )

  it.live("makes one session and one turn if it is sent twice at once", () =>
    Served.serve([{ text: "One" }, { text: "Not asked" }], (served) =>
      Effect.promise(async () => {
        const client = clientOf(served)
        const [a, b] = await Promise.all(
          [1, 2].map(() => client.responses.create({ model: "bough", input: "1" }, keyed("k")))
        )
        assert.strictEqual(a?.id, b?.id)
        assert.strictEqual(served.asked(), 1)
        assert.lengthOf(await sessions(served), 1)
      })
    )
  )

  it.live("continues a chat once", () =>
    Served.serve([{ text: "One" }, { text: "Two" }, { text: "Not asked" }], (served) =>
      Effect.promise(async () => {
        const client = clientOf(served)
        const one = { role: "user" as const, content: "1" }
        await client.chat.completions.create({ model: "bough", messages: [one] })
        const messages = [one, { role: "assistant" as const, content: "One" }, { role: "user" as const, content: "2" }]
        const answers = []
        for (let time = 0; time < 2; time++) {
          const { choices } = await client.chat.completions.create({ model: "bough", messages }, keyed("k"))
          answers.push(choices[0]?.message.content)
        }
        assert.deepStrictEqual(answers, ["Two", "Two"])
        assert.lengthOf(await sessions(served), 1)
        assert.strictEqual(served.asked(), 2)
      })
    )
  )

  it.live("decides an approval once, and reports its result again", () =>
    Served.serve(Served.approvalScript, (served) =>
      Effect.promise(async () => {
        const client = clientOf(served)
        const first = await client.responses.create({ model: "bough", input: "write it" })
        const request = first.output.find(({ type }) => type === "mcp_approval_request")
        if (request?.type !== "mcp_approval_request") throw new Error("nothing is asked")
        const input = [{ type: "mcp_approval_response" as const, approval_request_id: request.id, approve: true }]
        const next = { model: "bough", previous_response_id: first.id, input }
        const second = await client.responses.create(next, keyed("k"))
        const again = await client.responses.create(next, keyed("k"))
        assert.deepStrictEqual(
          again.output.map(({ type }) => type),
          second.output.map(({ type }) => type)
        )
        assert.deepStrictEqual([again.id, again.output_text], [second.id, second.output_text])
        assert.lengthOf(await sessions(served), 1)
      })
    )
  )

  it.live("is refused with another body, and not sent a third time", () =>
    Served.serve([{ text: "One" }, { text: "Two" }], (served) =>
      Effect.promise(async () => {
        const client = clientOf(served)
        await client.responses.create({ model: "bough", input: "1" }, keyed("k"))
        const responses = await failure(client.responses.create({ model: "bough", input: "other" }, keyed("k")))
        assert.instanceOf(responses, ConflictError)
        assert.strictEqual(responses.code, "idempotency_key_reused")
        const message = { role: "user" as const, content: "1" }
        const chat = await failure(client.chat.completions.create({ model: "bough", messages: [message] }, keyed("k")))
        assert.instanceOf(chat, ConflictError)
        assert.strictEqual(served.asked(), 1)
        // The key of another user is another key.
        const eve = await Effect.runPromise(served.tokenOf("acme/eve"))
        const other = clientOf({ gateway: served.gateway, token: eve })
        const theirs = await other.responses.create({ model: "bough", input: "other" }, keyed("k"))
        assert.strictEqual(theirs.output_text, "Two")
      })
    )
  )
})

describe("a request that failed", () => {
  it.live("is not sent again by the client, which would run its turn again", () =>
    Served.serve(
      [1, 2, 3, 4, 5, 6].map(() => ({ status: 400, message: "no such model" })),
      (served) =>
        Effect.promise(async () => {
          const messages = [{ role: "user" as const, content: "hi" }]
          const error = await failure(clientOf(served).chat.completions.create({ model: "bough", messages }))
          assert.instanceOf(error, APIError)
          assert.lengthOf(await sessions(served), 1)
        })
    )
  )

  it.live("is refused before its turn if the tenant's money is spent, and leaves no session", () =>
    Served.serve([{ text: "Not asked" }], (served) =>
      Effect.promise(async () => {
        await served.limit({ moneyPerDay: 0 })
        const client = clientOf(served)
        for (const request of [
          client.responses.create({ model: "bough", input: "hi" }),
          client.chat.completions.create({ model: "bough", messages: [{ role: "user", content: "hi" }] })
        ]) {
          const error = await failure(request)
          assert.instanceOf(error, RateLimitError)
          assert.strictEqual(error.code, "insufficient_quota")
        }
        assert.lengthOf(await sessions(served), 0)
        assert.strictEqual(served.asked(), 0)
      })
    )
  )
})
