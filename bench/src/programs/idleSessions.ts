/**
 * Opens sessions over the store of a directory ("" for stores in memory), runs one turn of one tool call in each, and
 * prints the memory of each: the growth of the heap and of the process, after a garbage collection, divided by their
 * number. node --expose-gc idleSessions.ts DIRECTORY SESSIONS /
 */
import { DataPack } from "@bough/pack-data"
import { FilesPack } from "@bough/pack-files"
import { SessionStore } from "@bough/runtime"
import { ToolPack } from "@bough/tool"
import * as Effect from "effect/Effect"
import { memoryUsage, pid, stdout } from "node:process"
import { check } from "../Check.ts"
import * as Memory from "../Memory.ts"
import * as BenchAgent from "../session/BenchAgent.ts"
import * as CountingModel from "../session/CountingModel.ts"
import * as ManySessions from "../session/ManySessions.ts"
import * as NoOpTool from "../session/NoOpTool.ts"
import * as Stores from "../session/Stores.ts"

export interface Idle {
  readonly heapBytes: number
  readonly pssBytes: number
}

/** Opened before the first reading: they allocate the data that all later sessions share. */
const before = 50
/** SessionOpened, the message, two steps and their replies, one call's end. */
const entriesEach = 7

const [directory, sessionsText] = process.argv.slice(2)
const sessions = Number(sessionsText)

const measureMemory = Effect.promise(async (): Promise<Idle> => {
  check(globalThis.gc !== undefined, "run with --expose-gc")
  for (let times = 0; times < 5; times++) {
    globalThis.gc()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const memory = Memory.read(pid)
  return { heapBytes: memoryUsage().heapUsed, pssBytes: (memory?.pssMegabytes ?? NaN) * 1e6 }
})

const program = Effect.gen(function* () {
  const noOp = NoOpTool.make("Safe")
  const pack = ToolPack.merge(ToolPack.make(noOp.tool), FilesPack.all, DataPack.all)
  const agent = BenchAgent.make("Main", pack, ["do_nothing", "read_file", "edit_file"])
  const model = CountingModel.make({ steps: 1, branches: 0 })
  const openOne = Effect.gen(function* () {
    const session = yield* ManySessions.open({ agent, model })
    yield* ManySessions.turn(session, CountingModel.work)
    return session
  })
  const many = (count: number) => Effect.forEach(Array.from({ length: count }), () => openOne, { concurrency: 100 })
  const first = yield* many(before)
  const memoryBefore = yield* measureMemory
  const opened = yield* many(sessions)
  const memoryAfter = yield* measureMemory
  const store = yield* SessionStore.SessionStore
  for (const session of [...first, ...opened]) {
    const stored = yield* store.session(session.sessionId)
    check(stored.entries === entriesEach, `${stored.entries} entries, not ${entriesEach}`)
    check(!(yield* session.hasOpenTurn), "a session is not idle")
  }
  yield* Effect.forEach(opened.slice(0, before), (session) => ManySessions.turn(session, CountingModel.work))
  check(noOp.calls() === sessions + 2 * before, `the tool ran ${noOp.calls()} times`)
  const each: Idle = {
    heapBytes: (memoryAfter.heapBytes - memoryBefore.heapBytes) / sessions,
    pssBytes: (memoryAfter.pssBytes - memoryBefore.pssBytes) / sessions
  }
  stdout.write(JSON.stringify(each))
})

await program.pipe(
  Effect.scoped,
  Effect.provide(directory === "" ? Stores.memory : Stores.durable(directory)),
  Effect.orDie,
  Effect.runPromise
)
