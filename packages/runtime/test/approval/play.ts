/**
 * One path through the life of approvals, played from the beginning with real sessions over a real store: when each
 * user decides, when the deadline passes, which sessions are cancelled, when another process takes over. A killed
 * process is one that takes no more steps, and such paths are included.
 */
import { type Approval, type Entry, Inbox, type Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { BlobStore, SessionStore } from "../../src/index.ts"
import * as World from "../session/world.ts"
import { askers, elevatedTool, mainTask } from "./family.ts"
import * as Owner from "./owner.ts"
import * as Stage from "./stage.ts"

export type Wrap = (store: SessionStore.SessionStore["Service"]) => SessionStore.SessionStore["Service"]

/** The decisions of two users: one at the process, one at another. Null: that user decides nothing. */
export interface Deciders {
  readonly ada: Approval.Decision | null
  readonly grace: Approval.Decision | null
}

/**
 * How the work may end before its calls have: `asker`, `above`, `Main`: a user cancels the session that asks, its
 * parent, or the Main; `interrupt`: Ctrl-C at the process; `leave`: the process is told to end; `lost`: it is told that
 * another process owns the tree, before it tries to write.
 */
export type Ending = "asker" | "above" | "Main" | "interrupt" | "leave" | "lost"

export interface Setting extends Owner.Manner {
  readonly deciders: Deciders
  /** The store that all processes share. */
  readonly store: Wrap
  /** The store as an owner sees it. */
  readonly owner: Wrap
  /** The number of processes that may follow the first. */
  readonly restarts: number
  readonly endings: ReadonlyArray<Ending>
  /** True if the deadline may pass. */
  readonly expires: boolean
}

export const graceMillis = 400

export interface Decided {
  readonly decision: Approval.Decision["_tag"]
  readonly principal: string
  readonly atMillis: number
}

/** The observable state of one call. */
export interface CallView {
  /** Decisions on it that the store accepted, in order. */
  readonly decisions: ReadonlyArray<Decided>
  readonly expiresAtMillis: number
  /** The entries of the call, as the journal has it. */
  readonly entries: ReadonlyArray<string>
  readonly effects: number
  readonly askedAfterDecision: number
  /** True if its session or an ancestor was cancelled. */
  readonly isCancelled: boolean
  /** True for a descendant of the Main: it ends for good if a user interrupts the Main. */
  readonly isBelow: boolean
}

/** The observable state when no fiber can run. */
export interface View {
  readonly path: ReadonlyArray<string>
  readonly steps: ReadonlyArray<string>
  readonly nowMillis: number
  /** The views of the sessions that ask. */
  readonly calls: ReadonlyArray<CallView>
  /** The calls that started with the approval of another call. */
  readonly mistaken: ReadonlyArray<string>
  /** True if the owner of the lease has no more work that it can do alone. */
  readonly ownerWaits: boolean
  /** True if the owner has ended. */
  readonly ownerEnded: boolean
  /** True if a user pressed Ctrl-C or the process was asked to end, and no other process has followed. */
  readonly isStopped: boolean
  /** True if a user pressed Ctrl-C. */
  readonly isInterrupted: boolean
  /** The full state on which the next steps depend. */
  readonly key: string
}

/** The name of a step. */
export const wrapUp = "the time to wrap up passes"

interface Choice {
  readonly name: string
  readonly act: () => void
}

interface Running {
  readonly owner: Owner.Owner
  readonly fiber: Fiber.Fiber<void>
}

export const play = (setting: Setting, path: ReadonlyArray<string>): View => {
  const stage = Stage.make()
  const inner = stage.run(Effect.provide(SessionStore.SessionStore, World.stores))
  const blobs = stage.run(Effect.provide(BlobStore.BlobStore, World.stores))
  const targets = askers[setting.family]
  const several = targets.length > 1
  const running: Array<Running> = []
  /** The decisions by approval. */
  const requests = new Map<string, Approval.Request>()
  const decisions = new Map<string, Array<Decided>>(targets.map((target) => [target, []]))
  const effects = new Map<string, number>()
  const askedAfterDecision = new Map<string, number>()
  const graceIsDone = new Set<string>()
  /** The endings of `setting.endings` that have happened. */
  const done: Array<string> = []
  /** The time of a session that was told to end has passed. */
  let isWrappedUp = false
  let lease: SessionStore.Lease | null = null
  let isStopped = false

  const summaries = (): ReadonlyArray<Session.Summary> => {
    const [main] = stage.run(inner.list({ workspaceRoot: null, limit: 1 }))
    return main === undefined ? [] : stage.run(inner.sessionsOf(main.treeId))
  }
  const taskOf: Owner.TaskOf = (sessionId) =>
    summaries().find((summary) => summary.sessionId === sessionId)?.title ?? "a new session"
  const targetOf = ({ arguments: callArguments }: Approval.Request): string =>
    (JSON.parse(callArguments) as { readonly target: string }).target
  /** The newest request of each call. */
  const pendingRequests = (): ReadonlyMap<string, Approval.Request> =>
    new Map(Array.from(requests.values(), (request) => [targetOf(request), request]))
  const of = (target: string): string => (several ? `, of ${target}` : "")

  const wrapped = setting.store(inner)
  const store: typeof inner = {
    ...wrapped,
    acquire: (treeId) => Effect.tap(wrapped.acquire(treeId), (held) => Effect.sync(() => (lease = held))),
    submit: (submission) =>
      Effect.tap(wrapped.submit(submission), ({ inserted }) =>
        Effect.sync(() => {
          const { command, principal } = submission
          if (!inserted || command._tag !== "DecideApproval") return
          const request = requests.get(command.approvalId)
          if (request === undefined) throw new Error("a decision without a request")
          const decided = { decision: command.decision._tag, principal, atMillis: stage.now() }
          decisions.get(targetOf(request))?.push(decided)
        })
      )
  }

  const watching: Owner.Watching = {
    taskOf,
    asked: (_, request) => {
      const target = targetOf(request)
      requests.set(request.approvalId, request)
      if (decisions.get(target)?.length !== 0) {
        askedAfterDecision.set(target, (askedAfterDecision.get(target) ?? 0) + 1)
      }
    },
    effect: (target) => void effects.set(target, (effects.get(target) ?? 0) + 1)
  }

  const begin = () => {
    const owner = Owner.make(running.length + 1, setting)
    running.push({ owner, fiber: stage.start(Owner.work(owner, { store, blobs, wrap: setting.owner }, watching)) })
    isStopped = false
  }

  /** Ends the lease of an owner, as the operating system does for a dead process. */
  const takeLease = () => {
    if (lease !== null) stage.run(Effect.ignore(store.release(lease)))
  }

  const choices = (): ReadonlyArray<Choice> => {
    const list: Array<Choice> = []
    const requestsNow = pendingRequests()
    const allAsked = requestsNow.size === targets.length
    for (const { owner } of running) {
      for (const held of owner.held) list.push({ name: `process ${owner.number}: ${held.name}`, act: held.release })
      const { ada } = setting.deciders
      for (const { answer, request } of owner.shown.values()) {
        if (ada === null || !allAsked) continue
        const name = `ada: ${ada._tag}, asked by process ${owner.number}${of(targetOf(request))}`
        list.push({ name, act: () => answer({ decision: ada, principal: "ada" }) })
      }
    }
    if (!allAsked) return list
    const { grace } = setting.deciders
    for (const [target, request] of requestsNow) {
      if (grace === null || graceIsDone.has(target)) continue
      list.push({ name: `grace: ${grace._tag}${of(target)}`, act: () => graceDecides(target, request, grace) })
    }
    const [{ askedAtMillis, expiresAtMillis }] = requestsNow.values()
    const { graceMillis } = setting
    if (graceMillis !== null && stage.now() < askedAtMillis + graceMillis) {
      list.push({ name: "nobody answers for a while", act: () => stage.advance(graceMillis) })
    }
    if (setting.expires && stage.now() < expiresAtMillis) {
      list.push({ name: "the deadline passes", act: () => stage.advance(Owner.deadlineMillis) })
    }
    const { owner: current } = running[running.length - 1]
    if (running.length <= setting.restarts) {
      const name = `process ${running.length + 1} takes over, process ${current.number} may still run`
      const act = () => {
        takeLease()
        begin()
      }
      list.push({ name, act })
    }
    const ended = setting.endings.flatMap(endingsBy)
    // Only if no other step runs by itself.
    if (!isWrappedUp && current.held.size === 0 && !current.ended && done.some((name) => name.startsWith("grace"))) {
      const act = () => {
        isWrappedUp = true
        stage.advance(Owner.wrapUpMillis)
      }
      list.push({ name: wrapUp, act })
    }
    return [...list, ...ended]
  }

  const endingsBy = (ending: Ending): ReadonlyArray<Choice> => {
    const once = (name: string, act: () => void): ReadonlyArray<Choice> =>
      done.includes(name)
        ? []
        : [
            {
              name,
              act: () => {
                done.push(name)
                act()
              }
            }
          ]
    const { fiber, owner } = running[running.length - 1]
    switch (ending) {
      case "interrupt":
      case "leave": {
        if (owner.ended) return []
        const name = ending === "leave" ? `process ${owner.number} is told to end` : `Ctrl-C at process ${owner.number}`
        return once(name, () => {
          owner.isLeaving = ending === "leave"
          isStopped = true
          fiber.interruptUnsafe()
        })
      }
      case "lost":
        return running
          .slice(0, -1)
          .flatMap(({ owner: other }) =>
            other.ended ? [] : once(`process ${other.number} learns that it lost the tree`, () => other.lost?.())
          )
      default: {
        const [request] = pendingRequests().values()
        const { sessionPath } = request
        const sessionId =
          ending === "Main" ? sessionPath[0] : sessionPath[sessionPath.length - (ending === "above" ? 2 : 1)]
        return once(`grace cancels ${taskOf(sessionId)}`, () => {
          const command: Inbox.Command = { _tag: "CancelSession", sessionId, reason: "not needed" }
          submitByGrace(sessionPath[0], command)
        })
      }
    }
  }

  const submitByGrace = (treeId: Session.SessionId, command: Inbox.Command) => {
    // A key of the user's own choice, which the store must not treat as a decision.
    const dedupeKey = command._tag === "DecideApproval" ? `grace decides ${command.approvalId}` : "grace cancels"
    stage.run(Effect.exit(store.submit({ treeId, dedupeKey, command, principal: "grace" })))
  }

  const graceDecides = (target: string, request: Approval.Request, decision: Approval.Decision) => {
    graceIsDone.add(target)
    const { approvalId, sessionPath } = request
    submitByGrace(sessionPath[0], { _tag: "DecideApproval", approvalId, decision })
  }

  begin()
  stage.settle()
  for (const step of path) {
    const choice = choices().find(({ name }) => name === step)
    if (choice === undefined) throw new Error(`this step is not possible now: ${step}`)
    choice.act()
    stage.settle()
  }
  const sessions = summaries()
  const bodies = new Map(
    sessions.map(({ sessionId, title }) => [
      title,
      stage.run(inner.entries(sessionId, 0, 1000)).map(({ body }) => body)
    ])
  )
  const callOf = (target: string): CallView => {
    const request = pendingRequests().get(target)
    return {
      decisions: decisions.get(target) ?? [],
      expiresAtMillis: request?.expiresAtMillis ?? Infinity,
      entries: (bodies.get(target) ?? []).flatMap(nameOf),
      effects: effects.get(target) ?? 0,
      askedAfterDecision: askedAfterDecision.get(target) ?? 0,
      isBelow: target !== mainTask,
      isCancelled:
        request?.sessionPath.some((sessionId) => done.includes(`grace cancels ${taskOf(sessionId)}`)) ?? false
    }
  }
  const { owner: current } = running[running.length - 1]
  const calls = targets.map(callOf)
  const treeId = sessions[0]?.treeId
  return {
    path,
    // A name stands for its first choice.
    steps: [...new Set(choices().map(({ name }) => name))],
    calls,
    mistaken: Array.from(bodies.values(), mistakenIn).flat(),
    nowMillis: stage.now(),
    ownerWaits: current.held.size === 0,
    ownerEnded: current.ended,
    isStopped,
    isInterrupted: done.some((name) => name.startsWith("Ctrl-C")),
    key: JSON.stringify([
      calls,
      // The other entries of the journals decide what a following process does.
      several || setting.family !== "Main" ? Array.from(bodies, ([title, all]) => [title, all.map(keyOf)]) : [],
      stage.now(),
      [...graceIsDone].toSorted(),
      done.toSorted(),
      isStopped,
      isWrappedUp,
      treeId === undefined
        ? []
        : stage.run(store.inbox(treeId)).map(({ command }) => {
            if (command._tag === "DecideApproval") {
              const request = requests.get(command.approvalId)
              return [command.decision, request === undefined ? null : targetOf(request)]
            }
            return [command._tag, "sessionId" in command ? taskOf(command.sessionId) : null]
          }),
      running.map(({ owner: { ended, held, isHeld, log, shown } }) =>
        ended
          ? "ended"
          : [
              [...new Set(log)].toSorted(),
              Array.from(shown.values(), ({ request }) => targetOf(request)),
              Array.from(held, ({ name }) => name),
              isHeld
            ]
      )
    ])
  }
}

/** Ids are new in every play. */
const keyOf = (body: Entry.Body): string => body._tag

const nameOf = (body: Entry.Body): ReadonlyArray<string> => {
  switch (body._tag) {
    case "ApprovalAsked":
      return ["asked"]
    case "ApprovalDecided":
      return [`decided ${body.decision._tag} by ${body.principal}`]
    case "CallStarted":
      return body.tool === elevatedTool ? [body.approvalId === null ? "started" : "consumed"] : []
    case "CallDeferred":
      return ["put aside"]
    case "CallEnded":
      return body.tool === elevatedTool ? [`ended ${body.outcome._tag}`] : []
    default:
      return []
  }
}

/** Calls of a session that started with an approval that was requested for something else. */
const mistakenIn = (bodies: ReadonlyArray<Entry.Body>): ReadonlyArray<string> =>
  bodies.flatMap((body) => {
    if (body._tag !== "CallStarted" || body.approvalId === null) return []
    const { approvalId } = body
    const found = bodies.find((other) => other._tag === "ApprovalAsked" && other.request.approvalId === approvalId)
    if (found?._tag !== "ApprovalAsked")
      return [`${body.tool} started with an approval that its session never asked for`]
    const isSame = (["toolCallId", "tool", "version", "tier", "argumentsDigest"] as const).every(
      (name) => found.request[name] === body[name]
    )
    return isSame ? [] : [`${body.tool} started with an approval of another call`]
  })
