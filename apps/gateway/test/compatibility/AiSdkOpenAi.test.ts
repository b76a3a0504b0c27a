/** The AI SDK's provider `@ai-sdk/openai` talks to a hosted agent; it refers to earlier items by their ids. */
import { createOpenAI } from "@ai-sdk/openai"
import { assert, describe, it } from "@effect/vitest"
import { generateText, type ModelMessage } from "ai"
import * as Effect from "effect/Effect"
import OpenAI, { NotFoundError } from "openai"
import * as Served from "./served.ts"

type Served = Pick<Served.ServedGateway, "gateway" | "token">

const modelOf = ({ gateway, token }: Served) => createOpenAI({ apiKey: token, baseURL: `${gateway.url}/v1` })("bough")

const generate = (served: Served, messages: ReadonlyArray<ModelMessage>) =>
  generateText({ model: modelOf(served), messages: [...messages], maxRetries: 0 })

/** The id of a response begins with its session. */
const sessionOf = ({ providerMetadata }: Awaited<ReturnType<typeof generate>>): string => {
  const id = providerMetadata?.["openai"]?.["responseId"]
  return /^resp_[0-9a-z]+/u.exec(typeof id === "string" ? id : "")?.[0] ?? assert.fail("the answer has no id")
}

const promise = Effect.promise

describe("@ai-sdk/openai", () => {
  it.live("continues a conversation with calls in the session of the items that it refers to", () =>
    Served.serve(
      [{ text: "Looking.", calls: [{ name: "list_files", arguments: {} }] }, { text: "Nothing." }, { text: "Sure." }],
      (served) =>
        promise(async () => {
          const messages: Array<ModelMessage> = [{ role: "user", content: "what is there?" }]
          const first = await generate(served, messages)
          messages.push(...first.response.messages, { role: "user", content: "sure?" })
          const second = await generate(served, messages)
          assert.strictEqual(second.text, "Sure.")
          assert.strictEqual(sessionOf(second), sessionOf(first))
          // Another user's items do not exist.
          const token = await Effect.runPromise(served.tokenOf("acme/eve"))
          const stranger = await generate({ ...served, token }, messages).catch((error: unknown) => error)
          assert.deepInclude(stranger, { statusCode: 404 })
        })
    )
  )

  it.live("decides an approval once, and continues after it", () =>
    Served.serve(Served.approvalScript, (served) =>
      promise(async () => {
        const messages: Array<ModelMessage> = [{ role: "user", content: "write it" }]
        const first = await generate(served, messages)
        const request = first.content.find(({ type }) => type === "tool-approval-request")
        if (request?.type !== "tool-approval-request") throw new Error("nothing is asked")
        const { approvalId } = request
        messages.push(...first.response.messages, {
          role: "tool",
          content: [{ type: "tool-approval-response", approvalId, approved: true, providerExecuted: true }]
        })
        const second = await generate(served, messages)
        assert.strictEqual(second.text, "It is written.")
        messages.push(...second.response.messages, { role: "user", content: "and now?" })
        const third = await generate(served, messages)
        assert.strictEqual(third.text, "What else?")
        assert.deepStrictEqual([sessionOf(second), sessionOf(third)], [sessionOf(first), sessionOf(first)])
      })
    )
  )

  it.live("is refused a reference to an item of no response", () =>
    Served.serve([], (served) =>
      promise(async () => {
        const client = new OpenAI({ apiKey: served.token, baseURL: `${served.gateway.url}/v1`, maxRetries: 0 })
        for (const id of ["msg_1", `msg_${"0".repeat(28)}_0_${"0".repeat(32)}_1`]) {
          const input = [
            { type: "item_reference" as const, id },
            { role: "user" as const, content: "hi" }
          ]
          const error = await client.responses.create({ model: "bough", input }).catch((error: unknown) => error)
          assert.instanceOf(error, NotFoundError)
          assert.strictEqual(error.param, "input[0].id")
        }
        assert.strictEqual(served.asked(), 0)
      })
    )
  )
})
