/** The operator's tasks: reading metrics, backing up the data of a running server, and checking the machine. */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { backup } from "../src/commands/Backup.ts"
import { checks } from "../src/commands/Doctor.ts"
import * as PrometheusText from "../src/operations/PrometheusText.ts"
import { events, untilReplied } from "./Events.ts"
import * as Gateway from "./Gateway.ts"

describe("operations", () => {
  it.live(
    "a backup of a running gateway has every session, user and file, and can be served",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const folder = yield* Gateway.folder
          const scripted = yield* ScriptedModel.make([
            Reply.toolCall("write_file", { path: "kept.txt", content: "kept" }),
            Reply.text("Done"),
            Reply.text("Again")
          ])
          const model = () => scripted.model
          const scope = yield* Scope.make()
          const first = yield* Scope.provide(Gateway.start({ dataDirectory: join(folder, "data"), model }), scope)
          const token = yield* Gateway.user(first, "acme/ada")
          const created = yield* first.request("/api/v1/sessions", { token, body: {} })
          const sessionId: string = created.json.id
          yield* first.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text: "write" } })
          yield* untilReplied(first, { token, sessionId })
          const entries = (yield* first.request(`/api/v1/sessions/${sessionId}/entries`, { token })).json.items
          yield* backup(first.dataDirectory, join(folder, "copy"))
          const again = yield* Effect.exit(backup(first.dataDirectory, join(folder, "copy")))
          assert.include(String(again), "is not empty")
          yield* Scope.close(scope, Exit.void)
          const restored = yield* Gateway.start({ dataDirectory: join(folder, "copy"), model })
          const copied = yield* restored.request(`/api/v1/sessions/${sessionId}/entries`, { token })
          assert.deepStrictEqual(copied.json.items, entries)
          const { workspaceId } = created.json
          const file = join(folder, "copy", "tenants", "acme", "workspaces", workspaceId, "kept.txt")
          assert.strictEqual(readFileSync(file, "utf8"), "kept")
        })
      ),
    thoroughOnly
  )

  it.live("metrics are for admins of the operator, and name no user", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const gateway = yield* Gateway.start()
        const token = yield* Gateway.user(gateway, "acme/ada")
        assert.strictEqual((yield* gateway.request("/metrics")).status, 401)
        assert.strictEqual((yield* gateway.request("/metrics", { token })).status, 403)
        yield* gateway.request("/api/v1/sessions", { token, body: {} })
        const operator = yield* Gateway.operator(gateway)
        const { headers, status, text } = yield* gateway.request("/metrics", { token: operator })
        assert.strictEqual(status, 200, text)
        assert.match(headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/u)
        assert.match(text, /^bough_http_requests_total\{method="POST",status="201"\} 1$/mu)
        assert.match(text, /^bough_approvals_waiting 0$/mu)
        assert.match(text, /^bough_sqlite_bytes\{database="sessions",file="main"\} [1-9]\d+$/mu)
        assert.match(text, /^bough_sqlite_bytes\{database="gateway",file="wal"\} \d+$/mu)
        assert.match(text, /^bough_webhook_messages_pending 0$/mu)
        assert.notInclude(text, "ada")
      })
    )
  )

  it.live("metrics count the calls of each tool by outcome, once, and name no tool that a model made up", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const scripted = yield* ScriptedModel.make([
          Reply.toolCall("write_file", { path: "a.txt", content: "a" }),
          Reply.toolCall("read_file", { path: "missing.txt" }),
          Reply.toolCall("secret_plan", {}),
          Reply.text("Done")
        ])
        const gateway = yield* Gateway.start({ model: () => scripted.model })
        const token = yield* Gateway.user(gateway, "acme/ada")
        const operator = yield* Gateway.operator(gateway)
        const sessionId: string = (yield* gateway.request("/api/v1/sessions", { token, body: {} })).json.id
        yield* gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text: "work" } })
        yield* untilReplied(gateway, { token, sessionId })
        for (let reads = 0; reads < 2; reads++) {
          yield* gateway.request("/api/v1/usage", { token })
          const { text } = yield* gateway.request("/metrics", { token: operator })
          assert.match(text, /^bough_tool_calls_total\{tool="write_file",outcome="Succeeded"\} 1$/mu)
          assert.match(text, /^bough_tool_calls_total\{tool="read_file",outcome="Failed"\} 1$/mu)
          assert.match(text, /^bough_tool_calls_total\{tool="",outcome="\w+"\} 1$/mu)
          assert.match(text, /^bough_tool_seconds_total\{tool="write_file",outcome="Succeeded"\} \d/mu)
          assert.notInclude(text, "secret_plan")
        }
      })
    )
  )

  it.live("metrics report the length of inboxes, and the load of the store", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const scripted = yield* ScriptedModel.make([Reply.hang([{ _tag: "Text", text: "I think" }])])
        const gateway = yield* Gateway.start({ model: () => scripted.model })
        const token = yield* Gateway.user(gateway, "acme/ada")
        const operator = yield* Gateway.operator(gateway)
        const read = Effect.map(gateway.request("/metrics", { token: operator }), ({ text }) => (name: string) => {
          const found = new RegExp(String.raw`^${name} (\S+)$`, "mu").exec(text)
          return found === null ? assert.fail(`no ${name} in ${text}`) : Number(found[1])
        })
        const before = yield* read
        assert.strictEqual(before("bough_queue_depth"), 0)
        const sessionId: string = (yield* gateway.request("/api/v1/sessions", { token, body: {} })).json.id
        const send = (text: string) =>
          gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text } })
        yield* send("one")
        yield* events(gateway, { token, sessionId }).pipe(
          Stream.takeUntil(({ frame }) => frame._tag === "Delta"),
          Stream.runDrain
        )
        // The model never answers the first message: the others wait.
        yield* send("two")
        yield* send("three")
        const after = yield* read
        assert.strictEqual(after("bough_queue_depth"), 2)
        assert.isAbove(after("bough_store_writes_total"), before("bough_store_writes_total"))
        assert.isAtMost(after("bough_store_transactions_total"), after("bough_store_writes_total"))
        assert.isAbove(after("bough_sqlite_busy_seconds_total"), before("bough_sqlite_busy_seconds_total"))
        assert.strictEqual(after("bough_store_writes_waiting"), 0)
        assert.strictEqual(after("bough_sqlite_locked_total"), 0)
        assert.strictEqual(after("bough_event_lag_seconds") >= 0, true)
      })
    )
  )

  it("metrics escape characters that would end a label", () => {
    const text = PrometheusText.format([
      { name: "m", help: "two\nlines", type: "gauge", samples: [{ labels: { a: 'x"\n\\' }, value: 1 }] }
    ])
    assert.strictEqual(text, '# HELP m two\\nlines\n# TYPE m gauge\nm{a="x\\"\\n\\\\"} 1\n')
  })

  it.live("the doctor reports a configuration with which the gateway does not start", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const dataDirectory = yield* Gateway.folder
        const before = yield* checks(dataDirectory, { PATH: process.env["PATH"] })
        assert.deepStrictEqual(
          before.map(({ name }) => name),
          ["disk", "store", "gateway.json", "sandbox", "model"]
        )
        assert.deepInclude(before.at(-1), { name: "model", isGood: true })
        mkdirSync(join(dataDirectory, "config", "bough"), { recursive: true })
        writeFileSync(join(dataDirectory, "config", "bough", "config.jsonc"), '{ "sandbox": "host" }')
        writeFileSync(join(dataDirectory, "gateway.json"), '{ "port": "x", "access": { "cookieHours": -1 } }')
        const after = yield* checks(dataDirectory, { PATH: process.env["PATH"] })
        const own = after.find(({ name }) => name === "gateway.json")
        assert.isFalse(own?.isGood)
        assert.match(own?.detail ?? "", /port: .*access\.cookieHours: /su)
        assert.deepInclude(after.at(-1), { name: "configuration", isGood: false })
      })
    )
  )
})
