/** A stalled reader, on a real socket, beside one that reads. */
import type { Frame } from "@bough/gateway-api"
import { Limits } from "@bough/gateway-api"
import type { Model } from "@bough/runtime"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as Http from "node:http"
import { thoroughOnly } from "../../../../test/thorough.ts"
import { entriesOf, events, untilLast } from "../Events.ts"
import * as Gateway from "../Gateway.ts"

/** More than the buffers of both sides of a socket, and more frames than a reader may lag behind. */
const [pieces, pieceLength, turns] = [400, 8_192, 8]

const model: Model.Model["Service"] = {
  name: "test/long",
  contextTokens: null,
  priced: false,
  stream: () =>
    Stream.concat(
      Stream.map(Stream.range(1, pieces), (index): Model.ModelPart => ({
        _tag: "Text",
        text: `${index}`.padEnd(pieceLength, "x")
      })),
      Stream.succeed<Model.ModelPart>({
        _tag: "End",
        reason: "stop",
        inputTokens: 1,
        cachedInputTokens: 0,
        outputTokens: 1,
        costUsd: null
      })
    )
}

/** A stream that is opened and not read until `rest` is called, which returns all its data. */
const unread = (gateway: Gateway.Gateway, path: string, token: string) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<Http.IncomingMessage>((resolve, reject) => {
          const headers = { authorization: `Bearer ${token}` }
          Http.get(`${gateway.url}${path}`, { agent: false, headers }, resolve).on("error", reject)
        })
    ),
    (response) => Effect.sync(() => response.destroy())
  ).pipe(
    Effect.map((response) =>
      Effect.promise(async () => {
        const chunks: Array<Buffer> = []
        for await (const chunk of response) chunks.push(chunk as Buffer)
        return Buffer.concat(chunks)
          .toString("utf8")
          .split("\n\n")
          .flatMap((block) => {
            const at = block.indexOf("data: ")
            return at === -1 ? [] : [JSON.parse(block.slice(at + 6)) as Frame.Frame]
          })
      })
    )
  )

describe("a stalled reader", () => {
  it.live(
    "is cut off with the position to resume at, while another reader gets everything",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const gateway = yield* Gateway.start({ model: () => model })
          const token = yield* Gateway.user(gateway, "acme/ada")
          const sessionId: string = (yield* gateway.request("/api/v1/sessions", { token, body: {} })).json.id
          const isOpen = yield* Deferred.make<void>()
          const ended = yield* Queue.unbounded<void>()
          let turnsRead = 0
          const reading = yield* events(gateway, { token, sessionId }).pipe(
            Stream.tap(({ frame }) =>
              frame._tag === "TurnEnded" ? Queue.offer(ended, undefined) : Deferred.succeed(isOpen, undefined)
            ),
            Stream.takeUntil(({ frame }) => frame._tag === "TurnEnded" && ++turnsRead === turns),
            Stream.runCollect,
            Effect.forkScoped
          )
          yield* Deferred.await(isOpen)
          const rest = yield* unread(gateway, `/api/v1/sessions/${sessionId}/events`, token)
          // A turn has fewer frames than a reader may lag behind, so that the one who reads is never cut off.
          for (let turn = 0; turn < turns; turn++) {
            yield* gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text: "Go on" } })
            yield* Queue.take(ended)
          }
          const all = yield* Fiber.join(reading)
          const deltas = all.filter(({ frame }) => frame._tag === "Delta")
          assert.strictEqual(deltas.length, pieces * turns)
          const metrics = yield* gateway.request("/metrics", { token: yield* Gateway.operator(gateway) })
          const lag = Number(/^bough_event_lag_seconds (.+)$/mu.exec(metrics.text)?.[1])
          assert.isAbove(lag, 0, metrics.text)
          const received = yield* rest
          const last = received.at(-1)
          if (last?._tag !== "Resume") throw new Error(`it ended with ${JSON.stringify(last).slice(0, 200)}`)
          assert.strictEqual(last.reason, "slow")
          assert.isBelow(received.length, all.length - Limits.limits.lagFrames)
          const before = received.flatMap((frame) => (frame._tag === "Entry" ? [frame] : []))
          assert.strictEqual(last.after, before.at(-1)?.id ?? null)
          // The reader reconnects with that id, and gets each entry once.
          const newest = all.findLast(({ id }) => id !== null)?.id ?? ""
          const after = yield* events(gateway, { token, sessionId, lastEventId: last.after ?? "" }).pipe(
            Stream.takeUntil(({ id }) => id === newest),
            Stream.runCollect
          )
          const whole = entriesOf(yield* untilLast(gateway, { token, sessionId }, newest))
          assert.deepStrictEqual([...before.map(({ entry }) => entry), ...entriesOf(after)], whole as never)
          assert.deepStrictEqual(entriesOf(all), whole)
        })
      ),
    thoroughOnly
  )
})
