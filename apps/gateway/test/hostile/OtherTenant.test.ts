/**
 * A user of another tenant who knows every id of a session: in bodies, cursors, keys, conditions, positions of streams
 * and the protocols of other clients. Nothing of it is found or changed.
 */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { thoroughOnly } from "../../../../test/thorough.ts"
import { untilApprovalIsAsked } from "../Approving.ts"
import { upload } from "../Files.ts"
import * as Gateway from "../Gateway.ts"

const secret = "the pin of Ada is 4711"
const placeOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")
const mcp = { accept: "application/json, text/event-stream" }

interface Attack {
  readonly name: string
  readonly path: string
  readonly request?: Gateway.Request
  /**
   * Statuses that a response may have: some protocols report a refusal in a stream, and some ids name Bob's own
   * resources.
   */
  readonly statuses: ReadonlyArray<number>
}

describe("a user of another tenant", () => {
  it.live(
    "finds nothing of a session by any id of it, and changes nothing",
    () =>
      Effect.gen(function* () {
        const scripted = yield* ScriptedModel.make([
          Reply.text(secret),
          Reply.text(secret),
          Reply.text(secret),
          Reply.toolCall("write_file", { path: "AGENTS.md", content: "be kind" }),
          Reply.text("I wait"),
          ...Array.from({ length: 30 }, () => Reply.text("Hello Bob"))
        ])
        const gateway = yield* Gateway.start({ model: () => scripted.model })
        const [ada, bob] = [yield* Gateway.user(gateway, "acme/ada"), yield* Gateway.user(gateway, "globex/bob")]
        const asAda = (path: string, request: Gateway.Request = {}) => gateway.request(path, { token: ada, ...request })

        // Ada's resources, whose names Bob knows.
        const keyed = { "idempotency-key": "shared" }
        const response = (yield* asAda("/v1/responses", { body: { model: "bough", input: "pin?" }, headers: keyed }))
          .json
        const words = [{ role: "user", content: "pin?" }]
        yield* asAda("/v1/chat/completions", { body: { model: "bough", messages: words } })
        const chat = { id: "chat-1", messages: [{ id: "1", role: "user", parts: [{ type: "text", text: "pin?" }] }] }
        yield* asAda("/api/chat", { body: chat })
        const { approvalId, sessionId, workspaceId } = yield* untilApprovalIsAsked(gateway, ada)
        const file = yield* upload(gateway, `/api/v1/sessions/${sessionId}/attachments?name=a`, {
          token: ada,
          body: secret
        })
        const session = yield* asAda(`/api/v1/sessions/${sessionId}`)
        const opening = {
          jsonrpc: "2.0",
          id: 0,
          method: "initialize",
          params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "a", version: "1" } }
        }
        const connection = (token: string) =>
          Effect.map(
            gateway.request("/mcp", { token, body: opening, headers: mcp }),
            ({ headers }) => headers.get("mcp-session-id") ?? ""
          )
        const [theirs, own] = [yield* connection(ada), yield* connection(bob)]
        const mine: string = (yield* gateway.request("/api/v1/sessions", { token: bob, body: {} })).json.id
        const before = (yield* asAda("/api/v1/sessions?archived=any")).text
        const entries = (yield* asAda(`/api/v1/sessions/${sessionId}/entries`)).text

        const approved = { state: "approval-responded", approval: { id: approvalId, approved: true } }
        const run = (args: object) => ({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "run_agent", arguments: args }
        })
        const agUi = {
          threadId: "t1",
          runId: "r1",
          state: {},
          messages: [],
          tools: [],
          context: [],
          forwardedProps: {}
        }
        const attacks: ReadonlyArray<Attack> = [
          {
            name: "her attachment in his message",
            path: `/api/v1/sessions/${mine}/messages`,
            request: { body: { text: "hi", attachments: [file.json.id] } },
            statuses: [404]
          },
          {
            name: "her workspace for his session",
            path: "/api/v1/sessions",
            request: { body: { workspaceId } },
            statuses: [404]
          },
          {
            name: "a path to her workspace",
            path: "/api/v1/sessions",
            request: { body: { workspaceId: `../../acme/workspaces/${workspaceId}` } },
            statuses: [404]
          },
          {
            name: "her name in a body",
            path: "/api/v1/sessions",
            request: { body: { user: "acme/ada", tenant: "acme", principal: { user: "ada" } } },
            statuses: [201]
          },
          { name: "agents of her workspace", path: `/api/v1/agents?workspaceId=${workspaceId}`, statuses: [404] },
          {
            name: "her ETag",
            path: `/api/v1/sessions/${sessionId}`,
            request: {
              method: "PATCH",
              body: { title: "x" },
              headers: { "if-match": session.headers.get("etag") ?? "" }
            },
            statuses: [404]
          },
          {
            name: "any ETag",
            path: `/api/v1/sessions/${sessionId}`,
            request: { method: "PATCH", body: { archived: true }, headers: { "if-match": "*" } },
            statuses: [404]
          },
          {
            name: "a cursor before her session",
            path: `/api/v1/sessions?archived=any&cursor=${placeOf({
              updatedAtMillis: session.json.updatedAtMillis + 1,
              createdAtMillis: 0,
              sessionId
            })}`,
            statuses: [200]
          },
          {
            name: "a cursor of rows in a list of her files",
            path: `/api/v1/sessions/${sessionId}/attachments?cursor=${placeOf({ createdAtMillis: 0, id: "" })}`,
            statuses: [404]
          },
          {
            name: "a cursor that is not a place",
            path: `/api/v1/workspaces?cursor=${placeOf([workspaceId])}`,
            statuses: [400]
          },
          { name: "search for her words", path: "/api/v1/sessions/search?text=pin%20Ada", statuses: [200] },
          {
            name: "search that breaks its query",
            path: "/api/v1/sessions/search?text=%22%20OR%20user:*",
            statuses: [200]
          },
          { name: "a title that is a pattern", path: "/api/v1/sessions?title=%25", statuses: [200] },
          { name: "her usage", path: `/api/v1/usage?sessionId=${sessionId}`, statuses: [200] },
          { name: "her approvals", path: `/api/v1/approvals?sessionId=${sessionId}`, statuses: [404] },
          {
            name: "her key for his session",
            path: "/api/v1/sessions",
            request: { body: {}, headers: keyed },
            statuses: [201]
          },
          {
            name: "her key and words for a response",
            path: "/v1/responses",
            request: { body: { model: "bough", input: "pin?" }, headers: keyed },
            statuses: [200]
          },
          {
            name: "her response before his",
            path: "/v1/responses",
            request: { body: { model: "bough", input: "pin?", previous_response_id: response.id } },
            statuses: [404]
          },
          { name: "her response", path: `/v1/responses/${response.id}`, statuses: [404] },
          { name: "what she asked", path: `/v1/responses/${response.id}/input_items`, statuses: [404] },
          {
            name: "an end of her response",
            path: `/v1/responses/${response.id}/cancel`,
            request: { body: {} },
            statuses: [404]
          },
          {
            name: "her response deleted",
            path: `/v1/responses/${response.id}`,
            request: { method: "DELETE" },
            statuses: [404]
          },
          {
            name: "her approval in a response",
            path: "/v1/responses",
            request: {
              body: {
                model: "bough",
                input: [{ type: "mcp_approval_response", approval_request_id: approvalId, approve: true }]
              }
            },
            statuses: [404]
          },
          {
            name: "her words before his",
            path: "/v1/chat/completions",
            request: {
              body: {
                model: "bough",
                messages: [...words, { role: "assistant", content: "?" }, { role: "user", content: "again" }]
              }
            },
            statuses: [200]
          },
          { name: "the stream of her chat", path: "/api/chat/chat-1/stream", statuses: [204] },
          { name: "her chat's id", path: "/api/chat", request: { body: { ...chat, id: "chat-1" } }, statuses: [200] },
          {
            name: "her session as a chat",
            path: "/api/chat",
            request: { body: { ...chat, id: sessionId } },
            statuses: [200]
          },
          {
            name: "her approval in his chat",
            path: "/api/chat",
            request: {
              body: {
                id: "chat-2",
                messages: [
                  ...chat.messages,
                  {
                    id: "2",
                    role: "assistant",
                    parts: [{ type: "dynamic-tool", toolName: "write_file", toolCallId: "t", input: {}, ...approved }]
                  }
                ]
              }
            },
            statuses: [200]
          },
          {
            name: "her approval as an interrupt",
            path: "/ag-ui",
            request: {
              body: { ...agUi, resume: [{ interruptId: approvalId, status: "resolved", payload: { approved: true } }] }
            },
            statuses: [200]
          },
          {
            name: "her place in his state",
            path: "/ag-ui",
            request: {
              body: {
                ...agUi,
                threadId: sessionId,
                state: { bough: { sessionId, places: { [sessionId]: 0 } } },
                messages: [{ id: "1", role: "user", content: "pin?" }]
              }
            },
            statuses: [200]
          },
          {
            name: "her connection of MCP",
            path: "/mcp",
            request: {
              body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
              headers: { ...mcp, "mcp-session-id": theirs }
            },
            statuses: [404]
          },
          {
            name: "an end of her connection",
            path: "/mcp",
            request: { method: "DELETE", headers: { "mcp-session-id": theirs } },
            statuses: [404]
          },
          {
            name: "her session as a task",
            path: "/mcp",
            request: {
              body: run({ prompt: "pin?", session: sessionId }),
              headers: { ...mcp, "mcp-session-id": own }
            },
            statuses: [200]
          },
          {
            name: "her place in her stream",
            path: `/api/v1/sessions/${sessionId}/events`,
            request: { headers: { "last-event-id": "1.0" } },
            statuses: [404]
          },
          { name: "her audit log", path: "/api/v1/tenants/acme/audit", statuses: [404] },
          { name: "the audit log of the operators", path: "/api/v1/tenants/operators/audit", statuses: [404] },
          {
            name: "a scope that is none",
            path: "/api/v1/tenants/globex/users/bob",
            request: { method: "PATCH", body: { scopes: ["read", "operator"] } },
            statuses: [400]
          },
          {
            name: "a quota of his own tenant",
            path: "/api/v1/tenants/globex/quotas",
            request: { method: "PATCH", body: { sessions: null } },
            statuses: [403]
          }
        ]
        for (const { name, path, request, statuses } of attacks) {
          const answer = yield* gateway.request(path, { token: bob, ...request })
          assert.include([...statuses], answer.status, `${name}: ${answer.text.slice(0, 300)}`)
          assert.notInclude(answer.text, secret, name)
          assert.notInclude(answer.text, workspaceId, name)
        }
        assert.strictEqual((yield* asAda("/api/v1/sessions?archived=any")).text, before)
        assert.strictEqual((yield* asAda(`/api/v1/sessions/${sessionId}/entries`)).text, entries)
        assert.strictEqual((yield* asAda(`/api/v1/approvals/${approvalId}`)).json.open, true)
        const list = { jsonrpc: "2.0", id: 2, method: "tools/list" }
        const stillOpen = yield* asAda("/mcp", { body: list, headers: { ...mcp, "mcp-session-id": theirs } })
        assert.strictEqual(stillOpen.status, 200)
      }),
    thoroughOnly
  )
})
