/** The memory of an opened pack: notes, memory files, scratchpad and earlier sessions. Nothing of it is loaded before a call. */
import { ToolError } from "@bough/protocol"
import { Capability, type Invocation, ToolContext } from "@bough/tool"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { OpenedMemory } from "./OpenMemory.ts"
import type { MemoryOptions } from "./Options.ts"

type Caller = Invocation.Invocation["Service"]

const perCall = <Service>(make: ToolContext.Provided<Service>["make"]): ToolContext.Provided<Service> => ({
  make,
  reach: "Confined",
  preconditions: []
})

/** The context with the memory below a directory, which the scope closes. */
export const provide = Effect.fnUntraced(function* (
  context: ToolContext.ToolContext,
  options: MemoryOptions,
  scope: Scope.Scope
) {
  const opened: Effect.Effect<OpenedMemory, ToolError.ExecutionError> = yield* Effect.cached(
    Effect.promise(() => import("./OpenMemory.ts")).pipe(
      Effect.flatMap(({ open }) => open(options, scope)),
      Effect.catchCause((cause) => Effect.fail(notOpened(options, cause)))
    )
  )
  const own = <A>(pick: (memory: OpenedMemory) => A): Effect.Effect<A, ToolError.ExecutionError> =>
    Effect.map(opened, pick)

  const read = (caller: Caller, mark: ToolContext.Mark): Capability.MemoryRead["Service"] => {
    const service = own(({ memory }) => memory.read(caller, mark))
    return {
      search: (query) => Effect.flatMap(service, ({ search }) => search(query)),
      get: (noteId) => Effect.flatMap(service, ({ get }) => get(noteId)),
      listFiles: Effect.flatMap(service, ({ listFiles }) => listFiles),
      readFile: (path) => Effect.flatMap(service, ({ readFile }) => readFile(path))
    }
  }
  const write = (caller: Caller): Capability.MemoryWrite["Service"] => {
    const service = own(({ memory }) => memory.write(caller))
    return {
      save: (text) => Effect.flatMap(service, ({ save }) => save(text)),
      update: (noteId, text) => Effect.flatMap(service, ({ update }) => update(noteId, text)),
      remove: (noteId) => Effect.flatMap(service, ({ remove }) => remove(noteId)),
      writeFile: (path, content) => Effect.flatMap(service, ({ writeFile }) => writeFile(path, content)),
      editFile: (path, edit) => Effect.flatMap(service, ({ editFile }) => editFile(path, edit))
    }
  }
  const scratchpad = (caller: Caller): Capability.Scratchpad["Service"] => ({
    read: Effect.flatMap(opened, ({ scratchpad: of }) => of(caller).read),
    write: (items) => Effect.flatMap(opened, ({ scratchpad: of }) => of(caller).write(items))
  })
  const history = (caller: Caller): Capability.History["Service"] => {
    const service = own(({ history: of }) => of(caller))
    return {
      list: (between, limit) => Effect.flatMap(service, ({ list }) => list(between, limit)),
      replay: (sessionId, range) => Effect.flatMap(service, ({ replay }) => replay(sessionId, range)),
      archive: (sessionId, range) => Effect.flatMap(service, ({ archive }) => archive(sessionId, range))
    }
  }
  const reading = ToolContext.provide(context, Capability.MemoryRead, perCall(read))
  const writing = ToolContext.provide(reading, Capability.MemoryWrite, perCall(write))
  return ToolContext.provide(
    ToolContext.provide(writing, Capability.Scratchpad, perCall(scratchpad)),
    Capability.History,
    perCall(history)
  )
})

const notOpened = ({ directory }: MemoryOptions, cause: Cause.Cause<unknown>): ToolError.ExecutionError => {
  const thrown = Cause.squash(cause)
  return new ToolError.ExecutionError({
    message: `the memory in ${directory} cannot be opened: ${thrown instanceof Error ? thrown.message : String(thrown)}`
  })
}
