/** Spans of the command line: a variable sends them to a collector, and an invalid one costs a line, not the run. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Collector from "../../../packages/host/test/telemetry/Collector.ts"
import { withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"

const run = (variables: Readonly<Record<string, string>>) =>
  Effect.promise(() =>
    withTestFolder((place) => bough(place, ["run", "count the lines of nothing.txt"], { env: variables }))
  )

describe("spans of bough", () => {
  it.live("are sent before the program ends", () =>
    Effect.gen(function* () {
      const collector = yield* Collector.make()
      const traced = yield* run({
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_EXPORTER_OTLP_TIMEOUT: "60000"
      })
      const names = Collector.spans(collector).map(({ name }) => name)
      assert.includeMembers(names, ["Session.run", "Turn.run", "Step.ask", "Tool.execute", "Store.commit"])
      assert.strictEqual(Collector.resource(collector)["service.name"], "bough")
      const untraced = yield* run({})
      assert.deepStrictEqual([traced.code, traced.stdout], [untraced.code, untraced.stdout])
      assert.notInclude(traced.stderr, "spans")
    })
  )

  it.live("are left out with one line if the protocol is not supported", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* run({
        BOUGH_OTLP_ENDPOINT: "http://127.0.0.1:9",
        OTEL_EXPORTER_OTLP_PROTOCOL: "grpc"
      })
      assert.strictEqual(code, (yield* run({})).code)
      assert.lengthOf(
        stderr.split("\n").filter((line) => line.includes("spans are not exported: the OTLP protocol is neither")),
        1
      )
    })
  )
})
