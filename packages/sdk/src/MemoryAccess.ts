/**
 * The memory of an opened pack: notes, memory files, scratchpad and earlier sessions. It is loaded at the first call
 * that needs it.
 */
import { ToolError } from "@bough/protocol"
import { Capability, type Invocation, ToolContext } from "@bough/tool"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { OpenedMemory } from "./OpenMemory.ts"
import type { MemoryOptions } from "./Options.ts"

type Caller = Invocation.Invocation["Service"]

const perCall = <Service>(
  make: ToolContext.ProvidedService<Service>["make"]
): ToolContext.ProvidedService<Service> => ({
  make,
  reach: "Confined",
  preconditions: []
})

/** Returns the context with the memory in a directory. The memory is closed with the scope. */
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
  const of = <S extends object>(pick: (memory: OpenedMemory) => S) => deferService(Effect.map(opened, pick))

  const read = (caller: Caller, mark: ToolContext.Mark): Capability.MemoryRead["Service"] => {
    const { method, value } = of(({ memory }) => memory.read(caller, mark))
    return {
      search: method("search"),
      get: method("get"),
      conversations: method("conversations"),
      history: method("history"),
      listFiles: value("listFiles"),
      readFile: method("readFile")
    }
  }
  const write = (caller: Caller): Capability.MemoryWrite["Service"] => {
    const { method } = of(({ memory }) => memory.write(caller))
    return {
      save: method("save"),
      update: method("update"),
      remove: method("remove"),
      writeFile: method("writeFile"),
      editFile: method("editFile")
    }
  }
  const scratchpad = (caller: Caller): Capability.Scratchpad["Service"] => {
    const { method, value } = of((memory) => memory.scratchpad(caller))
    return { read: value("read"), write: method("write") }
  }
  const history = (caller: Caller): Capability.History["Service"] => {
    const { method } = of((memory) => memory.history(caller))
    return { list: method("list"), replay: method("replay"), archive: method("archive") }
  }
  const withReads = ToolContext.provide(context, Capability.MemoryRead, perCall(read))
  const withWrites = ToolContext.provide(withReads, Capability.MemoryWrite, perCall(write))
  return ToolContext.provide(
    ToolContext.provide(withWrites, Capability.Scratchpad, perCall(scratchpad)),
    Capability.History,
    perCall(history)
  )
})

type Answer = Effect.Effect<unknown, ToolError.ToolError>

/** Returns the members of a service that is created at the first call of a member. */
const deferService = <S extends object>(service: Effect.Effect<S, ToolError.ToolError>) => ({
  method: <Name extends keyof S>(name: Name): S[Name] =>
    ((...parameters: ReadonlyArray<unknown>) =>
      Effect.flatMap(service, (made) =>
        (made[name] as (...parameters: ReadonlyArray<unknown>) => Answer)(...parameters)
      )) as S[Name],
  value: <Name extends keyof S>(name: Name): S[Name] =>
    Effect.flatMap(service, (made) => made[name] as Answer) as S[Name]
})

const notOpened = ({ directory }: MemoryOptions, cause: Cause.Cause<unknown>): ToolError.ExecutionError => {
  const thrown = Cause.squash(cause)
  return new ToolError.ExecutionError({
    message: `the memory in ${directory} cannot be opened: ${thrown instanceof Error ? thrown.message : String(thrown)}`
  })
}
