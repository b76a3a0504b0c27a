/** The log and the spans of requests: facts of each request, and no content, path or secret. */
import * as SpanExport from "@bough/host/telemetry/SpanExport"
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Collector from "../../../../packages/host/test/telemetry/Collector.ts"
import { thoroughOnly } from "../../../../test/thorough.ts"
import * as JsonLog from "../../src/operations/JsonLog.ts"
import * as RouteNames from "../../src/operations/RouteNames.ts"
import { untilReplied } from "../Events.ts"
import * as Gateway from "../Gateway.ts"

const secret = "very-secret-words"

const logged = (lines: ReadonlyArray<string>): ReadonlyArray<Record<string, unknown>> =>
  lines.map((line) => JSON.parse(line) as Record<string, unknown>)

describe("the log", () => {
  it.live(
    "has a line for each request, which its answer names, and no text of users or models",
    () =>
      Effect.gen(function* () {
        const lines: Array<string> = []
        yield* Effect.gen(function* () {
          const scripted = yield* ScriptedModel.make([Reply.text(secret)])
          const gateway = yield* Gateway.start({ model: () => scripted.model })
          const token = yield* Gateway.user(gateway, "acme/ada")
          const { id: sessionId } = (yield* gateway.request("/api/v1/sessions", { token, body: {} })).json
          yield* gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text: secret } })
          yield* untilReplied(gateway, { token, sessionId })
          yield* gateway.request(`/api/v1/sessions?title=${secret}`, { token })
          yield* gateway.request(`/${secret}`, { token: secret })
          const answer = yield* gateway.request(`/api/v1/sessions/${sessionId}`, { token })
          const line = logged(lines).find(({ requestId }) => requestId === answer.headers.get("x-request-id"))
          assert.deepInclude(line, {
            level: "info",
            message: "request",
            method: "GET",
            route: "/api/v1/sessions/:sessionId",
            status: 200,
            user: "acme/ada",
            sessionId
          })
          assert.isNumber(line?.["ms"])
          assert.deepInclude(
            logged(lines).find(({ route }) => route === "other"),
            { status: 404 }
          )
          assert.notInclude(lines.join("\n"), secret)
          assert.notInclude(lines.join("\n"), token)
        }).pipe(Effect.scoped, Effect.provide(JsonLog.layer("info", (line) => lines.push(line))))
      }),
    thoroughOnly
  )

  it.effect("names errors and their places without their messages, and obeys the log level", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const log = (level: JsonLog.LogLevel) => JsonLog.layer(level, (line) => lines.push(line))
      const failing = Effect.logError("a request failed", Cause.die(new RangeError(`${secret}\nmore ${secret}`)))
      yield* failing.pipe(Effect.annotateLogs({ instance: "urn:1" }), Effect.provide(log("error")))
      const [line] = logged(lines)
      assert.deepInclude(line, { level: "error", message: "a request failed", instance: "urn:1" })
      assert.deepInclude(line?.["error"], { name: "RangeError" })
      assert.notInclude(lines.join(""), secret)
      yield* failing.pipe(Effect.provide(log("off")))
      yield* Effect.logInfo("x").pipe(Effect.provide(log("warning")))
      assert.lengthOf(lines, 1)
    })
  )

  it("names the route of any address without the caller's values", () => {
    for (const [method, url, route] of [
      ["GET", "/api/v1/sessions/search?text=x", "/api/v1/sessions/search"],
      ["GET", "/api/v1/sessions/abc", "/api/v1/sessions/:sessionId"],
      ["POST", "/api/v1/sessions/abc/messages", "/api/v1/sessions/:sessionId/messages"],
      ["GET", "/v1/responses/abc", "/v1"],
      ["POST", "/api/chat/abc", "/api/chat"],
      ["GET", "/", "/"],
      ["GET", "/abc", "other"],
      ["PUT", "/api/v1/sessions/abc", "other"]
    ] as const)
      assert.strictEqual(RouteNames.fromRequest(method, url), route, url)
  })

  it.live("spans of requests go to a collector beside those of turns, without content", () =>
    Effect.gen(function* () {
      const collector = yield* Collector.make()
      const scope = yield* Scope.make()
      const notices: Array<string> = []
      const exported = SpanExport.layer({
        variables: { BOUGH_OTLP_ENDPOINT: collector.address, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" },
        name: "bough-gateway",
        version: "0",
        onNotice: (sentence) => notices.push(sentence)
      })
      const context = yield* Layer.buildWithScope(exported, scope)
      yield* Effect.gen(function* () {
        const scripted = yield* ScriptedModel.make([Reply.text(secret)])
        const gateway = yield* Gateway.start({ model: () => scripted.model })
        const token = yield* Gateway.user(gateway, "acme/ada")
        const { id: sessionId } = (yield* gateway.request("/api/v1/sessions", { token, body: {} })).json
        yield* gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text: secret } })
        yield* untilReplied(gateway, { token, sessionId })
      }).pipe(Effect.scoped, Effect.provideContext(context))
      yield* Scope.close(scope, Exit.void)
      const spans = Collector.spans(collector)
      const routes = spans
        .filter(({ name }) => name === "Gateway.request")
        .map(({ attributes }) => attributes.find(({ key }) => key === "bough.http.route")?.value.stringValue)
      assert.includeMembers(routes, ["/api/v1/sessions", "/api/v1/sessions/:sessionId/messages"])
      assert.include(
        spans.map(({ name }) => name),
        "Turn.run"
      )
      // The turn is below the request that sent the message, and so are its steps and commits.
      const above = (span: Collector.ReceivedSpan): ReadonlyArray<Collector.ReceivedSpan> => {
        const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
        return parent === undefined ? [span] : [span, ...above(parent)]
      }
      const paths = spans
        .filter(({ name }) => name === "Turn.run" || name === "Store.commit")
        .map((span) => above(span).at(-1))
      for (const root of paths) {
        const route = root?.attributes.find(({ key }) => key === "bough.http.route")?.value.stringValue
        assert.strictEqual(route, "/api/v1/sessions/:sessionId/messages", root?.name)
      }
      assert.isAbove(paths.length, 3)
      assert.notInclude(JSON.stringify(spans), secret)
      assert.deepStrictEqual(notices, [])
    })
  )
})
