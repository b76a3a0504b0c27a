/**
 * One path through the life of an approval, played from the beginning with real sessions over a real store: who decides
 * when, when the deadline passes, when another process takes over. One that is killed is one that does nothing more after
 * that, which is among the paths as well.
 */
import { type Approval, type Entry, Inbox } from "@bough/protocol"
import { BlobStore, SessionStore } from "../../src/index.ts"
import * as Effect from "effect/Effect"
import * as World from "../session/world.ts"
import * as Owner from "./owner.ts"
import * as Stage from "./stage.ts"

export type Wrap = (store: SessionStore.SessionStore["Service"]) => SessionStore.SessionStore["Service"]

/** What two people decide: one in front of the process, one from another. */
export interface Deciders {
  readonly ada: Approval.Decision
  readonly grace: Approval.Decision
}

export interface Setting {
  readonly deciders: Deciders
  /** The store that everybody sees. */
  readonly store: Wrap
  /** What an owner makes of it. */
  readonly owner: Wrap
  /** Processes that may follow the first. */
  readonly restarts: number
  /** Whether others come between a process and what it is about to read. */
  readonly waitsToRead: boolean
  /** After which the call is put aside; null: it is not. */
  readonly graceMillis: number | null
}

export const graceMillis = 400

export interface Decided {
  readonly decision: Approval.Decision["_tag"]
  readonly atMillis: number
}

/** What can be seen when everybody waits. */
export interface View {
  readonly path: ReadonlyArray<string>
  readonly steps: ReadonlyArray<string>
  /** Decisions that the store took, in their order. */
  readonly decisions: ReadonlyArray<Decided>
  readonly expiresAtMillis: number
  readonly nowMillis: number
  /** Of the call, as the journal has it. */
  readonly entries: ReadonlyArray<string>
  readonly effects: number
  readonly askedAfterDecision: number
  /** The one that holds the lease has nothing more to do of itself. */
  readonly ownerWaits: boolean
  /** All that what comes next depends on. */
  readonly key: string
}

interface Choice {
  readonly name: string
  readonly act: () => void
}

export const play = (setting: Setting, path: ReadonlyArray<string>): View => {
  const stage = Stage.make()
  const inner = stage.run(Effect.provide(SessionStore.SessionStore, World.stores))
  const blobs = stage.run(Effect.provide(BlobStore.BlobStore, World.stores))
  const decisions: Array<Decided> = []
  const owners: Array<Owner.Owner> = []
  let lease: SessionStore.Lease | null = null
  let request: Approval.Request | null = null
  let effects = 0
  let askedAfterDecision = 0
  let graceIsDone = false

  const wrapped = setting.store(inner)
  const store: typeof inner = {
    ...wrapped,
    acquire: (treeId) => Effect.tap(wrapped.acquire(treeId), (held) => Effect.sync(() => (lease = held))),
    submit: (submission) =>
      Effect.tap(wrapped.submit(submission), ({ inserted }) =>
        Effect.sync(() => {
          if (inserted && submission.command._tag === "DecideApproval") {
            decisions.push({ decision: submission.command.decision._tag, atMillis: stage.now() })
          }
        })
      )
  }

  const watching: Owner.Watching = {
    asked: (_, asked) => {
      request = asked
      if (decisions.length > 0) askedAfterDecision += 1
    },
    effect: () => {
      effects += 1
    }
  }

  const begin = () => {
    const owner = Owner.make(owners.length + 1, setting)
    owners.push(owner)
    stage.start(Owner.work(owner, { store, blobs, wrap: setting.owner }, watching))
  }

  /** What the operating system, or another process, does for an owner that it believes dead. */
  const takeLease = () => {
    if (lease !== null) stage.run(Effect.ignore(store.release(lease)))
  }

  const choices = (): ReadonlyArray<Choice> => {
    const list: Array<Choice> = []
    for (const owner of owners) {
      for (const held of owner.held) list.push({ name: `process ${owner.number}: ${held.name}`, act: held.release })
      for (const { answer } of owner.shown.values()) {
        const act = () => answer({ decision: setting.deciders.ada, principal: "ada" })
        list.push({ name: `ada: ${setting.deciders.ada._tag}, asked by process ${owner.number}`, act })
      }
    }
    const asked = request
    if (asked !== null && !graceIsDone) {
      list.push({ name: `grace: ${setting.deciders.grace._tag}`, act: () => graceDecides(asked) })
    }
    const { graceMillis } = setting
    if (asked !== null && graceMillis !== null && stage.now() < asked.askedAtMillis + graceMillis) {
      list.push({ name: "nobody answers for a while", act: () => stage.advance(graceMillis) })
    }
    if (asked !== null && stage.now() < asked.expiresAtMillis) {
      list.push({ name: "the deadline passes", act: () => stage.advance(Owner.deadlineMillis) })
    }
    const current = owners[owners.length - 1]
    if (asked !== null && owners.length <= setting.restarts) {
      const name = `process ${owners.length + 1} takes over, process ${current.number} may still run`
      const act = () => {
        takeLease()
        begin()
      }
      list.push({ name, act })
    }
    return list
  }

  const graceDecides = ({ approvalId, sessionPath }: Approval.Request) => {
    graceIsDone = true
    const command: Inbox.Command = { _tag: "DecideApproval", approvalId, decision: setting.deciders.grace }
    // A key of her own choice, which the store must not heed.
    const submission = { treeId: sessionPath[0], dedupeKey: "grace decides", command, principal: "grace" }
    stage.run(Effect.exit(store.submit(submission)))
  }

  const entriesOf = (): ReadonlyArray<string> => {
    const [main] = stage.run(store.list({ workspaceRoot: null, limit: 1 }))
    if (main === undefined) return []
    return stage.run(store.entries(main.sessionId, 0, 1000)).flatMap(({ body }) => nameOf(body))
  }

  begin()
  stage.settle()
  for (const step of path) {
    const choice = choices().find(({ name }) => name === step)
    if (choice === undefined) throw new Error(`nobody can do this now: ${step}`)
    choice.act()
    stage.settle()
  }
  const entries = entriesOf()
  const current = owners[owners.length - 1]
  const asked = request as Approval.Request | null
  return {
    path,
    // Of several that look the same the first is meant.
    steps: [...new Set(choices().map(({ name }) => name))],
    decisions,
    expiresAtMillis: asked?.expiresAtMillis ?? Infinity,
    nowMillis: stage.now(),
    entries,
    effects,
    askedAfterDecision,
    ownerWaits: current.held.size === 0,
    key: JSON.stringify([
      decisions,
      entries,
      effects,
      askedAfterDecision,
      stage.now(),
      graceIsDone,
      asked === null ? [] : stage.run(store.inbox(asked.sessionPath[0])).map(({ command }) => command),
      owners.map(({ ended, held, log, shown }) =>
        ended ? "ended" : [[...new Set(log)], shown.size, Array.from(held, ({ name }) => name)]
      )
    ])
  }
}

const nameOf = (body: Entry.Body): ReadonlyArray<string> => {
  switch (body._tag) {
    case "ApprovalAsked":
      return ["asked"]
    case "ApprovalDecided":
      return [`decided ${body.decision._tag}`]
    case "CallStarted":
      return [body.approvalId === null ? "started" : "consumed"]
    case "CallDeferred":
      return ["put aside"]
    case "CallEnded":
      return [`ended ${body.outcome._tag}`]
    default:
      return []
  }
}
