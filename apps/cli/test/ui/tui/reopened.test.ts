/** A conversation that is opened again has the rows that were shown live. */
import { Plan } from "@bough/pack-data"
import { type Approval, type Event, ToolError } from "@bough/protocol"
import { BlobStoreMemory, Channel, EntryPages, Model, Session, SessionStore, SessionStoreMemory } from "@bough/runtime"
import { Reply, SampleAgent, ScriptedModel } from "@bough/runtime/testing"
import { Capability, Tool, ToolContext, ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { dark } from "../../../../../packages/tui/test/anyText.ts"
import type { Block } from "../../../src/ui/tui/Block.ts"
import * as BlockRows from "../../../src/ui/tui/BlockRows.ts"
import * as Replay from "../../../src/ui/tui/Replay.ts"
import * as Transcript from "../../../src/ui/tui/Transcript.ts"
import * as TurnEnd from "../../../src/ui/tui/TurnEnd.ts"

const roles = new Map([["update_plan", "Plan" as const]])

/** The directory of its tools. */
const Door = Capability.make("acme/Door", { floor: "Workspace", reach: "Confined" })<{ readonly open: string }>()

const facts = { version: 1, output: Schema.Struct({ value: Schema.String }) } as const
const result = (value: string) => Tool.result({ output: { value }, display: `Did ${value}` })

const pack = ToolPack.make(
  Tool.make("look", {
    ...facts,
    description: "Look",
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [],
    parameters: Schema.Struct({ key: Schema.String }),
    execute: ({ key }) => Effect.succeed(result(`${key}\n`.repeat(40)))
  }),
  Tool.make("write", {
    ...facts,
    description: "Write",
    tier: "Workspace",
    replay: "Unsafe",
    capabilities: [Door],
    parameters: Schema.Struct({ line: Schema.String }),
    execute: ({ line }) => Effect.succeed(result(line))
  }),
  Tool.make("launch", {
    ...facts,
    description: "Grave",
    tier: "Elevated",
    replay: "Unsafe",
    capabilities: [Door],
    parameters: Schema.Struct({ target: Schema.String }),
    execute: ({ target }) => Effect.succeed(result(target))
  }),
  Tool.make("fail", {
    ...facts,
    description: "Fails",
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [],
    parameters: Schema.Struct({}),
    execute: () => Effect.fail(new ToolError.ExecutionError({ message: "it does that" }))
  }),
  Tool.make("update_plan", {
    ...facts,
    description: "Keep a plan",
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [],
    parameters: Plan.Plan,
    execute: () => Effect.succeed(result("plan"))
  })
)

/** The calls of a step of the conversation. */
const Move = Schema.Union([
  Schema.Struct({ name: Schema.Literals(["look"]), arguments: Schema.Struct({ key: Schema.String }) }),
  Schema.Struct({ name: Schema.Literals(["write"]), arguments: Schema.Struct({ line: Schema.String }) }),
  Schema.Struct({ name: Schema.Literals(["launch"]), arguments: Schema.Struct({ target: Schema.String }) }),
  Schema.Struct({ name: Schema.Literals(["fail"]), arguments: Schema.Struct({}) }),
  Schema.Struct({ name: Schema.Literals(["nothing_has_this_name"]), arguments: Schema.Struct({}) }),
  Schema.Struct({
    name: Schema.Literals(["update_plan"]),
    arguments: Schema.Struct({
      items: Schema.Array(Schema.Struct({ text: Schema.Literals(["a", "b"]), status: Schema.Literals(["done"]) }))
    })
  })
])

/** Per turn: the calls of each step, and the final text. */
const AnyTurn = Schema.Struct({
  steps: Schema.Array(Schema.Array(Move).check(Schema.isMinLength(1), Schema.isMaxLength(3))).check(
    Schema.isMaxLength(3)
  ),
  answer: Schema.Literals([
    "Done.",
    "# Title\n\n- one\n- two\n\n| a | b |\n| - | - |\n| 1 | 2 |\n",
    "Two\n\nparagraphs"
  ])
})

const stores = Layer.mergeAll(SessionStoreMemory.layer, BlobStoreMemory.layer)

/** Plays the turns; returns the blocks that the screen prints, and those that a reader makes from the journal. */
const play = Effect.fnUntraced(function* (turns: ReadonlyArray<typeof AnyTurn.Type>, isAllowed: boolean) {
  const scripted = yield* ScriptedModel.make(
    turns.flatMap(({ answer, steps }) => [
      ...steps.map((calls) => Reply.before("I go on.", Reply.toolCalls(calls.map((call) => ({ ...call }))))),
      Reply.text(answer)
    ])
  )
  const context = ToolContext.provideAll(ToolContext.empty("Main"), [
    Capability.provide(Door, { service: { open: "yes" }, reach: "Confined" })
  ])
  const blocks: Array<Block> = []
  const agent = SampleAgent.make({ kind: "Main", pack }, { context })
  let view: Transcript.Transcript | null = null
  const take = (change: Transcript.Change): void => {
    blocks.push(...change.blocks)
    ;({ view } = change)
  }
  const show = (event: Event.Event): void => {
    if (view !== null) take(Transcript.take(view, event, 1000))
  }
  const decide = (request: Approval.Request): Effect.Effect<Channel.ChannelAnswer> =>
    Effect.sync(() => {
      const decision: Approval.Decision = isAllowed ? { _tag: "Approved", rule: null } : { _tag: "Denied", words: "no" }
      blocks.push({ _tag: "Approval", asked: { request, askedBy: [] }, decision, by: null })
      return { decision, principal: "ada" }
    })
  const session = yield* Session.open({ agent, sessionId: null }).pipe(
    Effect.provideService(Model.Model, scripted.model),
    Effect.provideService(Channel.Channel, {
      name: "terminal",
      ask: decide,
      publish: (event) => Effect.sync(() => show(event))
    })
  )
  const unnamed = Transcript.make(session.sessionId, false, roles)
  const empty = { ...unnamed, reader: { ...unnamed.reader, user: "ada" } }
  view = empty
  for (const [index] of turns.entries()) {
    blocks.push({ _tag: "Said", text: `turn ${index}`, note: "" })
    view = Transcript.startTurn(view, 0)
    const { reason, status } = yield* session.run({ text: `turn ${index}`, media: [] })
    take(Transcript.finishTurn(view))
    if (status !== "completed") blocks.push({ _tag: "Note", text: reason, tone: "plain" })
    blocks.push(TurnEnd.block(view))
  }
  const store = yield* SessionStore.SessionStore
  const entries = yield* EntryPages.collect(store, session.sessionId)
  return { live: { blocks, view }, reopened: Replay.replay(empty, entries) }
})

const rowsOf = (blocks: ReadonlyArray<Block>): ReadonlyArray<string> => {
  const rows: Array<string> = []
  let before: Block | null = null
  for (const block of blocks) {
    rows.push(...BlockRows.rows(block, before, { columns: 80, theme: dark }))
    before = block
  }
  return rows
}

describe("a conversation that is opened again", () => {
  it.effect.prop(
    "has the rows that were shown live, with the tier of each call and whether an approval was requested",
    [Schema.Array(AnyTurn).check(Schema.isMinLength(1), Schema.isMaxLength(3)), Schema.Boolean],
    ([turns, isAllowed]) =>
      Effect.gen(function* () {
        const { live, reopened } = yield* play(turns, isAllowed)
        // Only the newest of a long one are shown.
        const newest = live.blocks.slice(-Replay.maxShownBlocks)
        const same = reopened.blocks.slice(-newest.length)
        assert.deepStrictEqual(same, newest)
        assert.deepStrictEqual(rowsOf(same), rowsOf(newest))
        assert.deepStrictEqual(reopened.view.plan, live.view.plan)
        assert.deepStrictEqual(reopened.view.calls, live.view.calls)
      }).pipe(Effect.scoped, Effect.provide(stores)),
    { arbitrary: { runs: 40 } }
  )

  it.effect("names the tier of a call that was approved, and of one that needed no intent", () =>
    Effect.gen(function* () {
      const calls = [
        { name: "launch", arguments: { target: "moon" } },
        { name: "look", arguments: { key: "a" } }
      ] as const
      const { reopened } = yield* play([{ steps: [calls], answer: "Done." }], true)
      assert.deepStrictEqual(
        reopened.blocks.flatMap((block) =>
          block._tag === "Call" ? [[block.tool, block.tier, block.wasAsked, block.arguments]] : []
        ),
        [
          ["look", "ReadOnly", false, `{"key":"a"}`],
          ["launch", "Elevated", true, `{"target":"moon"}`]
        ]
      )
    }).pipe(Effect.scoped, Effect.provide(stores))
  )
})
