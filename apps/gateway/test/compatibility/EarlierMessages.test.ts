/**
 * Messages that a client had before its session: the agent receives them once, over the protocols that name sessions.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Served from "./served.ts"

interface ChatMessage {
  readonly role: string
  readonly text: string
}

/** The requests of the protocols for one conversation. */
const requests: Readonly<Record<string, (text: ReadonlyArray<ChatMessage>) => unknown>> = {
  "/api/chat": (userText) => ({
    id: "c",
    messages: userText.map(({ role, text }, index) => ({ id: `m${index}`, role, parts: [{ type: "text", text }] }))
  }),
  "/ag-ui": (assistantText) => ({
    threadId: "t",
    runId: "r",
    messages: assistantText.map(({ role, text }, index) => ({ id: `m${index}`, role, content: text })),
    tools: [],
    context: []
  })
}

const before = [
  { role: "system", text: "Speak in rhymes" },
  { role: "user", text: "Old question" },
  { role: "assistant", text: "Old answer" }
]

describe("earlier messages", () => {
  it.live("and instructions are a part of the first message of a session, and of no other", () => {
    const newest: Array<string> = []
    return Served.serve(
      ({ messages }) => {
        newest.push(JSON.stringify(messages.findLast(({ role }) => role === "user")?.content))
        return { text: "New answer" }
      },
      ({ gateway, token }) =>
        Effect.gen(function* () {
          for (const [path, bodyOf] of Object.entries(requests)) {
            const conversation = [...before, { role: "user", text: "New question" }]
            const first = yield* gateway.request(path, { token, body: bodyOf(conversation) })
            assert.include(first.text, "New answer", path)
            for (const { text } of conversation) assert.include(newest.at(-1), text, path)
            const requestCount = newest.length
            // The same message, sent again, is not a second message.
            yield* gateway.request(path, { token, body: bodyOf(conversation) })
            assert.lengthOf(newest, requestCount, path)
            const next = [
              ...conversation,
              { role: "assistant", text: "New answer" },
              { role: "user", text: "Last question" }
            ]
            yield* gateway.request(path, { token, body: bodyOf(next) })
            assert.strictEqual(newest.at(-1), '"Last question"', path)
          }
        })
    )
  })
})
