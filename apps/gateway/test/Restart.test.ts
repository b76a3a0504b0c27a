/** Acknowledged requests survive the process, and a reader that reconnects gets each entry once. */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type ClientRequest, type IncomingMessage, request } from "node:http"
import { thoroughOnly } from "../../../test/thorough.ts"
import { entriesOf, events, isLastReply, untilLast, untilReplied } from "./Events.ts"
import * as Gateway from "./Gateway.ts"
import { killedUnderLoad } from "./killedUnderLoad.ts"

/** Begins to upload a file, without its end. */
const openUpload = (gateway: Gateway.Gateway, sessionId: string, token: string) =>
  Effect.gen(function* () {
    const answered = yield* Deferred.make<IncomingMessage>()
    const url = `${gateway.url}/api/v1/sessions/${sessionId}/attachments?name=a.txt`
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/octet-stream" }
    const upload = yield* Effect.acquireRelease(
      Effect.callback<ClientRequest>((resume) => {
        const sent = request(url, { agent: false, method: "POST", headers: { ...headers, expect: "100-continue" } })
        sent.on("error", () => {})
        sent.on("response", (response) => {
          response.resume()
          Deferred.doneUnsafe(answered, Effect.succeed(response))
        })
        // The server has the request once it asks for the body.
        sent.on("continue", () => resume(Effect.succeed(sent)))
        sent.flushHeaders()
      }),
      (sent) => Effect.sync(() => sent.destroy())
    )
    upload.write("the beginning, ")
    return { upload, answer: Deferred.await(answered) }
  })

describe("a restart", () => {
  it.live(
    "by SIGKILL under load loses and duplicates no message, no decision, no entry and no frame",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { acknowledged, decisions } = yield* killedUnderLoad(2, 2)
          assert.isAtLeast(acknowledged, 16)
          assert.isAtLeast(decisions, 1)
        })
      ),
    thoroughOnly
  )

  it.live("by SIGTERM finishes open requests, and refuses others with the time after which to retry", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const gateway = yield* Scope.provide(Gateway.start(), scope)
        const token = yield* Gateway.user(gateway, "acme/ada")
        const sessionId: string = (yield* gateway.request("/api/v1/sessions", { token, body: {} })).json.id
        const { answer, upload } = yield* openUpload(gateway, sessionId, token)
        const closing = yield* Effect.forkScoped(Scope.close(scope, Exit.void))
        const refused = yield* gateway
          .request("/api/v1/sessions", { token })
          .pipe(Effect.repeat({ until: ({ status }) => status !== 200 }))
        assert.deepStrictEqual([refused.status, refused.json.code], [503, "draining"])
        assert.isAbove(Number(refused.headers.get("retry-after")), 0)
        assert.strictEqual((yield* gateway.request("/ready")).status, 503)
        upload.end("the rest")
        const { headers, statusCode } = yield* answer
        assert.deepStrictEqual([statusCode, headers["retry-after"]], [201, undefined])
        yield* Fiber.join(closing)
      })
    )
  )

  it.live(
    "by SIGTERM ends although a request and a reader stay open, and tells the request to retry",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const scope = yield* Scope.make()
          const gateway = yield* Scope.provide(Gateway.start(), scope)
          const token = yield* Gateway.user(gateway, "acme/ada")
          const sessionId: string = (yield* gateway.request("/api/v1/sessions", { token, body: {} })).json.id
          const { answer } = yield* openUpload(gateway, sessionId, token)
          yield* Effect.acquireRelease(
            Effect.callback<ClientRequest>((resume) => {
              const reading = request(
                `${gateway.url}/api/v1/sessions/${sessionId}/events`,
                { agent: false, headers: { authorization: `Bearer ${token}` } },
                () => resume(Effect.succeed(reading))
              )
              reading.on("error", () => {})
              reading.end()
            }),
            (reading) => Effect.sync(() => reading.destroy())
          )
          yield* Scope.close(scope, Exit.void)
          const { headers, statusCode } = yield* answer
          assert.deepStrictEqual([statusCode, headers["retry-after"]], [503, "5"])
        })
      ),
    thoroughOnly
  )

  it.live("by SIGTERM tells streams where to resume, and they do", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const dataDirectory = yield* Gateway.folder
        const scripted = yield* ScriptedModel.make([Reply.text("Before"), Reply.text("After")])
        const first = yield* Scope.make()
        const before = yield* Scope.provide(Gateway.start({ dataDirectory, model: () => scripted.model }), first)
        const token = yield* Gateway.user(before, "acme/ada")
        const created = yield* before.request("/api/v1/sessions", { token, body: {} })
        const sessionId: string = created.json.id
        const replied = yield* Deferred.make<void>()
        const reading = yield* events(before, { token, sessionId }).pipe(
          Stream.tap((received) => (isLastReply(received) ? Deferred.succeed(replied, undefined) : Effect.void)),
          Stream.runCollect,
          Effect.forkScoped
        )
        yield* before.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text: "a" } })
        yield* Deferred.await(replied)
        yield* Scope.close(first, Exit.void)
        const frames = yield* Fiber.join(reading)
        const last = frames.at(-1)
        const newest = frames.findLast(({ id }) => id !== null)
        assert.deepInclude(last?.frame, { _tag: "Resume", reason: "draining", after: newest?.id ?? null })
        const after = yield* Gateway.start({ dataDirectory, model: () => scripted.model })
        yield* after.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text: "b" } })
        const rest = yield* untilReplied(after, { token, sessionId, lastEventId: newest?.id ?? "" })
        const whole = yield* untilLast(after, { token, sessionId }, rest.at(-1)?.id ?? "")
        assert.deepStrictEqual(entriesOf([...frames, ...rest]), entriesOf(whole))
      })
    )
  )
})
