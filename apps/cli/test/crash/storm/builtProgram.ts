/**
 * One round of the storm with the built program: `bough run` talks to a model over HTTP, its commands append a line
 * each to a file outside of the store, and it is killed at random moments of a seed: after a request to the model, an
 * effect, or its start.
 */
import type { Approval, Entry } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { QuickCheck, SessionStoreSql } from "@bough/store-sqlite"
import * as Effect from "effect/Effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as Bough from "../../program/Bough.ts"
import { type Answer, type ModelServer, type Request, withModel } from "../../program/ModelServer.ts"
import { decideSome } from "./decider.ts"
import * as Plan from "./plan.ts"
import * as Standing from "./standing.ts"

const task = "leave your marks"
const marks = 3
const effectsOf = ({ root }: Bough.TestFolder): string => join(root, "effects")

/** The model asks for one command after another, by the content of its prompt. */
const script =
  (effects: string) =>
  ({ messages }: Request): Answer => {
    const replyCount = messages.filter(({ role }) => role === "assistant").length
    return replyCount < marks
      ? { text: "", calls: [{ name: "run_command", arguments: { command: `echo ${replyCount} >> ${effects}` } }] }
      : { text: "done" }
  }

const linesOf = (file: string): ReadonlyArray<string> =>
  existsSync(file) ? Bough.lines(readFileSync(file, "utf8")) : []

/** Kills the program at a moment of the seed, unless it ends before. Returns true if it was killed. */
const killSometime = async (
  { child, ended }: Bough.Started,
  next: Plan.Random,
  happened: { readonly requests: () => number; readonly effects: () => number }
): Promise<boolean> => {
  // The first one is killed while the model answers it, on a slow machine too.
  const isFirst = happened.requests() === 0
  const trigger = isFirst ? 1 : Plan.upTo(next, 2)
  const after = isFirst ? 0 : trigger === 0 ? 100 + next() * 900 : next() * 60
  const count = trigger === 1 ? happened.requests : happened.effects
  const before = count() + (trigger === 1 && !isFirst ? Plan.upTo(next, 1) : 0)
  const isDue = () => trigger === 0 || child.exitCode !== null || count() > before
  while (!isDue()) await sleep(2)
  await Promise.race([ended, sleep(after)])
  const killed = child.kill("SIGKILL")
  await ended
  return killed && child.signalCode === "SIGKILL"
}

export interface Round {
  /** The violated promises, a sentence each. */
  readonly faults: ReadonlyArray<string>
  readonly kills: number
  readonly decisions: number
  readonly effects: number
}

const stormyOwners = 5
const maxOwners = 20

export const play = (seed: number): Promise<Round> =>
  Bough.withTestFolder((place) => withModel(script(effectsOf(place)), (server) => playIn(place, server, seed)))

const playIn = async (place: Bough.TestFolder, server: ModelServer, seed: number): Promise<Round> => {
  const next = Plan.random(seed)
  const effects = effectsOf(place)
  const decided = new Map<string, Approval.Decision>()
  const withStore = <A, E>(body: Effect.Effect<A, E, SessionStore.SessionStore>): Promise<A> =>
    Effect.runPromise(Effect.provide(body, SessionStoreSql.layer({ directory: place.data })))
  const decide = (share: number) =>
    withStore(decideSome(next, share, ({ approvalId, decision }) => void decided.set(approvalId, decision)))
  Bough.configure(place, '{ "sandbox": "host" }')
  let kills = 0
  let left: ReadonlyArray<string> = ["nothing has begun"]
  for (let owners = 0; owners < maxOwners && left.length > 0; owners++) {
    const started = Bough.start(place, await argumentsFor(withStore), { stdin: "", env: server.env })
    if (owners < stormyOwners) {
      const happened = { requests: () => server.requests.length, effects: () => linesOf(effects).length }
      if (await killSometime(started, next, happened)) kills += 1
    }
    const { code, stderr } = await started.ended
    // Exit code 3: an approval is pending.
    if (code !== null && code !== 0 && code !== 3) return { faults: [`it ended with ${code}: ${stderr}`], ...tally() }
    await decide(owners < stormyOwners ? 0.6 : 1)
    left = await withStore(Standing.unfinished)
  }
  if (left.length > 0) return { faults: [`it has not come to its end after ${maxOwners} owners`, ...left], ...tally() }
  const faults = await withStore(faultsOf({ effects: linesOf(effects), decided }))
  const damage = await Effect.runPromise(QuickCheck.problems({ directory: place.data }))
  const [sessionId = ""] = await withStore(sessionIds)
  const verified = await Bough.bough(place, ["verify", sessionId])
  const refused = verified.code === 0 ? [] : [`bough verify: ${verified.stdout}${verified.stderr}`]
  return { faults: [...faults, ...damage, ...refused], ...tally() }

  function tally() {
    return { kills, decisions: decided.size, effects: linesOf(effects).length }
  }
}

const sessionIds = Effect.gen(function* () {
  const store = yield* SessionStore.SessionStore
  return (yield* store.list({ workspaceRoot: null, limit: 10 })).map(({ sessionId }) => sessionId as string)
})

/** Continues the stored session; if the session was killed before its message was stored, the message is sent again. */
const argumentsFor = async (
  withStore: <A, E>(body: Effect.Effect<A, E, SessionStore.SessionStore>) => Promise<A>
): Promise<ReadonlyArray<string>> => {
  const [sessionId] = await withStore(sessionIds)
  if (sessionId === undefined) return ["run", task]
  const waits = (await withStore(Standing.waiting)).some((row) => row.includes("SendMessage"))
  const isUntold = (await withStore(Standing.unfinished)).some((line) => line.includes("no message")) && !waits
  return ["run", "--session", sessionId, isUntold ? task : "--continue"]
}

interface Facts {
  readonly effects: ReadonlyArray<string>
  /** The decisions that the store acknowledged, by approval. */
  readonly decided: ReadonlyMap<string, Approval.Decision>
}

const faultsOf = ({ decided, effects }: Facts) =>
  Effect.gen(function* () {
    const faults: Array<string> = []
    const store = yield* SessionStore.SessionStore
    const [main, ...others] = yield* sessionIds
    if (others.length > 0) faults.push(`${others.length + 1} sessions are stored`)
    const { sessionId } = yield* store.session(main)
    const bodies = (yield* store.entries(sessionId, 0, 10_000)).map(({ body }) => body)
    const of = <Tag extends Entry.Body["_tag"]>(tag: Tag) =>
      bodies.filter((body): body is Entry.BodyOf<Tag> => body._tag === tag)
    const waiting = yield* store.pendingApprovals(null)
    if (waiting.length > 0) faults.push(`${waiting.length} requests still wait`)
    const used = of("CallStarted").flatMap(({ approvalId }) => approvalId ?? [])
    if (new Set(used).size !== used.length) faults.push("an approval was used twice")
    const ends = new Map(of("ApprovalDecided").map((end) => [end.approvalId as string, end]))
    const approvalRequests = of("ApprovalAsked").map(({ request }) => request)
    /** If another command has changed the workspace, an approved command needs a new approval, with a new id. */
    const wasAskedAgain = (approvalId: string): boolean => {
      const index = approvalRequests.findIndex((request) => request.approvalId === approvalId)
      return approvalRequests
        .slice(index + 1)
        .some(({ toolCallId }) => toolCallId === approvalRequests[index].toolCallId)
    }
    for (const approvalId of used) {
      const tag = ends.get(approvalId)?.decision._tag
      if (tag !== "Approved") faults.push(`${approvalId} was used, and is ${tag}`)
    }
    for (const [approvalId, { _tag }] of decided) {
      const end = ends.get(approvalId)
      const tag = end?.decision._tag
      if (tag === _tag || (tag === "Lapsed" && wasAskedAgain(approvalId))) continue
      faults.push(`${approvalId} was ${_tag}, and is ${JSON.stringify(end?.decision)}`)
    }
    const calls = of("ModelReplied").flatMap(({ completion, parts }) =>
      completion === "complete" ? parts.filter((part) => part._tag === "ToolCall") : []
    )
    for (const { arguments: callArguments, toolCallId } of calls) {
      const mark = /echo (\d+)/.exec(callArguments)?.[1] ?? "?"
      const count = effects.filter((line) => line === mark).length
      const [end, ...more] = of("CallEnded").filter((one) => one.toolCallId === toolCallId)
      if (end === undefined || more.length > 0) faults.push(`${toolCallId} has ${more.length + (end ? 1 : 0)} ends`)
      const outcome = end?.outcome._tag
      if (count > 1) faults.push(`mark ${mark} was left ${count} times`)
      if (outcome === "Succeeded" && count !== 1) faults.push(`${toolCallId} succeeded without its mark ${mark}`)
      if ((outcome === "Rejected" || outcome === "NotRun") && count > 0) {
        faults.push(`${toolCallId} is ${outcome}, and its mark ${mark} is there`)
      }
    }
    return faults
  })
