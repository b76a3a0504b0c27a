/**
 * Starts the processes that are killed, continues after them in this one, and decides from outside as another process
 * would.
 */
import { Inbox } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { SessionStoreSql } from "@bough/store-sqlite"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import * as Program from "../../../../../test/bundle.ts"
import { approved, type Chain, workOn } from "./chain.ts"
import type { Fact, When } from "./facts.ts"

/** The program that is started, bundled into one file in `folder`. */
export const bundle = (folder: string): Promise<string> =>
  Program.bundle(new URL("process.ts", import.meta.url), folder)

export interface Order {
  readonly program: string
  readonly chain: Chain
  readonly at: number
  readonly when: When
}

export interface VictimReport {
  /** The content of each write, in order; the last may not be durable. */
  readonly writes: ReadonlyArray<string>
  readonly asked: ReadonlyArray<string>
  /** Durable before it ended, by any process. */
  readonly decided: ReadonlySet<string>
  readonly end: "exited" | "killed" | "hung"
}

/**
 * Longer than any process takes on a busy machine: a process that still runs then waits for something that never comes.
 */
const timeoutMillis = 300_000

export const run = async ({ program, ...order }: Order): Promise<VictimReport> => {
  const { chain } = order
  const child = spawn(process.execPath, [program, JSON.stringify({ ...chain, ...order })], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: `${program}.cache` }
  })
  let hung = false
  const killTimer = setTimeout(() => (hung = child.kill("SIGKILL")), timeoutMillis)
  const ended = new Promise<string | null>((resolve) => {
    child.on("close", (_, signal) => resolve(signal))
  })
  const writes: Array<string> = []
  const requested: Array<string> = []
  const decided = new Set<string>()
  const decide = async () => {
    if (chain.decider === "inbox") for (const approvalId of await decideAll(chain)) decided.add(approvalId)
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const fact = JSON.parse(line) as Fact
    if (fact._tag === "Writes") writes.push(fact.name)
    if (fact._tag === "Decided") decided.add(fact.approvalId)
    if (fact._tag !== "Asked") continue
    requested.push(fact.approvalId)
    await decide()
  }
  const signal = await ended
  clearTimeout(killTimer)
  // The pending approval is decided while no process runs.
  await decide()
  return { writes, asked: requested, decided, end: hung ? "hung" : signal === "SIGKILL" ? "killed" : "exited" }
}

export interface WentOn {
  readonly asked: ReadonlyArray<string>
  readonly hung: boolean
}

/** Continues the work of another process, to its end. */
export const goOn = async (chain: Chain): Promise<WentOn> => {
  const requested: Array<string> = []
  const deciding: Array<Promise<unknown>> = []
  const work = workOn(chain, ({ approvalId }) => {
    requested.push(approvalId)
    if (chain.decider === "inbox") deciding.push(decideAll(chain))
  })
  const ended = await Effect.runPromise(
    Effect.timeoutOption(Effect.provide(work, SessionStoreSql.layer({ directory: chain.home })), timeoutMillis)
  )
  await Promise.all(deciding)
  return { asked: requested, hung: Option.isNone(ended) }
}

/** Approves every pending approval, and returns the decisions. */
const decideAll = (chain: Chain): Promise<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const store = yield* SessionStore.SessionStore
    const [main] = yield* store.list({ workspaceRoot: null, limit: 1 })
    if (main === undefined) return []
    const pending = yield* store.pendingApprovals(main.treeId)
    const stored = yield* Effect.forEach(pending, (request) =>
      store.submit(Inbox.toDecisionRow(request, { ...approved, principal: "grace" }))
    )
    return pending.filter((_, index) => stored[index].inserted).map(({ approvalId }) => approvalId)
  }).pipe(Effect.provide(SessionStoreSql.layer({ directory: chain.home })), Effect.runPromise)
