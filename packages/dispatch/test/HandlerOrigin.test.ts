/** Tests of errors that a tool's code leaves behind: they name the tool, and errors of a capability name none. */
import type { Event } from "@bough/protocol"
import { Capability, Progress, type Tool, ToolContext } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { uncaught } from "../../../test/uncaught.ts"
import { done, fake, requestFor, world } from "./Harness.ts"
import { any } from "./Tools.ts"

const failLater = (message: string): void =>
  void setTimeout(() => {
    throw new Error(message)
  }, 1)

/** Fails in a timer at its start and in a later one. */
const reads = ToolContext.constant(
  fake<(typeof Capability.WorkspaceRead)["Service"]>({
    digest: () =>
      Effect.gen(function* () {
        failLater("capability, first")
        yield* Effect.sleep(1)
        failLater("capability, later")
        return null
      })
  })
)

const call = (execute: Tool.Any["execute"], parts: Partial<Tool.Any> = {}) =>
  world({
    tools: [any({ capabilities: [Capability.WorkspaceRead], execute, ...parts })],
    context: ToolContext.provide(ToolContext.empty("Main"), Capability.WorkspaceRead, reads)
  }).end(requestFor("read_file", { path: "a" }))

const read = Effect.flatMap(Capability.WorkspaceRead, ({ digest }) => digest("a"))

describe("HandlerOrigin", () => {
  it.live("names the tool of a timer, of a promise and of a detached fiber of an Effect", () =>
    Effect.gen(function* () {
      const run = call(() =>
        Effect.gen(function* () {
          failLater("timer")
          void Promise.reject(new Error("promise"))
          yield* Effect.forkDetach(
            Effect.andThen(
              Effect.sleep(2),
              Effect.sync(() => failLater("fiber"))
            )
          )
          return done
        })
      )
      assert.deepStrictEqual(yield* uncaught(run, 3), ["read_file: fiber", "read_file: promise", "read_file: timer"])
    })
  )

  it.live("names no tool for a capability, and the tool again after its use", () =>
    Effect.gen(function* () {
      const run = call(() =>
        Effect.gen(function* () {
          yield* Effect.all([read, read], { concurrency: 2 })
          failLater("tool")
          return done
        })
      )
      assert.deepStrictEqual(yield* uncaught(run, 5), [
        "read_file: tool",
        "undefined: capability, first",
        "undefined: capability, first",
        "undefined: capability, later",
        "undefined: capability, later"
      ])
    })
  )

  it.live("names no tool for code that shows its progress", () =>
    Effect.gen(function* () {
      const tool = any({
        execute: () =>
          Effect.as(
            Effect.flatMap(Progress.Progress, ({ report }) => report("Half")),
            done
          )
      })
      const { caller, dispatch } = world({ tools: [tool] })
      Object.assign(caller, { observe: ({ _tag }: Event.Event) => Effect.sync(() => failLater(_tag)) })
      const run = dispatch(requestFor("read_file", { path: "a" }))
      assert.deepStrictEqual(yield* uncaught(run, 2), ["undefined: ToolProgressed", "undefined: ToolStarted"])
    })
  )

  it.live("names the tool whose forModel leaves a timer behind", () =>
    Effect.gen(function* () {
      const run = call(() => Effect.succeed(done), {
        forModel: () => {
          failLater("text")
          return "text"
        }
      })
      assert.deepStrictEqual(yield* uncaught(run, 1), ["read_file: text"])
    })
  )
})
