/**
 * Requests that no client of ours makes: bodies that break parsers, positions in other streams, decisions in a race.
 */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { thoroughOnly } from "../../../../test/thorough.ts"
import { untilApprovalIsAsked } from "../Approving.ts"
import { rawRequest } from "../auth/rawRequest.ts"
import * as Gateway from "../Gateway.ts"

const deep = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`
const keys = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join(",")}}`

const bodies: ReadonlyArray<readonly [name: string, body: string]> = [
  ["a cut object", '{"agent":'],
  ["another type", '["agent"]'],
  ["a number beyond all", '{"agent":1e400}'],
  ["a lone surrogate", '{"agent":"\\ud800"}'],
  ["depth", deep(100_000)],
  ["depth in a field", `{"agent":${deep(100_000)}}`],
  ["a byte order mark", '\ufeff{"agent":1}'],
  ["NUL", '{"agent":"a\\u0000b"}'],
  ["a path for a name", '{"workspaceId":"../../etc"}'],
  ["SQL for a name", `{"workspaceId":"x' OR 1=1 --"}`]
]

describe("hostile requests", () => {
  it.live(
    "are answered as the client's fault, and leave the server unchanged",
    () =>
      Effect.gen(function* () {
        const gateway = yield* Gateway.start()
        const token = yield* Gateway.user(gateway, "acme/ann")
        for (const [name, body] of bodies) {
          const answer = yield* rawRequest(gateway.url, {
            method: "POST",
            path: "/api/v1/sessions",
            headers: {
              authorization: `Bearer ${token}`,
              "content-type": "application/json",
              "content-length": String(Buffer.byteLength(body))
            },
            body
          })
          assert.include([400, 404, 413, 415, 422], answer.status, `${name}: ${answer.text}`)
          assert.notMatch(answer.text, /node_modules|at .*\.ts|SELECT/, name)
        }
        // Unknown keys, a million of them or one that is a prototype, grant nothing.
        for (const body of [
          keys(300_000),
          '{"__proto__":{"user":"globex/gus","isOperator":true}}',
          '{"constructor":{"prototype":{"scopes":["admin"]}}}'
        ]) {
          const answer = yield* gateway.request("/api/v1/sessions", { token, body })
          assert.include([201, 400], answer.status)
        }
        assert.isUndefined(({} as { readonly isOperator?: boolean }).isOperator)
        const listed = yield* gateway.request("/api/v1/sessions", { token })
        assert.strictEqual(listed.status, 200)
      }),
    thoroughOnly
  )

  it.live("reach no other stream by its position", () =>
    Effect.gen(function* () {
      const scripted = yield* ScriptedModel.make([Reply.text("a secret of Ada")])
      const gateway = yield* Gateway.start({ model: () => scripted.model })
      const [ada, bob] = [yield* Gateway.user(gateway, "acme/ada"), yield* Gateway.user(gateway, "acme/bob")]
      const theirs = (yield* gateway.request("/api/v1/sessions", { token: ada, body: {} })).json.id as string
      const mine = (yield* gateway.request("/api/v1/sessions", { token: bob, body: {} })).json.id as string
      for (const place of [
        "999999999999999999999",
        "../../x",
        `${theirs}:0`,
        theirs,
        "-1",
        "1e9",
        "%00",
        "0x10",
        "1;DROP TABLE entries"
      ]) {
        const answer = yield* rawRequest(gateway.url, {
          path: `/api/v1/sessions/${mine}/events`,
          headers: { authorization: `Bearer ${bob}`, "last-event-id": place }
        })
        assert.include([204, 400], answer.status, place)
        assert.notInclude(answer.text, theirs)
      }
      for (const path of [
        `/api/v1/sessions/${mine}/../${theirs}`,
        `/api/v1/sessions/${mine}%2f..%2f${theirs}`,
        `/api/v1/sessions/${theirs}%00`
      ])
        for (const end of ["", "/entries", "/events"])
          assert.include(
            [400, 404],
            (yield* rawRequest(gateway.url, { path: path + end, headers: { authorization: `Bearer ${bob}` } })).status
          )
    })
  )

  it.live("decide an approval once, also in a race", () =>
    Effect.gen(function* () {
      const scripted = yield* ScriptedModel.make([
        Reply.toolCall("write_file", { path: "AGENTS.md", content: "be kind" }),
        Reply.text("I wait"),
        Reply.text("done")
      ])
      const gateway = yield* Gateway.start({ model: () => scripted.model })
      const token = yield* Gateway.user(gateway, "acme/ada")
      const { approvalId } = yield* untilApprovalIsAsked(gateway, token)
      const answers = yield* Effect.all(
        Array.from({ length: 12 }, (_, index) =>
          gateway.request(`/api/v1/approvals/${approvalId}/decision`, {
            token,
            body: index % 2 === 0 ? { decision: "deny", words: "no" } : { decision: "approve" }
          })
        ),
        { concurrency: "unbounded" }
      )
      const inserted = answers.filter(({ json, status }) => status === 200 && json.inserted === true)
      assert.lengthOf(inserted, 1)
      for (const { status, json } of answers)
        assert.isTrue(status === 200 || (status === 409 && json.code === "approval_closed"), `${status}`)
    })
  )
})
