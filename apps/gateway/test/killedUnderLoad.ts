/**
 * Sends messages to several sessions of a gateway, decides their approvals, kills it in between, starts it again, and
 * checks its store against its acknowledgements and against the entries of readers that resume at their last event.
 */
import { ChildProcess } from "@bough/testing"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { join } from "node:path"
import { entriesOf, events, untilLast } from "./Events.ts"
import * as Gateway from "./Gateway.ts"
import * as KillLedger from "./KillLedger.ts"

const start = ChildProcess.startBeside(import.meta.url)
const all = { concurrency: "unbounded", discard: true } as const

/** The idempotency key of a message, without spaces. */
const keyOf = (text: string): string => text.replaceAll(" ", "-")

interface Answer {
  readonly status: number
  readonly json: {
    readonly id: string
    readonly workspaceId: string
    readonly items: ReadonlyArray<{ readonly request: { readonly approvalId: string } }>
  }
}

/** The parts of a gateway process that requests need. */
const running = Effect.fnUntraced(function* (directory: string) {
  const child = yield* start("serve", [directory])
  const line = yield* child.line
  assert.isNotNull(line, child.complaints())
  const [url = "", token = ""] = (line ?? "").split(" ")
  const gateway = { url } as Gateway.Gateway
  const request = (path: string, body?: unknown, key?: string) =>
    Effect.tryPromise((signal): Promise<Answer> =>
      fetch(`${url}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          ...(key === undefined ? {} : { "idempotency-key": key })
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal
      }).then(async (response) => ({ status: response.status, json: (await response.json()) as Answer["json"] }))
    ).pipe(
      // A connection that the server closes while it is idle is not a loss: each of these requests can be repeated.
      Effect.retry({ times: 2 }),
      // @effect-diagnostics-next-line globalErrorInEffectFailure:off
      Effect.mapError(({ cause }) => new Error(`${path} failed: ${child.complaints()}`, { cause }))
    )
  const send = ({ acknowledged, sessionId }: KillLedger.SessionLedger, text: string) =>
    request(`/api/v1/sessions/${sessionId}/messages`, { text }, keyOf(text)).pipe(
      Effect.tap(({ status }) => Effect.sync(() => assert.strictEqual(status, 202, text))),
      Effect.tap(() => Effect.sync(() => acknowledged.push(text)))
    )
  /** Decides the session's approvals: every second request is denied. */
  const decide = Effect.fnUntraced(function* ({ decided, sessionId }: KillLedger.SessionLedger) {
    const { json } = yield* request(`/api/v1/approvals?sessionId=${sessionId}`)
    for (const { request: asked } of json.items) {
      const { approvalId } = asked
      const decision = decided.get(approvalId) ?? (decided.size % 2 === 0 ? "approve" : "deny")
      const { status } = yield* request(`/api/v1/approvals/${approvalId}/decision`, { decision })
      if (status === 200) decided.set(approvalId, decision)
    }
    return json.items.length
  })
  /** Resumes after the last event that it has. */
  const frames = ({ frames: read, sessionId }: KillLedger.SessionLedger) => {
    const lastEventId = read.at(-1)?.id ?? null
    return events(gateway, { token, sessionId, ...(lastEventId === null ? {} : { lastEventId }) }).pipe(
      Stream.filter(({ id }) => id !== null),
      Stream.tap((received) => Effect.sync(() => read.push(received)))
    )
  }
  return { child, gateway, token, request, send, decide, frames }
})

export interface Survived {
  readonly acknowledged: number
  readonly decisions: number
  readonly entries: number
}

const round = Effect.fnUntraced(function* (
  directory: string,
  ledgers: ReadonlyArray<KillLedger.SessionLedger>,
  number: number
) {
  const { child, decide, frames, request, send } = yield* running(directory)
  const one = Effect.fnUntraced(function* (ledger: KillLedger.SessionLedger) {
    // The kill may have lost the answer to this request: it is the same session.
    const { json } = yield* request("/api/v1/sessions", {}, ledger.key)
    ledger.sessionId = json.id
    ledger.workspaceId = json.workspaceId
    yield* frames(ledger).pipe(Stream.runDrain, Effect.ignore, Effect.forkScoped)
    const name = `${ledger.key}.${number}`
    yield* Effect.forkScoped(Effect.ignore(Effect.forever(decide(ledger))))
    for (const text of [`one ${name}`, `write ${name}-a`, `two ${name}`, `write ${name}-b`]) yield* send(ledger, text)
    // More messages than are awaited: the kill comes while the others are in flight.
    const late = [`three ${name}`, `write ${name}-c`].map((text) => Effect.ignore(send(ledger, text)))
    yield* Effect.forkScoped(Effect.all(late, all))
  })
  yield* Effect.forEach(ledgers, one, all)
  yield* child.kill
}, Effect.scoped)

/** Fails if an acknowledged message or decision, an entry or a frame was lost or duplicated. */
export const killedUnderLoad = Effect.fnUntraced(function* (rounds: number, sessions = 3) {
  const directory = yield* Gateway.folder
  const ledgers = Array.from({ length: sessions }, (_, index) => KillLedger.make(`s${index}`))
  for (let number = 0; number < rounds; number++) yield* round(directory, ledgers, number)
  const { decide, frames, gateway, send, request, token } = yield* running(directory)
  const settle = Effect.fnUntraced(function* (ledger: KillLedger.SessionLedger) {
    const { acknowledged, decided, key, sessionId } = ledger
    const last = `the end of ${key}`
    const isSettled = () => KillLedger.userTexts(ledger).includes(last) && KillLedger.isDone(ledger)
    // A reader that fell behind is cut off and told to resume.
    const reading = yield* Effect.forkScoped(
      Effect.suspend(() => Stream.runDrain(Stream.takeUntil(frames(ledger), isSettled))).pipe(
        Effect.repeat({ until: isSettled })
      )
    )
    // Every request is repeated with its key; stored ones are not executed twice.
    for (const text of acknowledged) yield* request(`/api/v1/sessions/${sessionId}/messages`, { text }, keyOf(text))
    for (const [approvalId, decision] of decided) {
      const again = yield* request(`/api/v1/approvals/${approvalId}/decision`, { decision })
      assert.strictEqual(again.status, 200, `the decision of ${approvalId} was lost`)
    }
    const deciding = yield* Effect.forkScoped(Effect.forever(Effect.andThen(decide(ledger), Effect.sleep(20))))
    yield* send(ledger, last)
    yield* Fiber.join(reading)
    yield* Fiber.interrupt(deciding)
    const whole = yield* untilLast(gateway, { token, sessionId }, ledger.frames.at(-1)?.id ?? "")
    KillLedger.check(ledger, whole, join(directory, "tenants", "acme", "workspaces"))
  })
  yield* Effect.forEach(ledgers, settle, all)
  const sum = (count: (ledger: KillLedger.SessionLedger) => number) =>
    ledgers.reduce((total, ledger) => total + count(ledger), 0)
  return {
    acknowledged: sum(({ acknowledged }) => acknowledged.length),
    decisions: sum(({ decided }) => decided.size),
    entries: sum(({ frames }) => entriesOf(frames).length)
  } satisfies Survived
})
