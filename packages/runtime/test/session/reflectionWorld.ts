/** A session of a scripted model, with an agent for reflections. */
import { type Event, type Session as SessionData, ToolError } from "@bough/protocol"
import { Capability, type MemoryWrite, Tool, ToolContext, ToolPack } from "@bough/tool"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Agent, Channel, Model, type Reflection, Session } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as Grove from "../tree/grove.ts"
import * as TaintWorld from "./taintWorld.ts"
import * as World from "./world.ts"

const { text, toolCall } = Reply

export const keep = Tool.make("keep", {
  version: 1,
  description: "Keep a note",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.MemoryWrite],
  parameters: Schema.Struct({ note: Schema.String }),
  output: Schema.Struct({ noteId: Schema.String }),
  execute: Effect.fnUntraced(function* ({ note }) {
    const memory = yield* Capability.MemoryWrite
    const saved = yield* memory.save({ text: note, tags: null, kind: null, secrets: "refuse" })
    return Tool.result({
      output: { noteId: saved.note.noteId },
      display: "Kept it",
      artifacts: [{ _tag: "MemoryWritten", noteId: saved.note.noteId }]
    })
  })
})

/** How a reflection ends. */
export const verdict = (more: object = {}, usage?: Reply.Usage) =>
  toolCall("return_result", { verdict: "complete", assessment: "it went well", lessons: [], ...more }, usage)

export const expectInPrompt = (pattern: RegExp) => (prompt: Model.Prompt) =>
  assert.match(JSON.stringify(prompt.messages), pattern)

const other = () => Effect.fail(new ToolError.ExecutionError({ message: "nobody asked for that" }))

/** A memory that is a list. */
const memoryIn = (kept: Array<string>): MemoryWrite.MemoryWrite["Service"] => ({
  save: ({ text: said }) =>
    Effect.sync(() => {
      const noteId = `note-${kept.push(said)}` as SessionSaved["note"]["noteId"]
      const note = {
        noteId,
        kind: "fact",
        text: said,
        tags: [],
        source: "",
        untrusted: false,
        createdAtMillis: 0,
        updatedAtMillis: 0,
        project: null,
        validUntilMillis: null
      }
      return { status: "Saved", note, known: [], near: [], hidden: [] } as SessionSaved
    }),
  update: other,
  remove: other,
  writeFile: other,
  editFile: other
})
type SessionSaved = MemoryWrite.MemorySaved

interface Options {
  readonly script: ReadonlyArray<ScriptedModel.Step | Reply.Reply>
  readonly limits?: Partial<Agent.Limits>
  readonly sessionId?: SessionData.SessionId
  readonly isWithoutReflection?: boolean
  readonly nearest?: Reflection.ReflectingAgent["nearest"]
  readonly model?: Model.Model["Service"]
}

export const open = Effect.fnUntraced(function* (options: Options) {
  const { isWithoutReflection, limits, model, nearest, script, sessionId } = options
  const world = World.makeWorld()
  const kept: Array<string> = []
  const events: Array<Event.Event> = []
  const base = TaintWorld.agentOf(world, "Main", ToolPack.make(keep))
  const context = ToolContext.provide(base.context, Capability.MemoryWrite, ToolContext.constant(memoryIn(kept)))
  const agent: Agent.Agent = { ...base, context, limits: { ...base.limits, ...limits } }
  // The full registry and every capability: other tools are withheld from it, not merely absent.
  const reflecting: Reflection.ReflectingAgent = {
    ...agent,
    tools: { ...agent.tools, kind: "Branch", pack: ToolPack.make(keep) },
    prompt: { ...agent.prompt, instructions: [] },
    ...(nearest === undefined ? {} : { nearest }),
    ...(model === undefined ? {} : { model })
  }
  const scripted = yield* ScriptedModel.make(script, { priced: true })
  const session = yield* Session.open({
    agent,
    sessionId: sessionId ?? null,
    ...(isWithoutReflection === true ? {} : { reflection: Effect.succeed(reflecting) })
  }).pipe(
    Effect.provideService(Channel.Channel, World.channelOf(events, World.approve)),
    Effect.provideService(Model.Model, scripted.model)
  )
  return { session, kept, events, world, script: scripted.script }
})

export const work = [toolCall("open_file", { path: "a.txt" }, { costUsd: 0.1 }), text("I read it", { costUsd: 0.1 })]

export const spawned = (sessionId: SessionData.SessionId) => Grove.bodies(sessionId, "ChildSpawned")
export const ended = (sessionId: SessionData.SessionId) => Grove.bodies(sessionId, "ChildEnded")
