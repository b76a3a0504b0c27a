/**
 * Tests with random fates of the sessions of a tree (they finish, fail, hang, are slow, wait for a user, are cancelled,
 * lose their process): the tree ends, every child has one end, no slot and no part of the budget is lost, and an
 * approved call runs once.
 */
import type { Approval, Entry, Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { isThorough, thorough } from "../../../../test/thorough.ts"
import { type Channel, Model, SessionStore } from "../../src/index.ts"
import * as Crash from "../session/crash.ts"
import * as World from "../session/world.ts"
import * as Grove from "./grove.ts"
import * as Ledger from "./ledger.ts"

/** The behaviour of one session, and of its children. */
interface Plan {
  readonly kind: "branch" | "worker"
  /**
   * `hang`: its model never replies; `dwell`: a tool never ends; `ask`, `askLong`: makes an Elevated call, and the user
   * answers at once, or after it was deferred.
   */
  readonly manner: "finish" | "fail" | "hang" | "slow" | "dwell" | "write" | "ask" | "askLong"
  readonly waits: "not" | "any" | "all"
  readonly isCancelled: boolean
  /** The cost of each of its replies without a length limit, in cents. */
  readonly cents: number
  readonly children: ReadonlyArray<Plan>
}

const facts = {
  kind: Schema.Literals(["branch", "worker"]),
  manner: Schema.Literals(["finish", "fail", "hang", "slow", "dwell", "write", "ask", "askLong"]),
  waits: Schema.Literals(["not", "any", "all"]),
  isCancelled: Schema.Literals([false, false, false, true]),
  cents: Schema.Literals([1, 1, 4])
}
const below = Schema.Struct({ ...facts, children: Schema.Tuple([]) })
const middle = Schema.Struct({ ...facts, children: Schema.Array(below).check(Schema.isMaxLength(3)) })
const top = Schema.Struct({
  children: Schema.Array(middle).check(Schema.isMaxLength(3)),
  waits: facts.waits,
  crashAt: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 })),
  /** The budget of the whole tree. */
  most: Schema.Struct({
    inputTokens: Schema.NullOr(Schema.Literals([9001, 123_456, 1_000_000, 5_000_000])),
    outputTokens: Schema.NullOr(Schema.Literals([777, 10_001, 100_000, 100_000])),
    costUsd: Schema.NullOr(Schema.Literals([0.3, 5, 50, 50])),
    activeMillis: Schema.NullOr(Schema.Literals([12_345, 70_001, 600_000, 3_600_000])),
    steps: Schema.NullOr(Schema.Literals([3, 40, 400, 400])),
    spawns: Schema.Literals([1, 3, 12, 12])
  })
})

/** A cent is a hundred tokens. */
const prices = { inputPerMillionUsd: 10, outputPerMillionUsd: 100 }

/** Every session of a plan by its task name. A Worker starts no sessions. */
const named = (plan: Plan, name: string): ReadonlyArray<readonly [string, Plan]> => [
  [name, plan],
  ...(plan.kind === "worker" ? [] : plan.children.flatMap((child, index) => named(child, `${name}.${index}`)))
]

/** Answers by the content of its prompt, so that it continues after a crash. */
const modelOf = (plans: ReadonlyMap<string, Plan>): Model.Model["Service"] => ({
  name: "test/planned",
  contextTokens: null,
  priced: true,
  ...prices,
  stream: (prompt) => {
    const { maxOutputTokens = Infinity, messages } = prompt
    const inputTokens = counted(prompt)
    const name = messages
      .flatMap((message) => (message._tag === "User" && plans.has(message.text) ? [message.text] : []))
      .at(-1)
    const plan = plans.get(name ?? "") ?? assert.fail(`nobody is named ${name}`)
    const replyCount = messages.filter((message) => message._tag === "Assistant").length
    const children = plan.kind === "worker" ? [] : plan.children
    if (plan.cents * 100 > maxOutputTokens) return cutAt(inputTokens, maxOutputTokens)
    if (replyCount === 0 && children.length > 0) return starting(inputTokens, plan, name ?? "")
    if (replyCount > 1 || plan.manner === "finish") return saying(inputTokens, plan)
    switch (plan.manner) {
      case "fail":
        return Stream.fail(refused)
      case "hang":
        return Stream.never
      case "slow":
        return Stream.concat(Stream.fromEffectDrain(Effect.sleep("20 seconds")), saying(inputTokens, plan))
      case "dwell":
      case "write":
      case "ask":
      case "askLong":
        return replyCount > (children.length > 0 ? 1 : 0)
          ? saying(inputTokens, plan)
          : calling(inputTokens, plan, [callOf(plan, name ?? "")])
    }
  }
})

/** Like a provider with short tokens: two bytes each, and three around a message. */
const counted = ({ messages, system, tools }: Model.Prompt): number => {
  const texts = messages.map((message) => {
    if (message._tag === "User") return message.text
    if (message._tag === "ToolResult") return message.output
    return message.parts.map((part) => (part._tag === "ToolCall" ? part.name + part.arguments : part.text)).join("")
  })
  return Math.ceil(Buffer.byteLength(system + JSON.stringify(tools) + texts.join("")) / 2) + 3 * texts.length
}

const callOf = ({ kind, manner }: Plan, name: string) => {
  if (manner === "dwell") return { name: "dwell", arguments: { key: name } }
  if (kind === "worker") return { name: "look", arguments: { key: name } }
  return manner === "write"
    ? { name: "append", arguments: { line: name } }
    : { name: "launch", arguments: { target: name } }
}

/** Approves, sooner or later. */
const answering =
  (plans: ReadonlyMap<string, Plan>) =>
  (request: Approval.Request): Effect.Effect<Channel.ChannelAnswer> =>
    [...plans].some(
      ([name, { manner }]) => manner === "askLong" && request.arguments === JSON.stringify({ target: name })
    )
      ? Effect.delay(World.approve(), "5 minutes")
      : World.approve()

const refused = new Model.ModelError({
  reason: "Refused",
  model: "test/planned",
  message: "no",
  hint: "this failure is part of the plan",
  retryable: false,
  retryAfterMillis: null
})

const end = (reason: "stop" | "toolCalls" | "length", inputTokens: number, outputTokens: number): Model.ModelPart => ({
  _tag: "End",
  reason,
  inputTokens,
  cachedInputTokens: 0,
  outputTokens,
  costUsd: (inputTokens * prices.inputPerMillionUsd + outputTokens * prices.outputPerMillionUsd) / 1_000_000
})

/** A reply that breaks off in the middle of a call. */
const cutAt = (inputTokens: number, outputTokens: number) =>
  Stream.fromIterable<Model.ModelPart>([
    { _tag: "ToolCallStart", callId: "c0", name: "append" },
    { _tag: "ToolCallArguments", callId: "c0", text: '{"line":"hal' },
    end("length", inputTokens, outputTokens)
  ])

const saying = (inputTokens: number, { cents }: Plan) =>
  Stream.fromIterable<Model.ModelPart>([{ _tag: "Text", text: "so it is" }, end("stop", inputTokens, cents * 100)])

const calling = (
  inputTokens: number,
  { cents }: Plan,
  calls: ReadonlyArray<{ readonly name: string; readonly arguments: object }>
) =>
  Stream.fromIterable<Model.ModelPart>([
    ...calls.flatMap(({ arguments: callArguments, name }, index): ReadonlyArray<Model.ModelPart> => [
      { _tag: "ToolCallStart", callId: `c${index}`, name },
      { _tag: "ToolCallArguments", callId: `c${index}`, text: JSON.stringify(callArguments) }
    ]),
    end("toolCalls", inputTokens, cents * 100)
  ])

const starting = (inputTokens: number, plan: Plan, name: string) =>
  calling(inputTokens, plan, [
    ...plan.children.map(({ kind }, index) => ({ name: `spawn_${kind}`, arguments: { task: `${name}.${index}` } })),
    ...(plan.waits === "not" ? [] : [{ name: "wait_for_sessions", arguments: { until: plan.waits } }])
  ])

interface Place {
  readonly store: SessionStore.SessionStore["Service"]
  readonly world: World.World
  readonly sessionId: Session.SessionId | null
  readonly most: Most
}

/** Runs until the tree has ended; time passes, and the cancellations of the plan happen. */
const attempt = Effect.fnUntraced(function* (
  plans: ReadonlyMap<string, Plan>,
  { most, sessionId, store, world }: Place
) {
  const work = Effect.scoped(
    Effect.gen(function* () {
      const { session } = yield* Grove.openWith({
        world,
        model: modelOf(plans),
        ask: answering(plans),
        limits: limitsOf(most),
        ...(sessionId === null ? {} : { sessionId })
      })
      const resumed = yield* session.resume
      const hasUserMessage = (yield* Grove.bodies(session.sessionId, "UserMessage")).length > 0
      if (resumed === null && !hasUserMessage) yield* session.run(World.say("n"))
    })
  ).pipe(Effect.provideService(SessionStore.SessionStore, store))
  const fiber = yield* Effect.forkChild(Effect.exit(work))
  for (let seconds = 0; fiber.pollUnsafe() === undefined && seconds < maxLength; seconds += stride) {
    yield* callOff(plans)
    yield* TestClock.adjust(`${stride} seconds`)
  }
  assert.isDefined(fiber.pollUnsafe(), "it came to its end")
  return yield* Fiber.join(fiber)
})

const limitsOf = ({ costUsd, spawns, ...treeBudget }: Most) => ({
  maxSpawns: spawns,
  maxCostUsd: costUsd,
  treeBudget
})

const stride = 60
const maxLength = 6 * 60 * 60

/** Writes to the inbox, as any process may. */
const callOff = Effect.fnUntraced(function* (plans: ReadonlyMap<string, Plan>) {
  const store = yield* SessionStore.SessionStore
  const [main] = yield* store.list({ workspaceRoot: null, limit: 1 })
  if (main === undefined) return
  for (const [childId, { title }] of spawnedIn(yield* Grove.tree(store, main.sessionId))) {
    if (plans.get(title)?.isCancelled !== true) continue
    yield* store.submit({
      treeId: main.treeId,
      dedupeKey: `cancel ${childId}`,
      command: { _tag: "CancelSession", sessionId: childId, reason: "called off" },
      principal: "ada"
    })
  }
})

const spawnedIn = (tree: Ledger.Entries): ReadonlyArray<readonly [Session.SessionId, Entry.BodyOf<"ChildSpawned">]> =>
  [...tree.values()].flat().flatMap(({ body }) => (body._tag === "ChildSpawned" ? [[body.childId, body] as const] : []))

const checkEnds = (tree: Ledger.Entries) => {
  for (const [childId, { title }] of spawnedIn(tree)) {
    const all = [...tree.values()].flat()
    const ends = all.flatMap(({ body }) =>
      body._tag === "ChildEnded" && body.childId === childId ? [body.result] : []
    )
    assert.strictEqual(ends.length, 1, `${title} has one end`)
    const own = tree.get(childId) ?? []
    assert.deepStrictEqual(
      own.flatMap(({ body }) => (body._tag === "SessionEnded" ? [body.result] : [])),
      ends,
      `${title} and its parent agree`
    )
    assert.strictEqual(own.at(-1)?.body._tag, "SessionEnded", `nothing follows the end of ${title}`)
    const open = new Set<string>()
    for (const { body } of own) {
      if (body._tag === "ModelReplied" && body.completion === "complete") {
        for (const part of body.parts) if (part._tag === "ToolCall") open.add(part.toolCallId)
      }
      if (body._tag === "CallEnded") open.delete(body.toolCallId)
    }
    assert.strictEqual(open.size, 0, `no call of ${title} is open`)
  }
}

/** The task of a session names its requests and the ends of its children. */
const checkPlaces = (tree: Ledger.Entries) => {
  const spawned = new Map(spawnedIn(tree))
  for (const [sessionId, entries] of tree) {
    const name = spawned.get(sessionId)?.title ?? "n"
    for (const { body } of entries) {
      if (body._tag === "ModelReplied") {
        for (const part of body.parts) {
          if (part._tag !== "ToolCall" || part.name === "wait_for_sessions" || body.completion !== "complete") continue
          const own = part.name.startsWith("spawn_") ? `"${name}.` : `"${name}"`
          // A call that was cut off in the middle names no session.
          if (part.arguments.endsWith("}")) assert.include(part.arguments, own, `a call in ${name}`)
        }
      }
      if (body._tag === "ChildEnded") {
        const child =
          spawned.get(body.childId)?.title ?? assert.fail(`${name} is told of a session that nobody started`)
        assert.strictEqual(child.slice(0, child.lastIndexOf(".")), name, `${name} is told of ${child}`)
      }
    }
  }
}

const quick: ReadonlySet<Plan["manner"]> = new Set(["finish", "fail", "write", "ask"])

/** A session with nothing to wait for ends before a hanging one beside it. */
const checkNoneWaits = (tree: Ledger.Entries, plans: ReadonlyMap<string, Plan>) => {
  const spawned = new Map(spawnedIn(tree))
  for (const entries of tree.values()) {
    let hung: string | null = null
    for (const { body } of entries) {
      if (body._tag !== "ChildEnded") continue
      const title = spawned.get(body.childId)?.title ?? ""
      const plan = plans.get(title)
      if (plan === undefined || plan.isCancelled) continue
      const isLeaf = plan.kind === "worker" || plan.children.length === 0
      if (plan.manner === "hang" && body.result.status === "Expired") hung = title
      if (isLeaf && quick.has(plan.manner)) assert.isNull(hung, `${title} has ended after ${hung}`)
    }
  }
}

type Most = (typeof top)["Type"]["most"]

const lives = (plan: (typeof top)["Type"]): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const main: Plan = { kind: "branch", manner: "finish", isCancelled: false, cents: 1, ...plan }
    const plans = new Map(named(main, "n"))
    const inner = yield* SessionStore.SessionStore
    const world = World.makeWorld()
    const crashing = Crash.make(inner, plan.crashAt, "after")
    const { most } = plan
    yield* attempt(plans, { store: crashing.store, world, sessionId: null, most })
    if (crashing.isDead()) {
      yield* crashing.bury
      const [known] = yield* inner.list({ workspaceRoot: null, limit: 1 })
      yield* attempt(plans, { store: inner, world, sessionId: known?.sessionId ?? null, most })
    }
    const [stored] = yield* inner.list({ workspaceRoot: null, limit: 1 })
    const tree = yield* Grove.tree(inner, stored.sessionId)
    checkEnds(tree)
    Ledger.check(tree, most)
    checkPlaces(tree)
    if (!crashing.isDead()) checkNoneWaits(tree, plans)
    assert.strictEqual(new Set(world.log).size, world.log.length, "no effect has happened twice")
    assert.deepStrictEqual(yield* inner.pendingApprovals(null), [], "nobody is asked any more")
    assert.deepStrictEqual(yield* inner.inbox(stored.treeId), [], "nothing is left in the inbox")
  }).pipe(Effect.provide(World.stores))

describe("any tree", () => {
  it.effect.prop("ends, with nothing lost", [top], ([plan]) => lives(plan), {
    ...thorough,
    arbitrary: { runs: isThorough ? 300 : 30 }
  })
})
