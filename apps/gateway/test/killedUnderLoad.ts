/** Sends messages to a gateway, kills it in the middle, starts it again, and holds what it stored to what it acknowledged. */
import { ChildProcess } from "@bough/testing"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { entriesOf, events, isLastReply, type Received, untilLast } from "./Events.ts"
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

export interface Survived {
  readonly acknowledged: number
  readonly entries: number
}

/** Fails where an acknowledged message, an entry or a frame was lost or doubled. */
export const killedUnderLoad = Effect.fnUntraced(function* (rounds: number) {
  const directory = yield* Gateway.folder
  const acknowledged: Array<string> = []
  const frames: Array<Received> = []
  let sessionId = ""
  let last: string | null = null
  for (let round = 0; round < rounds; round++) {
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
  return { acknowledged: acknowledged.length, entries: frames.length } satisfies Survived
})
