/** No route gives one user access to another one's resources: each is missing for every method, scope and tenant. */
import { Api } from "@bough/gateway-api"
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { untilApprovalIsAsked } from "./Approving.ts"
import { untilSaid } from "./Events.ts"
import { upload } from "./Files.ts"
import * as Gateway from "./Gateway.ts"

/** A valid body for each mutation, so that only the ownership decides. */
const bodies: Readonly<Record<string, unknown>> = {
  "messages.send": { text: "hi" },
  "messages.cancel": {},
  "sessions.fork": {},
  "sessions.changeMode": { mode: "plan" },
  "sessions.change": { title: "stolen" },
  "sessions.create": {},
  "approvals.decide": { decision: "approve" },
  "rules.revoke": { rule: "run_command" },
  "notes.change": { text: "stolen" }
}

/** Uploads, with the query that each needs. */
const uploads: Readonly<Record<string, string>> = { "attachments.upload": "?name=a" }

interface Operation {
  readonly operationId: string
  readonly method: string
  readonly path: string
}

const operations = (): ReadonlyArray<Operation> => {
  const found: Array<Operation> = []
  HttpApi.reflect(Api.Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { identifier, method, path }, group }) => {
      found.push({ operationId: `${group.identifier}.${identifier}`, method, path })
    }
  })
  return found
}

describe("another user's resources", () => {
  it.live("are not found by any route", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const scripted = yield* ScriptedModel.make([
          Reply.toolCall("write_file", { path: "AGENTS.md", content: "be kind" }),
          Reply.text("I wait"),
          Reply.text("It is written"),
          Reply.toolCall("write_file", { path: "docs/AGENTS.md", content: "be brief" })
        ])
        const gateway = yield* Gateway.start({ model: () => scripted.model })
        const ada = yield* Gateway.user(gateway, "acme/ada")
        const strangers = [yield* Gateway.user(gateway, "acme/bob"), yield* Gateway.user(gateway, "other/ada")]
        const before = yield* untilApprovalIsAsked(gateway, ada)
        const approvalPath = `/api/v1/approvals/${before.approvalId}`
        const { rule } = (yield* gateway.request(approvalPath, { token: ada })).json
        const always = { decision: "approve", always: { rule, scope: "user" } }
        yield* gateway.request(`${approvalPath}/decision`, { token: ada, body: always })
        yield* untilSaid(gateway, { token: ada, sessionId: before.sessionId }, "It is written")
        const ruleId: string = (yield* gateway.request("/api/v1/rules", { token: ada })).json.items[0].id
        const note = yield* gateway.request("/api/v1/notes", { token: ada, body: { text: "the lake is deep" } })
        const noteId: string = note.json.noteId
        const tokenId: string = (yield* gateway.request("/api/v1/tokens", { token: ada })).json.items[0].tokenId
        const { approvalId, sessionId, workspaceId } = yield* untilApprovalIsAsked(gateway, ada)
        const attached = yield* upload(gateway, `/api/v1/sessions/${sessionId}/attachments?name=a`, {
          token: ada,
          body: "mine"
        })
        const attachmentId: string = attached.json.id
        const artifactId = "1-output"
        const hook = { url: "https://93.184.216.34/hook", events: ["session.ended"] }
        const webhookId: string = (yield* gateway.request("/api/v1/webhooks", { token: ada, body: hook })).json.webhook
          .id
        const ids: Readonly<Record<string, string>> = {
          sessionId,
          approvalId,
          workspaceId,
          attachmentId,
          artifactId,
          webhookId,
          noteId,
          ruleId,
          tokenId
        }
        const withIds = operations().filter(({ path }) => path.includes(":"))
        assert.isAbove(withIds.length, 10)
        for (const { method, operationId, path } of withIds) {
          const names = [...path.matchAll(/:(\w+)/gu)].map(([, name = ""]) => name)
          // An admin of the tenant may; the tests of tenants cover the routes of users who may not.
          if (operationId.startsWith("tenants.")) continue
          assert.deepStrictEqual(
            names.filter((name) => !(name in ids)),
            [],
            path
          )
          const address = path.replaceAll(/:(\w+)/gu, (_, name: string) => ids[name] ?? "")
          for (const token of strangers) {
            const body = method === "GET" || method === "DELETE" ? {} : { body: bodies[operationId] ?? {} }
            const headers = operationId in uploads ? { "content-type": "application/octet-stream" } : {}
            const query = uploads[operationId] ?? ""
            const answer = yield* gateway.request(`${address}${query}`, { method, token, headers, ...body })
            assert.strictEqual(answer.status, 404, `${method} ${path}: ${answer.text}`)
            assert.strictEqual(answer.json.code, "not_found")
          }
        }
        const create = { body: { workspaceId }, token: strangers[0] ?? "" }
        assert.strictEqual((yield* gateway.request("/api/v1/sessions", create)).status, 404)
        for (const token of strangers) {
          for (const list of [
            "/api/v1/sessions",
            "/api/v1/workspaces",
            "/api/v1/webhooks",
            "/api/v1/approvals",
            "/api/v1/rules",
            "/api/v1/notes",
            "/api/v1/notes?text=lake",
            "/api/v1/usage",
            `/api/v1/usage?sessionId=${sessionId}`,
            "/api/v1/sessions?title=write",
            "/api/v1/sessions/search?text=write"
          ]) {
            assert.deepStrictEqual((yield* gateway.request(list, { token })).json.items, [], list)
          }
          const filtered = yield* gateway.request(`/api/v1/approvals?sessionId=${sessionId}`, { token })
          assert.strictEqual(filtered.status, 404)
        }
        // An attachment of one session is not found in another, not even of the same user.
        const elsewhere = yield* gateway.request("/api/v1/sessions", { token: ada, body: {} })
        const strange = `/api/v1/sessions/${elsewhere.json.id}/attachments/${attachmentId}/content`
        assert.strictEqual((yield* gateway.request(strange, { token: ada })).status, 404)
        // The owner still has all of these resources, unchanged.
        const approval = yield* gateway.request(`/api/v1/approvals/${approvalId}`, { token: ada })
        assert.strictEqual(approval.json.open, true)
        assert.notStrictEqual(
          (yield* gateway.request(`/api/v1/sessions/${sessionId}`, { token: ada })).json.title,
          "stolen"
        )
      })
    )
  )
})
