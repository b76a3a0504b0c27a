/**
 * Spans of real sessions, sent to a collector over HTTP: their shape, the content that they never have, and collectors
 * that fail.
 */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { SessionStoreSql } from "@bough/store-sqlite"
import { SessionKind, Tool, ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as AgentHost from "../../src/AgentHost.ts"
import * as SpanExport from "../../src/telemetry/SpanExport.ts"
import type { SpanExportOptions } from "../../src/telemetry/SpanExportOptions.ts"
import * as Collector from "./Collector.ts"

const content = "a line of the user"

const parameters = Schema.Struct({ text: Schema.String })

/** A handler that traces and logs content in every way that it can. */
const chatty = Tool.make("chatty", {
  version: 1,
  description: "Traces its argument",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  parameters,
  output: parameters,
  execute: ({ text }) =>
    Effect.succeed(Tool.result({ output: { text }, display: text })).pipe(
      Effect.withSpan(text, { attributes: { text } }),
      Effect.tap(Effect.provide(Effect.log(text), Logger.layer([Logger.tracerLogger]))),
      Effect.tap(Effect.annotateCurrentSpan(text, text)),
      Effect.annotateSpans("text", text),
      Effect.annotateLogs("text", text)
    )
})

const broken = Tool.make("broken", {
  version: 1,
  description: "Dies with its argument",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  parameters,
  output: parameters,
  execute: ({ text }) => Effect.die(new Error(text))
})

const packs = {
  main: SessionKind.Main.tools(ToolPack.make(chatty, broken)),
  worker: SessionKind.Worker.tools(ToolPack.make(chatty))
}

const callsAndAnswer = [
  Reply.toolCall("chatty", { text: content }),
  Reply.toolCall("broken", { text: content }),
  Reply.toolCall(content.replaceAll(" ", "_"), {}),
  Reply.text(content)
]

/** A turn in a session of its own. `afterwards` runs before anything is closed. */
const turn = Effect.fnUntraced(function* (replies: ReadonlyArray<Reply.Reply>, afterwards: Effect.Effect<void>) {
  const home = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-spans-"))),
    (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
  )
  const environment = { variables: {}, platform: process.platform, home, currentDirectory: home, user: "ada" }
  const host = AgentHost.make({ name: "app", environment, packs })
  const { model } = yield* ScriptedModel.make(replies)
  const run = Effect.gen(function* () {
    const channel = { name: "test", ask: null, publish: () => Effect.void }
    const session = yield* AgentHost.open(host, { model, channel })
    return yield* Effect.tap(session.run({ text: content, media: [] }), afterwards)
  })
  return yield* Effect.provide(Effect.scoped(run), SessionStoreSql.layer({ directory: AgentHost.dataDirectory(host) }))
}, Effect.scoped)

/** The messages to the operator, and how the turn ended. */
const exporting = Effect.fnUntraced(function* (
  variables: SpanExportOptions["variables"],
  afterwards: Effect.Effect<void> = Effect.void
) {
  const notices: Array<string> = []
  const options = { variables, name: "app", version: "1.2.3", onNotice: (text: string) => void notices.push(text) }
  const { status, text } = yield* Effect.provide(turn(callsAndAnswer, afterwards), SpanExport.layer(options))
  return { notices, status, text }
})

const ended = { notices: [] as Array<string>, status: "completed" as const, text: content }

const pathsOf = (spans: ReadonlyArray<Collector.ReceivedSpan>): ReadonlyArray<string> => {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const pathOf = ({ name, parentSpanId }: Collector.ReceivedSpan): string => {
    const parent = parentSpanId === undefined ? undefined : byId.get(parentSpanId)
    return parent === undefined ? name : `${pathOf(parent)} > ${name}`
  }
  return [...new Set(spans.map(pathOf))].toSorted((one, other) => one.localeCompare(other))
}

describe("SpanExport", () => {
  it.live("sends the spans of a session, each below its parent", () =>
    Effect.gen(function* () {
      const collector = yield* Collector.make()
      const variables = {
        BOUGH_OTLP_ENDPOINT: collector.address,
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_EXPORTER_OTLP_HEADERS: "x-team=tree%20house,x-other=1",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test"
      }
      assert.deepStrictEqual(yield* exporting(variables), ended)
      const [{ headers, url }] = collector.received
      assert.strictEqual(url, "/v1/traces")
      assert.deepInclude(headers, { "x-team": "tree house", "x-other": "1", "content-type": "application/json" })
      assert.deepInclude(Collector.resource(collector), {
        "service.name": "app",
        "service.version": "1.2.3",
        "deployment.environment.name": "test"
      })
      const spans = Collector.spans(collector)
      const run = "Session.run > Turn.run"
      assert.deepStrictEqual(
        pathsOf(spans).filter((path) => !path.endsWith("Store.commit")),
        [
          "Session.run",
          run,
          `${run} > Dispatcher.dispatch`,
          `${run} > Dispatcher.dispatch > Tool.execute`,
          `${run} > Step.ask`
        ]
      )
      assert.lengthOf(new Set(spans.filter(({ name }) => name !== "Store.commit").map(({ traceId }) => traceId)), 1)
    })
  )

  it.live("contains neither content nor foreign spans, whatever handlers trace, log and fail with", () =>
    Effect.gen(function* () {
      const collector = yield* Collector.make()
      const variables = { BOUGH_OTLP_ENDPOINT: collector.address, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" }
      assert.deepStrictEqual(yield* exporting(variables), ended)
      const sent = collector.received.map(({ body }) => body.toString()).join("\n")
      assert.notInclude(sent, content)
      assert.notInclude(sent, content.replaceAll(" ", "_"))
      const spans = Collector.spans(collector)
      const names = spans.flatMap(({ attributes, name }) =>
        name === "Dispatcher.dispatch"
          ? attributes.flatMap(({ key, value }) => (key === "gen_ai.tool.name" ? [value.stringValue] : []))
          : []
      )
      assert.deepStrictEqual(names, ["chatty", "broken", "_OTHER"])
      const keys = new Set(spans.flatMap(({ attributes }) => attributes.map(({ key }) => key)))
      assert.deepStrictEqual(
        [...keys].filter((key) => !/^(?:gen_ai|bough|error)\./.test(key)),
        []
      )
    })
  )

  it.live("names the kind of a failure, without its message", () =>
    Effect.gen(function* () {
      const collector = yield* Collector.make()
      const variables = { BOUGH_OTLP_ENDPOINT: collector.address, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" }
      const options = { variables, name: "app", version: "1.2.3", onNotice: () => {} }
      const failing = turn([Reply.error("Refused", { message: content })], Effect.void)
      const error = yield* Effect.flip(Effect.provide(failing, SpanExport.layer(options)))
      assert.include(error.message, content)
      const askSpans = Collector.spans(collector).filter(({ name }) => name === "Step.ask")
      assert.deepStrictEqual(
        askSpans.map(({ attributes, events, status }) => [
          attributes.find(({ key }) => key === "error.type")?.value.stringValue,
          status,
          events.flatMap((event) => event.attributes.map(({ value }) => value.stringValue))
        ]),
        [["ModelError", { code: 2, message: "ModelError" }, ["ModelError", "ModelError", "ModelError: ModelError"]]]
      )
      assert.isFalse(collector.received.some(({ body }) => body.includes(content)))
    })
  )

  it.live("sends protobuf unless JSON is asked for, to the address of traces unchanged", () =>
    Effect.gen(function* () {
      const collector = yield* Collector.make()
      assert.deepStrictEqual(
        yield* exporting({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.address}/own/path` }),
        ended
      )
      const [{ body, headers, url }] = collector.received
      assert.strictEqual(url, "/own/path")
      assert.strictEqual(headers["content-type"], "application/x-protobuf")
      assert.isTrue(body.includes("Session.run"))
      assert.isFalse(body.includes(content))
    })
  )

  it.live.each([
    ["refuses", (response) => void response.writeHead(503).end()],
    ["breaks off", (response) => void response.destroy()],
    ["redirects", (response) => void response.writeHead(307, { location: "/elsewhere" }).end()],
    ["never answers", () => {}]
  ] satisfies ReadonlyArray<[string, Parameters<typeof Collector.make>[0]]>)(
    "ends the turn as without a collector that %s",
    ([, respond]) =>
      Effect.gen(function* () {
        const collector = yield* Collector.make(respond)
        const variables = {
          BOUGH_OTLP_ENDPOINT: collector.address,
          OTEL_BSP_SCHEDULE_DELAY: "1",
          OTEL_BSP_EXPORT_TIMEOUT: "1"
        }
        assert.deepStrictEqual(yield* exporting(variables, collector.reached), ended)
        assert.deepStrictEqual([...new Set(collector.received.map(({ url }) => url))], ["/v1/traces"])
      })
  )

  it.live("sends nothing if the variables name no collector or switch tracing off", () =>
    Effect.gen(function* () {
      const collector = yield* Collector.make()
      const on = { BOUGH_OTLP_ENDPOINT: collector.address }
      for (const variables of [
        {},
        { BOUGH_OTLP_ENDPOINT: " " },
        { ...on, OTEL_SDK_DISABLED: "true" },
        { ...on, OTEL_TRACES_EXPORTER: "none" }
      ]) {
        assert.isFalse(SpanExport.isOn(variables))
        assert.deepStrictEqual(yield* exporting(variables), ended)
      }
      assert.lengthOf(collector.received, 0)
    })
  )

  it.live.each([
    [{ BOUGH_OTLP_ENDPOINT: "s3cret" }, "BOUGH_OTLP_ENDPOINT is not an address that begins with http:// or https://"],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "file:///s3cret" },
      "OTEL_EXPORTER_OTLP_ENDPOINT is not an address that begins with http:// or https://"
    ],
    [
      { BOUGH_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      'the OTLP protocol is neither "http/protobuf" nor "http/json"'
    ],
    [
      { BOUGH_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_TRACES_EXPORTER: "console" },
      'OTEL_TRACES_EXPORTER has no "otlp"'
    ],
    [
      { BOUGH_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_EXPORTER_OTLP_TIMEOUT: "soon" },
      "OTEL_EXPORTER_OTLP_TIMEOUT is not a number of milliseconds"
    ],
    [
      { BOUGH_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_BSP_SCHEDULE_DELAY: "s3cret" },
      "a variable that begins with OTEL_ cannot be read"
    ]
  ] as const)("says in one sentence why %o exports nothing, and runs the turn", ([variables, why]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* exporting(variables), { ...ended, notices: [`spans are not exported: ${why}`] })
    })
  )
})
