/** The progress of a served call at a real client: how often it comes, how long it is, and which report is the last. */
import { assert, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { Progress } from "@modelcontextprotocol/sdk/types.js"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { ServerOffer, OfferedCall } from "../../src/server/Offer.ts"
import { connect } from "../../src/server/ToolServer.ts"

const offering = (run: (call: OfferedCall) => Effect.Effect<void>): ServerOffer => ({
  name: "sample",
  version: "1",
  tools: [{ name: "work", description: "Reports progress", inputSchema: { type: "object" } }],
  call: (call) => Effect.as(run(call), { isError: false, text: "done", structured: null, media: [] })
})

const clientOf = Effect.fnUntraced(function* (
  offer: ServerOffer,
  through: (transport: Transport) => Transport = (transport) => transport
) {
  const [here, there] = InMemoryTransport.createLinkedPair()
  yield* Effect.promise(() => connect(offer, through(there), () => {}))
  const client = new Client({ name: "client", version: "1" })
  yield* Effect.acquireRelease(
    Effect.promise(() => client.connect(here)),
    () => Effect.promise(() => client.close())
  )
  return client
})

/** Calls the tool and returns the reports that came before its result. */
const reportsOf = Effect.fnUntraced(function* (offer: ServerOffer) {
  const client = yield* clientOf(offer)
  const reports: Array<Progress> = []
  const onprogress = (report: Progress) => void reports.push(report)
  yield* Effect.promise(() => client.callTool({ name: "work" }, undefined, { onprogress }))
  return reports
})

describe("the progress of a served call", () => {
  it.live("comes as the first report and the newest one, however many there are", () =>
    Effect.gen(function* () {
      const reports = yield* reportsOf(
        offering(({ onProgress }) =>
          Effect.gen(function* () {
            for (let at = 1; at <= 10_000; at++) {
              onProgress(`line ${at}`)
              if (at % 1000 === 1) yield* Effect.yieldNow
            }
          })
        )
      )
      assert.strictEqual(reports.at(0)?.message, "line 1")
      assert.strictEqual(reports.at(-1)?.message, "line 10000")
      assert.strictEqual(reports.at(-1)?.progress, 10_000)
      // How many pauses of the bound the loop takes depends on the machine.
      assert.isBelow(reports.length, 1000)
      const counts = reports.map(({ progress }) => progress)
      assert.deepStrictEqual(
        counts,
        [...new Set(counts)].toSorted((one, other) => one - other)
      )
    }).pipe(Effect.scoped)
  )

  it.live("is cut to a bound, and stays well-formed", () =>
    Effect.gen(function* () {
      const [report] = yield* reportsOf(
        offering(({ onProgress }) => Effect.sync(() => onProgress(`a${"😀".repeat(100_000)}`)))
      )
      assert.isAtMost(report?.message?.length ?? Infinity, 1024)
      assert.match(report?.message ?? "", /^a(?:😀)+.?…$/u)
      assert.isTrue(report?.message?.isWellFormed())
    }).pipe(Effect.scoped)
  )

  it.live("waits for a client that takes none, and a cancelled call then ends all the same", () =>
    Effect.gen(function* () {
      let sent = 0
      const ended = yield* Deferred.make<void>()
      const offer = offering(({ onProgress }) =>
        Effect.ensuring(
          Effect.forever(
            Effect.andThen(
              Effect.sync(() => onProgress("more")),
              Effect.sleep(1)
            )
          ),
          Deferred.succeed(ended, undefined)
        )
      )
      const cancelling = new AbortController()
      const client = yield* clientOf(offer, (transport) => {
        const send = transport.send.bind(transport)
        transport.send = (message, options) => {
          if (!("method" in message) || message.method !== "notifications/progress") {
            return send(message, options)
          }
          sent += 1
          // Two intervals after the first report, which is never taken.
          setTimeout(() => cancelling.abort(), 600)
          return new Promise(() => {})
        }
        return transport
      })
      const called = yield* Effect.promise(() =>
        client.callTool({ name: "work" }, undefined, { onprogress: () => {}, signal: cancelling.signal }).then(
          () => "ended",
          () => "cancelled"
        )
      )
      assert.strictEqual(called, "cancelled")
      yield* Deferred.await(ended)
      yield* Effect.promise(() => client.listTools())
      assert.strictEqual(sent, 1)
    }).pipe(Effect.scoped)
  )
})
