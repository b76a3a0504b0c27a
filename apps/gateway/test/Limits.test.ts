/** Limits that the reference states, at the running server: headers, open streams, slow readers. */
import { Limits } from "@bough/gateway-api"
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { request } from "node:http"
import { thoroughOnly } from "../../../test/thorough.ts"
import { untilApprovalIsAsked } from "./Approving.ts"
import { untilSaid } from "./Events.ts"
import * as Gateway from "./Gateway.ts"

/** Sends a request and returns its status, also if the server answers before it has read the body. */
const statusOf = (url: string, headers: Readonly<Record<string, string>>) =>
  Effect.callback<number>((resume) => {
    const sent = request(url, { headers }, (response) => {
      response.resume()
      resume(Effect.succeed(response.statusCode ?? 0))
    })
    sent.on("error", () => resume(Effect.succeed(0)))
    sent.end()
    return Effect.sync(() => sent.destroy())
  })

describe("limits", () => {
  it.live("headers beyond the limit are answered with 431", () =>
    Effect.gen(function* () {
      const gateway = yield* Gateway.start()
      const { headerBytes } = Limits.limits
      assert.strictEqual(yield* statusOf(`${gateway.url}/health`, { "x-long": "x".repeat(headerBytes / 2) }), 200)
      assert.strictEqual(yield* statusOf(`${gateway.url}/health`, { "x-long": "x".repeat(headerBytes + 1) }), 431)
    })
  )

  it.live(
    "a token has a limited number of open streams, until one ends; others of its user are not counted",
    () =>
      Effect.gen(function* () {
        const gateway = yield* Gateway.start()
        const token = yield* Gateway.user(gateway, "acme/ada")
        const sessionId = (yield* gateway.request("/api/v1/sessions", { token, body: {} })).json.id as string
        const open = (token: string) =>
          Effect.promise(async () => {
            const abort = new AbortController()
            const response = await fetch(`${gateway.url}/api/v1/sessions/${sessionId}/events`, {
              headers: { authorization: `Bearer ${token}` },
              signal: abort.signal
            })
            const { status } = response
            // The stream counts from its first frame on.
            if (status === 200) await response.body?.getReader().read()
            else await response.body?.cancel()
            return { status, close: () => abort.abort() }
          })
        const opened = yield* Effect.forEach(Array.from({ length: Limits.limits.streamsPerToken }), () => open(token))
        assert.deepStrictEqual([...new Set(opened.map(({ status }) => status))], [200])
        const over = yield* gateway.request(`/api/v1/sessions/${sessionId}/events`, { token })
        assert.deepStrictEqual([over.status, over.json.code, over.json.quota], [429, "quota_exceeded", "streams"])
        const other = yield* open(yield* Gateway.user(gateway, "acme/ada"))
        assert.strictEqual(other.status, 200)
        opened[0]?.close()
        const again = yield* open(token).pipe(Effect.repeat({ until: ({ status }) => status === 200 }))
        for (const { close } of [...opened, other, again]) close()
      }),
    thoroughOnly
  )
})

describe("always", () => {
  it.live("saves the rule that was shown, which allows the same call again, and can be removed", () =>
    Effect.gen(function* () {
      const call = (content: string) => Reply.toolCall("write_file", { path: "AGENTS.md", content })
      const scripted = yield* ScriptedModel.make([call("one"), Reply.text("I wait"), call("one"), Reply.text("Done")])
      const gateway = yield* Gateway.start({ model: () => scripted.model })
      const token = yield* Gateway.user(gateway, "acme/ada")
      const { approvalId, sessionId } = yield* untilApprovalIsAsked(gateway, token)
      const path = `/api/v1/approvals/${approvalId}`
      const { rule } = (yield* gateway.request(path, { token })).json as { readonly rule: string | null }
      assert.isNotNull(rule)
      const always = { rule, scope: "user" }
      const decided = yield* gateway.request(`${path}/decision`, { token, body: { decision: "approve", always } })
      assert.deepStrictEqual([decided.status, decided.json], [200, { inserted: true }], decided.text)
      // The second call needs no approval.
      yield* untilSaid(gateway, { token, sessionId }, "Done")
      assert.deepStrictEqual((yield* gateway.request("/api/v1/approvals", { token })).json.items, [])
      const saved = yield* gateway.request("/api/v1/rules", { token })
      assert.deepInclude(saved.json.items[0], { rule, scope: "user" })
      const removed = yield* gateway.request(`/api/v1/rules/${saved.json.items[0].id}`, { method: "DELETE", token })
      assert.strictEqual(removed.status, 204)
      assert.deepStrictEqual((yield* gateway.request("/api/v1/rules", { token })).json.items, [])
    })
  )
})
