/** The memory capabilities of a session's calls. The memory package is loaded when a call first uses one of them. */
import type * as Memory from "@bough/memory/Memory"
import type { Capability, Invocation, ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as StagedMemory from "./StagedMemory.ts"

type CallContext = Invocation.Invocation["Service"]

const stagingKeyOf = ({ sessionId, sessionPath }: CallContext, work: StagedMemory.StagingPhase): string =>
  StagedMemory.stagingKey(sessionPath[0] ?? sessionId, work)

export const read =
  (memory: Effect.Effect<Memory.Memory>, work: StagedMemory.StagingPhase) =>
  (caller: CallContext, mark: ToolContext.Mark): Capability.MemoryRead["Service"] => {
    const loaded = Effect.map(memory, (opened) => opened.read(caller, mark, stagingKeyOf(caller, work)))
    return {
      search: (query) => Effect.flatMap(loaded, ({ search }) => search(query)),
      get: (noteId) => Effect.flatMap(loaded, ({ get }) => get(noteId)),
      conversations: (query) => Effect.flatMap(loaded, ({ conversations }) => conversations(query)),
      history: (noteId) => Effect.flatMap(loaded, ({ history }) => history(noteId)),
      listFiles: Effect.flatMap(loaded, ({ listFiles }) => listFiles),
      readFile: (path) => Effect.flatMap(loaded, ({ readFile }) => readFile(path))
    }
  }

export const write =
  (memory: Effect.Effect<Memory.Memory>, work: StagedMemory.StagingPhase) =>
  (caller: CallContext): Capability.MemoryWrite["Service"] => {
    const loaded = Effect.map(memory, (opened) => opened.write(caller, stagingKeyOf(caller, work)))
    return {
      save: (text) => Effect.flatMap(loaded, ({ save }) => save(text)),
      update: (noteId, text) => Effect.flatMap(loaded, ({ update }) => update(noteId, text)),
      remove: (noteId, options) => Effect.flatMap(loaded, ({ remove }) => remove(noteId, options)),
      writeFile: (path, content) => Effect.flatMap(loaded, ({ writeFile }) => writeFile(path, content)),
      editFile: (path, edit) => Effect.flatMap(loaded, ({ editFile }) => editFile(path, edit))
    }
  }

export const scratchpad =
  (scratchpads: Effect.Effect<(caller: CallContext) => Capability.Scratchpad["Service"]>) =>
  (caller: CallContext): Capability.Scratchpad["Service"] => ({
    read: Effect.flatMap(scratchpads, (forCaller) => forCaller(caller).read),
    write: (items) => Effect.flatMap(scratchpads, (forCaller) => forCaller(caller).write(items))
  })
