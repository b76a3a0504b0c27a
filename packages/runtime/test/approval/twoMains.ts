/**
 * Two Mains of one store, each with a process of its own that asks for one Elevated call: messages, decisions and takeovers of
 * both in every order. A decision is also sent to the tree that it is not for.
 */
import type { Approval, Entry, Inbox, Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { BlobStore, SessionStore } from "../../src/index.ts"
import * as World from "../session/world.ts"
import * as Steady from "../tree/steady.ts"
import * as Explore from "./Explore.ts"
import { launches } from "./family.ts"
import * as Owner from "./owner.ts"
import type { Wrap } from "./play.ts"
import * as Stage from "./stage.ts"

/** The tasks of the Mains; also the targets of their calls. */
const names = ["left", "right"] as const
type Name = (typeof names)[number]

const otherOf = (name: Name): Name => (name === "left" ? "right" : "left")

/** The events that may happen to each Main, once. */
export type Event = "send" | "approve" | "deny" | "approve astray" | "take over"

export interface Setting {
  readonly events: Readonly<Record<Name, ReadonlyArray<Event>>>
  /** The store that both share. */
  readonly store: Wrap
}

/** The observable state of one Main. */
interface MainView {
  readonly name: Name
  /** The texts of users in its journal. */
  readonly messages: ReadonlyArray<string>
  /** The rows of its inbox that are not applied. */
  readonly waiting: ReadonlyArray<string>
  /** The calls and decisions of the session with their targets, in order. */
  readonly entries: ReadonlyArray<string>
  readonly effects: number
  readonly happened: ReadonlyArray<string>
  readonly ended: boolean
}

export interface View {
  readonly path: ReadonlyArray<string>
  readonly steps: ReadonlyArray<string>
  readonly mains: ReadonlyArray<MainView>
  readonly key: string
}

interface Main {
  readonly name: Name
  sessionId: Session.SessionId | null
  request: Approval.Request | null
  lease: SessionStore.Lease | null
  effects: number
  readonly happened: Array<Event>
  readonly owners: Array<Owner.Owner>
}

interface Choice {
  readonly name: string
  readonly act: () => void
}

/** Plays one path from the beginning. */
const play = (setting: Setting, path: ReadonlyArray<string>): View => {
  const stage = Stage.make()
  const inner = stage.run(Effect.provide(SessionStore.SessionStore, World.stores))
  const blobs = stage.run(Effect.provide(BlobStore.BlobStore, World.stores))
  const shared = setting.store(inner)
  const mains: ReadonlyArray<Main> = names.map((name) => ({
    name,
    sessionId: null,
    request: null,
    lease: null,
    effects: 0,
    happened: [],
    owners: []
  }))
  const of = (name: Name): Main => mains[names.indexOf(name)]

  const begin = (main: Main): void => {
    const owner = Owner.make(main.owners.length + 1, { family: "Main", waitsToRead: false, graceMillis: null })
    main.owners.push(owner)
    const store: typeof inner = {
      ...shared,
      acquire: (treeId) =>
        Effect.tap(shared.acquire(treeId), (lease) =>
          Effect.sync(() => {
            main.sessionId = treeId
            main.lease = lease
          })
        )
    }
    const model = Steady.make({ [main.name]: launches(main.name) })
    stage.start(
      Owner.work(
        owner,
        { store, blobs, wrap: (one) => one, main: { sessionId: main.sessionId, task: main.name, model } },
        {
          taskOf: () => main.name,
          asked: (_, request) => (main.request = request),
          effect: (target) => void (of(target as Name).effects += 1)
        }
      )
    )
  }

  const decide = (main: Main, treeOf: Main, decision: Approval.Decision): void => {
    if (main.request === null || treeOf.sessionId === null) return
    const { approvalId } = main.request
    stage.run(
      Effect.exit(
        shared.submit({
          treeId: treeOf.sessionId,
          dedupeKey: "a key that both use",
          command: { _tag: "DecideApproval", approvalId, decision },
          principal: "grace"
        })
      )
    )
  }

  const acts: Readonly<Record<Event, (main: Main) => void>> = {
    send: ({ name, sessionId }) => {
      if (sessionId === null) return
      stage.run(
        Effect.exit(
          shared.submit({
            treeId: sessionId,
            dedupeKey: "a message that both get",
            command: { _tag: "SteerSession", sessionId, text: `news for ${name}` },
            principal: "grace"
          })
        )
      )
    },
    approve: (main) => decide(main, main, { _tag: "Approved", rule: null }),
    deny: (main) => decide(main, main, { _tag: "Denied", words: null }),
    "approve astray": (main) => decide(main, of(otherOf(main.name)), { _tag: "Approved", rule: null }),
    "take over": (main) => {
      if (main.lease !== null) stage.run(Effect.ignore(inner.release(main.lease)))
      begin(main)
    }
  }

  const choices = (): ReadonlyArray<Choice> => {
    if (mains.some(({ request }) => request === null)) return []
    return mains.flatMap((main) => {
      const held = main.owners.flatMap(({ held, number }) =>
        Array.from(held, ({ name, release }) => ({ name: `${main.name} ${number}: ${name}`, act: release }))
      )
      const events = setting.events[main.name].filter((event) => !main.happened.includes(event))
      return [
        ...held,
        ...events.map((event) => ({
          name: `${event}: ${main.name}`,
          act: () => {
            main.happened.push(event)
            acts[event](main)
          }
        }))
      ]
    })
  }

  for (const main of mains) {
    begin(main)
    stage.settle()
  }
  for (const step of path) {
    const choice = choices().find(({ name }) => name === step)
    if (choice === undefined) throw new Error(`this step is not possible now: ${step}`)
    choice.act()
    stage.settle()
  }
  const views = mains.map((main): MainView => {
    const bodies = main.sessionId === null ? [] : stage.run(inner.entries(main.sessionId, 0, 1000))
    const entries = bodies.map(({ body }) => body)
    return {
      name: main.name,
      messages: entries.flatMap((body) => (body._tag === "UserMessage" ? [body.text] : [])),
      waiting:
        main.sessionId === null
          ? []
          : stage.run(inner.inbox(main.sessionId)).map(({ command }) => nameOfCommand(command, mains)),
      entries: entries.flatMap((body) => nameOf(body, mains)),
      effects: main.effects,
      happened: main.happened.toSorted(),
      ended: main.owners.at(-1)?.ended ?? false
    }
  })
  return {
    path,
    steps: [...new Set(choices().map(({ name }) => name))],
    mains: views,
    key: JSON.stringify([
      views,
      mains.map(({ owners }) =>
        owners.map(({ ended, held, isHeld, log }) => [
          ended,
          isHeld,
          Array.from(held, ({ name }) => name),
          [...new Set(log)].toSorted()
        ])
      )
    ])
  }
}

/** The Main that asked for an approval. */
const ownerOf = (approvalId: string, mains: ReadonlyArray<Main>): string =>
  mains.find(({ request }) => request?.approvalId === approvalId)?.name ?? "neither"

const nameOfCommand = (command: Inbox.Command, mains: ReadonlyArray<Main>): string => {
  if (command._tag === "DecideApproval") return `${command.decision._tag} for ${ownerOf(command.approvalId, mains)}`
  return "text" in command ? command.text : command._tag
}

const nameOf = (body: Entry.Body, mains: ReadonlyArray<Main>): ReadonlyArray<string> => {
  switch (body._tag) {
    case "ApprovalAsked":
      return [`asked by ${ownerOf(body.request.approvalId, mains)}`]
    case "ApprovalDecided":
      return [`decided ${body.decision._tag} for ${ownerOf(body.approvalId, mains)}`]
    case "CallStarted":
      return [`started by ${body.approvalId === null ? "no approval" : ownerOf(body.approvalId, mains)}`]
    case "CallEnded":
      return [`ended ${body.outcome._tag}`]
    default:
      return []
  }
}

/** The first violation; null: none. */
const broken = ({ mains, steps }: View): string | null => {
  for (const main of mains) {
    const { effects, ended, entries, happened, messages, name, waiting } = main
    const foreign = [...messages, ...entries].find((text) => text.includes(otherOf(name)))
    if (foreign !== undefined) return `the journal of ${name} has "${foreign}"`
    const strange = waiting.find((text) => text.includes(otherOf(name)))
    if (strange !== undefined) return `the inbox of ${name} has "${strange}"`
    if (happened.includes("send") && ![...messages, ...waiting].includes(`news for ${name}`)) {
      return `${name} has lost its message`
    }
    if (new Set(messages).size < messages.length) return `${name} got a message twice`
    if (entries.filter((entry) => entry.startsWith("decided")).length > 1) return `${name} was decided twice`
    if (entries.filter((entry) => entry.startsWith("ended")).length > 1) return `the call of ${name} ended twice`
    if (effects > 1) return `the effect of ${name} has happened ${effects} times`
    if (effects > 0 && !entries.includes(`started by ${name}`)) return `the effect of ${name} has no approval`
    if (effects > 0 && !happened.includes("approve")) return `the effect of ${name} happened without its decision`
    const isDecided = happened.some((event) => event === "approve" || event === "deny")
    if (steps.length === 0 && isDecided && !ended) return `${name} is decided, and nothing goes on`
    if (steps.length === 0 && isDecided && !entries.some((entry) => entry.startsWith("ended"))) {
      return `${name} is decided, and its call has not ended`
    }
  }
  return null
}

export const explore = (setting: Setting): Explore.Explored<View, string> =>
  Explore.explore<View, string>({
    initial: play(setting, []),
    steps: ({ steps }) => steps,
    next: ({ path }, step) => play(setting, [...path, step]),
    keyOf: ({ key }) => key,
    broken
  })
