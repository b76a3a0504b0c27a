import { SessionStore } from "@bough/runtime"
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as UsageLedger from "../../src/operations/UsageLedger.ts"
import { untilReplied } from "../Events.ts"
import * as Gateway from "../Gateway.ts"

describe("UsageLedger", () => {
  it.live("reads only sessions that changed since the last read of any process, also after a start", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const usage = { inputTokens: 10, outputTokens: 3, costUsd: 0.5 }
        const scripted = yield* ScriptedModel.make(["one", "two", "three"].map((text) => Reply.text(text, usage)))
        const gateway = yield* Gateway.start({ model: () => scripted.model })
        const token = yield* Gateway.user(gateway, "acme/ada")
        for (let made = 0; made < 3; made++) {
          const sessionId: string = (yield* gateway.request("/api/v1/sessions", { token, body: {} })).json.id
          yield* gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text: "Hi" } })
          yield* untilReplied(gateway, { token, sessionId })
        }
        const store = Context.get(gateway.context, SessionStore.SessionStore)
        const sql = Context.get(gateway.context, SqlClient.SqlClient)
        const trees: Array<string> = []
        const counted = SessionStore.SessionStore.of({
          ...store,
          sessionsOf: (treeId) => Effect.suspend(() => (trees.push(treeId), store.sessionsOf(treeId)))
        })
        /** The steps that the ledger of a newly started gateway counts, and the trees that it reads for them. */
        const started = Effect.scoped(
          Effect.gen(function* () {
            const provided = Layer.merge(
              Layer.succeed(SessionStore.SessionStore, counted),
              Layer.succeed(SqlClient.SqlClient, sql)
            )
            const built = yield* Layer.build(Layer.provide(UsageLedger.layer, provided))
            trees.length = 0
            const rows = yield* Context.get(built, UsageLedger.UsageLedger).rows({ user: "acme/ada" })
            return { steps: rows.reduce((sum, { steps }) => sum + steps, 0), trees: new Set(trees).size }
          })
        )
        assert.deepStrictEqual(yield* started, { steps: 3, trees: 3 })
        const [reached] = yield* sql<{ readonly millis: number }>`
          SELECT up_to_millis AS millis FROM model_calls_read_up_to`
        assert.isBelow(reached?.millis ?? Infinity, (yield* store.now) - 30_000, "a slow commit would be missed")
        // Time passes without changes.
        yield* sql`UPDATE model_calls_read_up_to SET up_to_millis = ${(yield* store.now) + 1000}`
        assert.deepStrictEqual(yield* started, { steps: 3, trees: 0 })
      })
    )
  )
})
