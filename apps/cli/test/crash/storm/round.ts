/** One round of the storm: owners of a tree are killed or terminated and replaced, while other processes decide. */
import type { Approval, Entry, Session } from "@bough/protocol"
import { CallCheck, CallRecord } from "@bough/receipts"
import { SessionStore, TreeEntries } from "@bough/runtime"
import { QuickCheck, SessionStoreSql } from "@bough/store-sqlite"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Acknowledged, type Deciding, decideSome } from "./decider.ts"
import * as Plan from "./plan.ts"
import * as Standing from "./standing.ts"
import type { Order } from "./work.ts"

interface Facts {
  readonly effects: ReadonlyArray<string>
  /** The lines by session, with the Main first. */
  readonly journals: ReadonlyMap<string, ReadonlyArray<Entry.Body>>
  /** The decisions that the store acknowledged, by approval. */
  readonly decided: ReadonlyMap<string, Approval.Decision>
  readonly pending: number
  /** The user pressed Ctrl-C. */
  readonly interrupted: boolean
  /** The violated promises of the store itself. */
  readonly damage: Faults
}

/** The violated promises, a sentence each. */
export type Faults = ReadonlyArray<string>

export interface Tally {
  readonly kills: number
  readonly deciderKills: number
  readonly decisions: number
  readonly effects: number
}

const withStore = <A, E>(home: string, body: Effect.Effect<A, E, SessionStore.SessionStore>): Promise<A> =>
  Effect.runPromise(Effect.provide(body, SessionStoreSql.layer({ directory: home })))

/** Runs a process that decides, and kills it meanwhile. */
const decideAndDie = async (
  program: string,
  order: Deciding,
  millis: number,
  decided: Map<string, Approval.Decision>
) => {
  const child = spawn(process.execPath, [program, JSON.stringify(order), "decide"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: `${program}.cache` }
  })
  let output = ""
  const ended = new Promise<void>((resolve) => void child.on("close", () => resolve()))
  const begun = new Promise<void>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text
      resolve()
    })
  })
  await Promise.race([begun, ended])
  await sleep(millis)
  child.kill("SIGKILL")
  await ended
  // An incomplete line acknowledged nothing.
  for (const line of output.split("\n").slice(1, -1)) {
    const { approvalId, decision } = JSON.parse(line) as Acknowledged
    decided.set(approvalId, decision)
  }
}

const signals = ["SIGKILL", "SIGKILL", "SIGKILL", "SIGTERM", "SIGTERM", "SIGINT"] as const

const timeoutMillis = 300_000
const maxOwners = 60

export interface Programs {
  readonly owner: string
  readonly decider: string
  /** One in this number of owners has a decider that is killed while it decides. */
  readonly deciderShare: number
}

export const play = async (
  { decider, deciderShare, owner: program }: Programs,
  seed: number
): Promise<{ readonly faults: Faults; readonly tally: Tally }> => {
  const next = Plan.random(seed + 1)
  const home = mkdtempSync(join(tmpdir(), "bough-storm-"))
  const effects = join(home, "effects")
  const decided = new Map<string, Approval.Decision>()
  const note = ({ approvalId, decision }: Acknowledged): void => void decided.set(approvalId, decision)
  const decide = (share: number) => withStore(home, decideSome(next, share, note))
  let faults: Faults = []
  let [kills, deciderKills, interrupted] = [0, 0, false]
  let lastEnd = ""
  try {
    for (let owners = 0; ; owners++) {
      if (owners === maxOwners) {
        const left = [...(await withStore(home, Standing.unfinished)), ...(await withStore(home, Standing.waiting))]
        faults = [`the tree has not ended after ${maxOwners} owners, the last of which ended with ${lastEnd}`, ...left]
        return { faults, tally: tallyOf() }
      }
      const isCalm = owners > 4
      const attended = next() < 0.3 && !isCalm
      const order: Order = { home, effects, seed, attended }
      const child = spawn(process.execPath, [program, JSON.stringify(order)], {
        stdio: ["ignore", "ignore", "inherit"],
        env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: `${program}.cache` }
      })
      const ended = new Promise<void>((resolve) => void child.on("close", () => resolve()))
      const hung = setTimeout(() => child.kill("SIGKILL"), timeoutMillis)
      if (isCalm) {
        await decide(1)
      } else {
        // In parallel to the run, which ends by itself if no decider is running.
        await sleep(120 + next() * 250)
        if (next() < deciderShare) {
          await decideAndDie(decider, { home, seed: seed + owners, share: 0.8 }, next() * 60, decided)
          deciderKills += 1
        } else await decide(0.6)
        await sleep(next() * 60)
        const signal = signals[Plan.upTo(next, signals.length - 1)]
        interrupted ||= signal === "SIGINT"
        if (child.exitCode === null && child.kill(signal)) kills += 1
        if (signal !== "SIGKILL") setTimeout(() => child.kill("SIGKILL"), 5_000).unref()
      }
      await ended
      lastEnd = `${child.exitCode ?? child.signalCode}`
      clearTimeout(hung)
      if (isCalm && (await withStore(home, Standing.unfinished)).length === 0) break
    }
    faults = faultsOf(await factsOf())
    return { faults, tally: tallyOf() }
  } finally {
    // The files of a failed round are kept: the same seed may not reproduce it.
    if (faults.length === 0) rmSync(home, { recursive: true, force: true })
    else process.stderr.write(`seed ${seed}: its store is ${home}\n`)
  }

  function tallyOf(): Tally {
    return { kills, deciderKills, decisions: decided.size, effects: linesOf(effects).length }
  }

  function factsOf(): Promise<Facts> {
    return withStore(
      home,
      Effect.gen(function* () {
        const store = yield* SessionStore.SessionStore
        const [main] = yield* store.list({ workspaceRoot: null, limit: 1 })
        const journals = new Map<string, Array<Entry.Body>>()
        yield* TreeEntries.forEach(store, main.sessionId, ({ body, sessionId }) =>
          Effect.sync(() => void journals.set(sessionId, [...(journals.get(sessionId) ?? []), body]))
        )
        const pending = (yield* store.pendingApprovals(null)).length
        const sessions = yield* store.sessionsOf(main.sessionId)
        const wrong = yield* Effect.forEach(sessions, ({ sessionId }) => receiptsOf(store, sessionId))
        const damage = [...(yield* QuickCheck.problems({ directory: home })), ...wrong.flat()]
        return { effects: linesOf(effects), journals, decided, pending, interrupted, damage }
      })
    )
  }
}

/** The faults that `bough verify` finds in a session. */
const receiptsOf = (store: SessionStore.SessionStore["Service"], sessionId: Session.SessionId) =>
  Effect.map(store.entries(sessionId, 0, 10_000), (entries): Faults => {
    const calls = CallRecord.empty()
    return entries.flatMap((entry) => {
      const call = CallRecord.append(calls, entry)
      const wrong = call?.receipt == null ? null : CallCheck.check(call)
      return wrong === null ? [] : [`${sessionId}: entry ${entry.seq}: ${JSON.stringify(wrong)}`]
    })
  })

const linesOf = (file: string): ReadonlyArray<string> =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .filter((line) => line !== "")
    : []

const faultsOf = (facts: Facts): Faults => {
  const faults: Array<string> = [...facts.damage]
  const counts = new Map<string, number>()
  for (const key of facts.effects) counts.set(key, (counts.get(key) ?? 0) + 1)
  for (const [key, count] of counts) if (count > 1) faults.push(`the effect ${key} happened ${count} times`)
  if (facts.pending > 0) faults.push(`${facts.pending} requests still wait`)
  const recorded = new Map<string, Entry.BodyOf<"ApprovalDecided">>()
  for (const [sessionId, bodies] of facts.journals) {
    faults.push(...faultsOfSession(bodies, counts, facts).map((fault) => `${sessionId}: ${fault}`))
    for (const body of bodies) if (body._tag === "ApprovalDecided") recorded.set(body.approvalId, body)
  }
  for (const [approvalId, given] of facts.decided) {
    const { decision } = recorded.get(approvalId) ?? { decision: null }
    if (decision === null) faults.push(`the decision on ${approvalId} was lost`)
    else if (decision._tag === "Lapsed" ? !decision.reason.includes("by grace") : decision._tag !== given._tag) {
      faults.push(`${approvalId} was ${given._tag}, and is recorded as ${JSON.stringify(decision)}`)
    }
  }
  return faults
}

const faultsOfSession = (
  bodies: ReadonlyArray<Entry.Body>,
  counts: ReadonlyMap<string, number>,
  facts: Facts
): Faults => {
  const faults: Array<string> = []
  const of = <Tag extends Entry.Body["_tag"]>(tag: Tag) =>
    bodies.filter((body): body is Entry.BodyOf<Tag> => body._tag === tag)
  const [asked, decided, started, ended] = [
    of("ApprovalAsked"),
    of("ApprovalDecided"),
    of("CallStarted"),
    of("CallEnded")
  ]
  for (const { request } of asked) {
    const ends = decided.filter(({ approvalId }) => approvalId === request.approvalId)
    if (ends.length !== 1) faults.push(`${request.approvalId} has ${ends.length} ends`)
    const [{ decision }] = ends
    if (decision._tag === "Withdrawn" && !facts.interrupted)
      faults.push(`withdrawn without a Ctrl-C: ${decision.reason}`)
  }
  const consumed = started.flatMap(({ approvalId }) => approvalId ?? [])
  if (new Set(consumed).size !== consumed.length) faults.push("an approval was used twice")
  for (const { approvalId, decision } of decided) {
    if ((decision._tag === "Approved") !== consumed.includes(approvalId))
      faults.push(`${approvalId} ${decision._tag}: used wrongly`)
  }
  const calls = of("ModelReplied").flatMap(({ completion, parts }) =>
    completion === "complete" ? parts.flatMap((part) => (part._tag === "ToolCall" ? [part.toolCallId] : [])) : []
  )
  for (const toolCallId of calls) {
    const ends = ended.filter((end) => end.toolCallId === toolCallId)
    if (ends.length !== 1) faults.push(`${toolCallId} has ${ends.length} ends`)
    const key = started.find((intent) => intent.toolCallId === toolCallId)?.callKey
    const effects = key === undefined ? 0 : (counts.get(key) ?? 0)
    const [{ outcome, tool }] = ends
    if (tool !== "launch") continue
    if (outcome._tag === "Succeeded" && effects !== 1) faults.push(`${toolCallId} succeeded without its effect`)
    if ((outcome._tag === "Rejected" || outcome._tag === "NotRun" || outcome._tag === "Failed") && effects > 0) {
      faults.push(`${toolCallId} is ${outcome._tag}, and its effect happened`)
    }
    const denial = decided.find((one) => one.toolCallId === toolCallId && one.decision._tag === "Denied")
    if (denial !== undefined && !JSON.stringify(outcome).includes(`no ${denial.approvalId}`)) {
      faults.push(`${toolCallId} was denied, and its end has other words: ${JSON.stringify(outcome)}`)
    }
  }
  for (const { childId } of of("ChildSpawned")) {
    const ends = of("ChildEnded").filter((end) => end.childId === childId).length
    const own = (facts.journals.get(childId) ?? []).filter(({ _tag }) => _tag === "SessionEnded").length
    if (ends !== 1 || own !== 1) faults.push(`the child ${childId} has ${ends} and ${own} ends`)
  }
  return faults
}
