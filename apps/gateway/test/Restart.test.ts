/** What is acknowledged survives the process, and a reader that comes back has each entry once. */
import { ChildProcess } from "@bough/testing"
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import type { Entry } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { events, isLastReply, type Received, untilReplied } from "./Events.ts"
import * as Gateway from "./Gateway.ts"

const start = ChildProcess.startBeside(import.meta.url)

/** A gateway in a process of its own, as far as requests need it. */
const running = Effect.fnUntraced(function* (directory: string) {
  const child = yield* start("serve", [directory])
  const line = yield* child.line
  assert.isNotNull(line, child.complaints())
  const [url = "", token = ""] = (line ?? "").split(" ")
  const gateway = { url } as Gateway.Gateway
  const post = (path: string, body: unknown, key: string) =>
    Effect.tryPromise(() =>
      fetch(`${url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": key },
        body: JSON.stringify(body)
      }).then(async (response) => ({
        status: response.status,
        json: (await response.json()) as { readonly id: string }
      }))
    )
  return { child, gateway, token, post }
})

const entriesOf = (frames: ReadonlyArray<Received>): ReadonlyArray<Entry.Entry> =>
  frames.flatMap(({ frame }) => (frame._tag === "Entry" ? [frame.entry] : []))

describe("a restart", () => {
  it.live(
    "by SIGKILL under load loses and doubles no message, no entry and no frame",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const directory = yield* Gateway.folder
          const acknowledged: Array<string> = []
          const frames: Array<Received> = []
          let sessionId = ""
          let last: string | null = null
          for (let round = 0; round < 2; round++) {
            yield* Effect.scoped(
              Effect.gen(function* () {
                const { child, gateway, post, token } = yield* running(directory)
                // The answer to this may have been lost by the kill: it is the same session.
                const created = yield* post("/api/v1/sessions", {}, "session")
                sessionId = created.json.id
                const reading = yield* events(gateway, {
                  token,
                  sessionId,
                  ...(last === null ? {} : { lastEventId: last })
                }).pipe(
                  Stream.runForEach((received) =>
                    Effect.sync(() => {
                      if (received.frame._tag !== "Entry") return
                      frames.push(received)
                      last = received.id
                    })
                  ),
                  Effect.ignore,
                  Effect.forkScoped
                )
                // Two more than are awaited: the kill comes while they are under way.
                const texts = Array.from({ length: 6 }, (_, index) => `message-${round}.${index}`)
                const send = (text: string) =>
                  post(`/api/v1/sessions/${sessionId}/messages`, { text }, text).pipe(
                    Effect.tap(({ status }) => Effect.sync(() => status === 202 && acknowledged.push(text))),
                    Effect.ignore
                  )
                yield* Effect.forEach(texts.slice(0, 4), send)
                yield* Effect.forkScoped(Effect.forEach(texts.slice(4), send, { concurrency: 2 }))
                yield* child.kill
                yield* Fiber.interrupt(reading)
              })
            )
          }
          const { gateway, post, token } = yield* running(directory)
          // Everything is sent again with its key; what was there is not taken twice.
          for (const text of acknowledged) yield* post(`/api/v1/sessions/${sessionId}/messages`, { text }, text)
          yield* post(`/api/v1/sessions/${sessionId}/messages`, { text: "the end" }, "end")
          yield* events(gateway, { token, sessionId, ...(last === null ? {} : { lastEventId: last }) }).pipe(
            Stream.tap((received) => Effect.sync(() => received.frame._tag === "Entry" && frames.push(received))),
            Stream.takeUntil(
              (received) =>
                isLastReply(received) &&
                entriesOf(frames).some(({ body }) => body._tag === "UserMessage" && body.text === "the end")
            ),
            Stream.runDrain
          )
          const whole = yield* untilLast(gateway, { token, sessionId }, frames.at(-1)?.id ?? "")
          assert.deepStrictEqual(
            frames.map(({ id }) => id),
            whole.map(({ id }) => id)
          )
          assert.deepStrictEqual(entriesOf(frames), entriesOf(whole))
          const said = entriesOf(frames).flatMap(({ body }) => (body._tag === "UserMessage" ? [body.text] : []))
          assert.strictEqual(new Set(said).size, said.length)
          assert.includeMembers(said, acknowledged)
          assert.isAtLeast(acknowledged.length, 8)
        })
      ),
    90_000
  )

  it.live("in good order tells streams where they resume, and they do", () =>
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

/** The frames of entries from the first to that id. */
const untilLast = (gateway: Gateway.Gateway, of: { token: string; sessionId: string }, id: string) =>
  events(gateway, of).pipe(
    Stream.filter(({ frame }) => frame._tag === "Entry"),
    Stream.takeUntil((received) => received.id === id),
    Stream.runCollect
  )
