/** Approvals over HTTP: requested by a call, shown with its effect, decided once, by its user alone. */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { untilApprovalIsAsked } from "./Approving.ts"
import { events } from "./Events.ts"
import * as Gateway from "./Gateway.ts"

/** Starts a gateway with a session whose call waits for its approval. */
const startWithPendingApproval = Effect.gen(function* () {
  const scripted = yield* ScriptedModel.make([
    Reply.toolCall("write_file", { path: "AGENTS.md", content: "be kind" }),
    Reply.text("I wait for you"),
    Reply.text("As you wish")
  ])
  const gateway = yield* Gateway.start({ model: () => scripted.model })
  const token = yield* Gateway.user(gateway, "acme/ada")
  return { gateway, token, ...(yield* untilApprovalIsAsked(gateway, token)) }
})

describe("an approval over HTTP", () => {
  it.live("is denied with a reason that the model reads, once, and needs the scope", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { approvalId, gateway, sessionId, token } = yield* startWithPendingApproval
        const path = `/api/v1/approvals/${approvalId}`
        const shown = yield* gateway.request(path, { token })
        assert.strictEqual(shown.json.open, true)
        assert.strictEqual(shown.json.request.tool, "write_file")
        assert.include(shown.json.request.preview.render, "be kind")
        const chatting = yield* Gateway.user(gateway, "acme/ada", ["read", "chat"])
        const deny = { decision: "deny", words: "not today" }
        assert.strictEqual((yield* gateway.request(`${path}/decision`, { token: chatting, body: deny })).status, 403)
        const another = { decision: "approve", always: { rule: "run_command", scope: "user" } }
        const refused = yield* gateway.request(`${path}/decision`, { token, body: another })
        assert.strictEqual(refused.json.code, "no_rule_offered")
        const decided = yield* gateway.request(`${path}/decision`, { token, body: deny })
        assert.deepStrictEqual([decided.status, decided.json], [200, { inserted: true }])
        const again = yield* gateway.request(`${path}/decision`, { token, body: deny })
        assert.deepStrictEqual([again.status, again.json], [200, { inserted: false }])
        const other = yield* gateway.request(`${path}/decision`, { token, body: { decision: "approve" } })
        assert.deepStrictEqual([other.status, other.json.code], [409, "approval_closed"])
        // The next request to the model comes once the call has ended.
        yield* events(gateway, { token, sessionId }).pipe(
          Stream.takeUntil(
            ({ frame }) =>
              frame._tag === "Entry" &&
              frame.entry.body._tag === "ModelReplied" &&
              frame.entry.body.parts.some((part) => part._tag === "Text" && part.text === "As you wish")
          ),
          Stream.runDrain
        )
        const { items } = (yield* gateway.request(`/api/v1/sessions/${sessionId}/entries`, { token })).json
        const ended = items.find(({ body }: { body: { _tag: string } }) => body._tag === "CallEnded")
        assert.include(JSON.stringify(ended.body.outcome), "not today")
        assert.strictEqual((yield* gateway.request(path, { token })).json.open, false)
      })
    )
  )
})
