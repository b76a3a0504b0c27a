/**
 * Runs one turn of many tool calls in each of many sessions at once, over the store of a directory ("" for stores in
 * memory), and prints the time of a step and the peak memory of the process. With branches, a single Main starts that
 * many Branches, which do the work, and awaits them. node manySessions.ts DIRECTORY Safe|Unsafe SESSIONS STEPS BRANCHES
 * /
 */
import { SessionPack } from "@bough/pack-session"
import { SessionStore } from "@bough/runtime"
import { ToolPack } from "@bough/tool"
import * as Effect from "effect/Effect"
import { cpuUsage, resourceUsage, stdout } from "node:process"
import { check } from "../Check.ts"
import * as BenchAgent from "../session/BenchAgent.ts"
import * as CountingModel from "../session/CountingModel.ts"
import * as ManySessions from "../session/ManySessions.ts"
import * as NoOpTool from "../session/NoOpTool.ts"
import * as Stores from "../session/Stores.ts"

export interface Many {
  readonly stepsPerSecond: number
  readonly cpuMicrosPerStep: number
  /** Every page in full. */
  readonly peakBytes: number
}

const [directory, replayText, ...numbers] = process.argv.slice(2)
const [sessions, steps, branches] = numbers.map(Number)
const replay = replayText === "Unsafe" ? "Unsafe" : "Safe"

/**
 * A round before the clock starts, as long as the timed one, so that the code is compiled, as in a long-running
 * process. After only a tenth of these steps, a step still takes 1.5 times as long.
 */
const warmUp = { sessions: Math.max(100, sessions), steps: 20 }

const program = Effect.gen(function* () {
  const noOp = NoOpTool.make(replay)
  const pack = ToolPack.make(noOp.tool)
  const agent = BenchAgent.make("Main", branches === 0 ? pack : ToolPack.merge(pack, SessionPack.all))
  const childAgent = () => Effect.succeed(BenchAgent.make("Branch", pack))
  const open = (count: number, length: number) =>
    Effect.forEach(Array.from({ length: count }), () =>
      ManySessions.open({
        agent,
        model: CountingModel.make({ steps: length, branches }),
        ...(branches === 0 ? {} : { childAgent })
      })
    )
  const text = branches === 0 ? CountingModel.work : CountingModel.divide
  const runAll = (all: Effect.Success<ReturnType<typeof open>>) =>
    Effect.forEach(all, (session) => ManySessions.turn(session, text), { concurrency: "unbounded", discard: true })

  yield* Effect.scoped(Effect.flatMap(open(branches === 0 ? warmUp.sessions : sessions, warmUp.steps), runAll))
  const before = noOp.calls()
  const opened = yield* open(sessions, steps)
  const cpu = cpuUsage()
  const startedAtMillis = performance.now()
  yield* runAll(opened)
  const elapsedMillis = performance.now() - startedAtMillis
  const { system, user } = cpuUsage(cpu)

  const made = sessions * steps * Math.max(1, branches)
  check(noOp.calls() - before === made, `the tool ran ${noOp.calls() - before} times, not ${made}`)
  const store = yield* SessionStore.SessionStore
  for (const { sessionId } of opened) {
    const { entries } = yield* store.session(sessionId)
    const minEntries = branches === 0 ? steps * entriesPerStep[replay] : branches * 2
    check(entries > minEntries, `${entries} entries, not over ${minEntries}`)
  }
  const many: Many = {
    stepsPerSecond: made / (elapsedMillis / 1000),
    cpuMicrosPerStep: (system + user) / made,
    peakBytes: resourceUsage().maxRSS * 1024
  }
  stdout.write(JSON.stringify(many))
})

/** Entries of one step: start, reply, end, and for an Unsafe call its intent. */
const entriesPerStep = { Safe: 3, Unsafe: 4 } as const

await program.pipe(
  Effect.scoped,
  Effect.provide(directory === "" ? Stores.memory : Stores.durable(directory)),
  Effect.orDie,
  Effect.runPromise
)
