/** Results of a labelled capability label the session's entries from then on. */
import { type Entry, Note } from "@bough/protocol"
import {
  Capability,
  Invocation,
  type MemoryRead,
  type NetworkRead,
  Tool,
  ToolContext,
  ToolPack,
  type WorkspaceRead
} from "@bough/tool"
import * as SampleCapability from "@bough/tool/testing/SampleCapability"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as SampleAgent from "../../src/testing/SampleAgent.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

const facts = {
  version: 1,
  description: "Look outside",
  tier: "ReadOnly",
  replay: "Safe",
  parameters: Schema.Struct({}),
  output: Schema.Struct({ text: Schema.String })
} as const

const seen = Effect.succeed(Tool.result({ output: { text: "seen" }, display: "Seen" }))

const page = Tool.make("look_at_page", { ...facts, capabilities: [Capability.NetworkRead], execute: () => seen })
const file = Tool.make("look_at_file", { ...facts, capabilities: [Capability.WorkspaceRead], execute: () => seen })

/** Reports whether its results are untrusted, as a memory does. */
const note = Tool.make("look_at_note", {
  ...facts,
  parameters: Schema.Struct({ noteId: Schema.String }),
  capabilities: [Capability.MemoryRead],
  execute: Effect.fnUntraced(function* ({ noteId }) {
    const memory = yield* Capability.MemoryRead
    yield* memory.get(Note.NoteId.make(noteId))
    return yield* seen
  })
})
const tellsLabels = Tool.make("tell_labels", {
  ...facts,
  capabilities: [],
  execute: Effect.fnUntraced(function* () {
    const { labels } = yield* Invocation.Invocation
    return Tool.result({ output: { text: `labels: ${labels.join("+")}` }, display: "Told" })
  })
})

/** Services that no handler of these tools calls, except the memory. */
const reading = ToolContext.provide(
  ToolContext.provide(
    SampleCapability.context("Main"),
    Capability.NetworkRead,
    ToolContext.constant({} as NetworkRead.NetworkRead["Service"])
  ),
  Capability.WorkspaceRead,
  ToolContext.constant({} as WorkspaceRead.WorkspaceRead["Service"])
)
const context = ToolContext.provide(reading, Capability.MemoryRead, {
  make: (_, mark) =>
    ({
      get: (noteId: string) =>
        Effect.as(
          Effect.sync(() => noteId === "strange" && mark("untrusted")),
          null
        )
    }) as unknown as MemoryRead.MemoryRead["Service"],
  reach: "Confined",
  preconditions: []
})

const withTools = (world: World.World): SampleAgent.SampleParts => {
  const pack = ToolPack.merge(World.tools(world), ToolPack.make(page, file, note, tellsLabels))
  return {
    tools: SampleAgent.toolsOf({ kind: "Main", pack }),
    context
  }
}

/** The entries of one turn. */
const play = (...steps: ReadonlyArray<ScriptedModel.Step | Reply.Reply>) => playWith({}, steps)

const playWith = (changes: SampleAgent.SampleParts, steps: ReadonlyArray<ScriptedModel.Step | Reply.Reply>) =>
  Effect.gen(function* () {
    const world = World.makeWorld()
    const scripted = yield* ScriptedModel.make(steps)
    const agent = World.agentOf(world, { ...withTools(world), ...changes })
    const session = yield* World.openSession({ agent, scripted, channel: World.channelOf([], null) })
    yield* session.run(World.say("go"))
    const store = yield* SessionStore.SessionStore
    return yield* store.entries(session.sessionId, 0, 1000)
  }).pipe(Effect.scoped, Effect.provide(World.stores))

const endOf = (entries: ReadonlyArray<Entry.Entry>, tool: string): Entry.Entry => {
  const found = entries.find(({ body }) => body._tag === "CallEnded" && body.tool === tool)
  if (found === undefined) return assert.fail(`${tool} has not ended`)
  return found
}

describe("labels", () => {
  it.effect("text from the network is untrusted in the journal, and so is all that follows", () =>
    Effect.gen(function* () {
      const entries = yield* play(
        Reply.toolCall("look", { key: "a" }),
        Reply.toolCall("look_at_page"),
        Reply.text("ok")
      )
      const { seq } = endOf(entries, "look_at_page")
      assert.deepStrictEqual(endOf(entries, "look_at_page").labels, ["untrusted"])
      for (const entry of entries) assert.deepStrictEqual(entry.labels, entry.seq < seq ? [] : ["untrusted"])
      assert.isAbove(entries.length - 1, seq)
    })
  )

  it.effect("labels of a capability for one call apply to that call, and to no other of the same tool", () =>
    Effect.gen(function* () {
      const look = (noteId: string) => Reply.toolCall("look_at_note", { noteId })
      const entries = yield* play(look("own"), Reply.toolCall("tell_labels"), look("strange"), Reply.text("ok"))
      const [own, strange] = entries.filter(({ body }) => body._tag === "CallEnded" && body.tool === "look_at_note")
      assert.deepStrictEqual([own.labels, [...strange.labels].toSorted()], [["private"], ["private", "untrusted"]])
    })
  )

  it.effect("a call gets the labels of the session at its request", () =>
    Effect.gen(function* () {
      const expectResult = (expected: string) => ({
        expect: { toolResult: expected },
        reply: Reply.toolCall("look_at_page")
      })
      yield* play(Reply.toolCall("tell_labels"), expectResult('"labels: "'), Reply.toolCall("tell_labels"), {
        expect: { toolResult: '"labels: untrusted"' },
        reply: Reply.text("ok")
      })
    })
  )

  it.effect("a note that was recalled with a message is private, and untrusted exactly if one of the notes is", () =>
    Effect.gen(function* () {
      for (const untrusted of [false, true]) {
        const entries = yield* playWith({ prompt: { recall: () => Effect.succeed({ text: "a note", untrusted }) } }, [
          Reply.text("ok")
        ])
        assert.deepStrictEqual(
          [...(entries.at(-1)?.labels ?? [])].toSorted(),
          untrusted ? ["private", "untrusted"] : ["private"]
        )
      }
    })
  )

  it.effect("a session with preferences is private from its first message, and public without any", () =>
    Effect.gen(function* () {
      for (const found of [{ text: "tabs", untrusted: false }, { text: "tabs", untrusted: true }, null]) {
        const entries = yield* playWith({ prompt: { preferences: Effect.succeed(found) } }, [Reply.text("ok")])
        const labels = found === null ? [] : found.untrusted ? ["private", "untrusted"] : ["private"]
        assert.deepStrictEqual([...(entries.at(-1)?.labels ?? [])].toSorted(), labels)
        const added = entries.filter(({ body }) => body._tag === "ContextAdded" && body.source === "preferences")
        assert.lengthOf(added, found === null ? 0 : 1)
      }
    })
  )

  it.effect("an attachment is a file: its message is private and untrusted, a message without one is neither", () =>
    Effect.gen(function* () {
      for (const media of [[{ mediaType: "image/png", data: "AA==" }], []]) {
        const world = World.makeWorld()
        const scripted = yield* ScriptedModel.make([Reply.text("ok")])
        const agent = World.agentOf(world, withTools(world))
        const entries = yield* Effect.gen(function* () {
          const session = yield* World.openSession({ agent, scripted, channel: World.channelOf([], null) })
          yield* session.run({ text: "look", media })
          const store = yield* SessionStore.SessionStore
          return yield* store.entries(session.sessionId, 0, 1000)
        }).pipe(Effect.scoped, Effect.provide(World.stores))
        const labels = media.length === 0 ? [] : ["private", "untrusted"]
        const message = entries.find(({ body }) => body._tag === "UserMessage")
        assert.deepStrictEqual([...(message?.labels ?? [])].toSorted(), labels)
      }
    })
  )

  it.effect("the labels of two capabilities add up", () =>
    Effect.gen(function* () {
      const entries = yield* play(Reply.toolCall("look_at_file"), Reply.toolCall("look_at_page"), Reply.text("ok"))
      assert.deepStrictEqual(endOf(entries, "look_at_file").labels, ["private"])
      assert.deepStrictEqual(entries.at(-1)?.labels.toSorted(), ["private", "untrusted"])
    })
  )
})
