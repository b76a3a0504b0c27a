/** Every point of one chain: the process is killed there, this one continues, and the result is read from outside. */
import type { Entry, Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { SessionStoreSql } from "@bough/store-sqlite"
import * as Effect from "effect/Effect"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Chain, type Decider, elevatedTool, lastWordsOf } from "./chain.ts"
import type { When } from "./facts.ts"
import * as Processes from "./processes.ts"

export interface Point {
  readonly write: number
  readonly when: When
  /** The entries of the write, or the inbox row. */
  readonly holds: string
}

/** The result after the continued work has ended. */
export interface Outcome {
  readonly effects: number
  readonly askedAgain: boolean
  /** How the Elevated call ended: one tag for each end that the journal has. */
  readonly ended: string
  readonly delivered: boolean
  readonly hung: boolean
}

export interface ObservedPoint extends Point, Outcome {}

export interface ChosenDepth {
  readonly depth: number
  readonly decider: Decider
}

const withChain = async <A>({ decider, depth }: ChosenDepth, use: (chain: Chain) => Promise<A>): Promise<A> => {
  const root = mkdtempSync(join(tmpdir(), "bough-tree-crash-"))
  try {
    return await use({ home: join(root, "home"), effects: join(root, "effects"), depth, decider })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** All points, each in a directory of its own, a few in parallel. */
export const look = async (program: string, chosen: ChosenDepth): Promise<ReadonlyArray<ObservedPoint>> => {
  const whole = await withChain(chosen, (chain) => Processes.run({ program, chain, at: 0, when: "before" }))
  if (whole.end !== "exited") throw new Error(`a run that nobody kills has ${whole.end}`)
  const points = whole.writes.flatMap((holds, index) =>
    (["before", "after"] as const).map((when): Point => ({ write: index + 1, when, holds }))
  )
  const looked: Array<ObservedPoint> = []
  const next = points.entries()
  const worker = async () => {
    for (const [index, point] of next) looked[index] = { ...point, ...(await killedAt(program, chosen, point)) }
  }
  await Promise.all([worker(), worker(), worker(), worker()])
  return looked
}

const killedAt = (program: string, chosen: ChosenDepth, { holds, when, write }: Point): Promise<Outcome> =>
  withChain(chosen, async (chain) => {
    const killed = await Processes.run({ program, chain, at: write, when })
    if (killed.end !== "killed" || killed.writes.length !== write || killed.writes.at(-1) !== holds) {
      throw new Error(
        `${when} write ${write} (${holds}) it has ${killed.end}, having made: ${killed.writes.join(" | ")}`
      )
    }
    const wentOn = await Processes.goOn(chain)
    const journal = await journalOf(chain)
    return {
      effects: effectsOf(chain, journal),
      askedAgain: wentOn.asked.some((approvalId) => killed.decided.has(approvalId)) || asksOf(journal) > 1,
      ended: endsOf(journal).join(", "),
      delivered: isDelivered(chain, journal),
      hung: wentOn.hung
    }
  })

/** Entries by level: the Main's, its child's, and so on. */
type Journal = ReadonlyArray<ReadonlyArray<Entry.Body>>

const journalOf = ({ home }: Chain): Promise<Journal> =>
  Effect.gen(function* () {
    const store = yield* SessionStore.SessionStore
    const levels: Array<ReadonlyArray<Entry.Body>> = []
    const [main] = yield* store.list({ workspaceRoot: null, limit: 1 })
    let sessionId: Session.SessionId | undefined = main?.sessionId
    while (sessionId !== undefined) {
      const entries: ReadonlyArray<Entry.Entry> = yield* store.entries(sessionId, 0, 1000)
      const bodies = entries.map(({ body }) => body)
      levels.push(bodies)
      sessionId = bodies.find((body) => body._tag === "ChildSpawned")?.childId
    }
    return levels
  }).pipe(Effect.provide(SessionStoreSql.layer({ directory: home })), Effect.runPromise)

/** Lines with the call's key; no other lines are allowed. */
const effectsOf = ({ effects }: Chain, journal: Journal): number => {
  const lines = existsSync(effects) ? readFileSync(effects, "utf8").split("\n").slice(0, -1) : []
  const keys = new Set(
    journal.flat().flatMap((body) => (body._tag === "CallStarted" && body.tool === elevatedTool ? [body.callKey] : []))
  )
  if (lines.some((line) => !keys.has(line))) throw new Error(`an effect without an intent: ${lines.join(" ")}`)
  return lines.length
}

const asksOf = (journal: Journal): number => journal.flat().filter(({ _tag }) => _tag === "ApprovalAsked").length

const endsOf = (journal: Journal): ReadonlyArray<string> =>
  journal
    .flat()
    .flatMap((body) =>
      body._tag === "CallEnded" && body.tool === elevatedTool ? [body.outcome._tag.toLowerCase()] : []
    )

/** Each session has one child, whose completion it receives once; and the Main has written its final message. */
const isDelivered = ({ depth }: Chain, journal: Journal): boolean =>
  journal.length === depth + 1 &&
  journal.every((bodies, level) => {
    const spawned = bodies.filter(({ _tag }) => _tag === "ChildSpawned")
    const ended = bodies.flatMap((body) => (body._tag === "ChildEnded" ? [body.result] : []))
    const words = lastWordsOf(level + 1)
    return level === depth
      ? spawned.length === 0 && ended.length === 0
      : spawned.length === 1 && ended.length === 1 && ended[0].status === "Completed" && ended[0].summary === words
  }) &&
  lastText(journal[0]) === lastWordsOf(0)

const lastText = (bodies: ReadonlyArray<Entry.Body>): string =>
  bodies
    .findLast((body) => body._tag === "ModelReplied")
    ?.parts.flatMap((part) => (part._tag === "Text" ? [part.text] : []))
    .join("") ?? ""
