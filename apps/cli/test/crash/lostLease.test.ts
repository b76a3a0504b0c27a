/** An owner is stopped for so long that another process takes its tree over, and is then resumed. */
import { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { SessionStoreSql } from "@bough/store-sqlite"
import { ChildProcess } from "@bough/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { thoroughOnly } from "../../../../test/thorough.ts"

const start = ChildProcess.startBeside(import.meta.url)
const leaseMillis = 300

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-lost-lease-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)

const until = (isTrue: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (isTrue() ? Effect.void : Effect.andThen(Effect.sleep("5 millis"), until(isTrue))))

/** Gives the process a quarter of its time, a tenth of a second after another, for as long as the scope lasts. */
const throttled = (pid: number) =>
  Effect.acquireRelease(
    Effect.forkScoped(
      Effect.forever(
        Effect.sync(() => void process.kill(pid, "SIGSTOP")).pipe(
          Effect.andThen(Effect.sleep("75 millis")),
          Effect.andThen(Effect.sync(() => void process.kill(pid, "SIGCONT"))),
          Effect.andThen(Effect.sleep("25 millis"))
        )
      )
    ),
    (fiber) =>
      Effect.andThen(
        Fiber.interrupt(fiber),
        Effect.sync(() => void process.kill(pid, "SIGCONT"))
      )
  )

describe("An owner that gets a quarter of its time", () => {
  it.live(
    "keeps its tree: another process is refused, and both of its calls continue",
    () =>
      Effect.gen(function* () {
        const longLease = 4_000
        const home = yield* directory
        const file = join(home, "lines")
        const first = yield* start("longCall", [home, String(longLease), file, ""])
        const sessionId = ((yield* first.line) ?? "").replace("owns ", "")
        const lines = (): ReadonlyArray<string> => (existsSync(file) ? readFileSync(file, "utf8").split("\n") : [])
        const ticksOf = (name: string): number => lines().filter((line) => line === `${first.pid} ${name}`).length
        yield* until(() => ticksOf("Main") > 3 && ticksOf("Branch") > 3)
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* throttled(first.pid)
            for (let lease = 0; lease < 2; lease++) {
              yield* Effect.sleep(longLease)
              const second = yield* start("longCall", [home, String(longLease), file, sessionId])
              assert.strictEqual(yield* second.line, "failed TreeBusy", second.complaints())
            }
          })
        )
        const before = [ticksOf("Main"), ticksOf("Branch")]
        yield* until(() => ticksOf("Main") > before[0] && ticksOf("Branch") > before[1])
        assert.isEmpty(lines().filter((line) => line !== "" && !line.startsWith(`${first.pid} `)))
      }),
    thoroughOnly
  )
})

describe("An owner whose tree another process took", () => {
  it.live("is interrupted in the whole tree when it continues: it writes nothing, and starts or ends no call", () =>
    Effect.gen(function* () {
      const home = yield* directory
      const file = join(home, "lines")
      const owner = (sessionId: string) => start("longCall", [home, String(leaseMillis), file, sessionId])
      const linesOf = (pid: number, name: string): number =>
        (existsSync(file) ? readFileSync(file, "utf8") : "").split(`${pid} ${name}\n`).length - 1
      const first = yield* owner("")
      const sessionId = Session.SessionId.make(((yield* first.line) ?? "").replace("owns ", ""))
      const stores = yield* Layer.build(SessionStoreSql.layer({ directory: home, leaseMillis }))
      const store = Context.get(stores, SessionStore.SessionStore)
      yield* until(() => linesOf(first.pid, "Main") > 3 && linesOf(first.pid, "Branch") > 3)
      process.kill(first.pid, "SIGSTOP")
      yield* Effect.sleep(2 * leaseMillis)
      const second = yield* owner(sessionId)
      assert.strictEqual(yield* second.line, `owns ${sessionId}`, second.complaints())
      assert.strictEqual(yield* second.line, "ended", second.complaints())
      const journals = Effect.flatMap(store.sessionsOf(sessionId), (sessions) =>
        Effect.forEach(sessions, (session) => store.entries(session.sessionId, 0, 100))
      )
      const entries = yield* journals
      assert.lengthOf(entries, 2)
      process.kill(first.pid, "SIGCONT")
      assert.strictEqual(yield* first.line, "0 ticks since", first.complaints())
      assert.strictEqual(yield* first.line, "failed LeaseLost", first.complaints())
      assert.isNull(yield* first.line)
      assert.deepStrictEqual(yield* journals, entries)
      // Calls that were running are Unknown for the successor, which does not repeat them; the calls queued behind them
      // had not started.
      assert.deepStrictEqual([linesOf(second.pid, "Main"), linesOf(second.pid, "Branch")], [0, 0])
      assert.deepStrictEqual([linesOf(first.pid, "after"), linesOf(second.pid, "after")], [0, 1])
      for (const journal of entries) {
        const ends = journal.flatMap(({ body }) => (body._tag === "CallEnded" ? [body.toolCallId] : []))
        assert.strictEqual(new Set(ends).size, ends.length)
      }
    })
  )
})
