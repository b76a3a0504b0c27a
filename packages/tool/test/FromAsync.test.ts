/** Tests of tools whose handler is an async function. */
import { ToolError } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { Capability, Invocation, Progress, Tool } from "../src/index.ts"

const facts = {
  description: "Runs",
  version: 1,
  tier: "System",
  replay: "Unsafe",
  capabilities: [Capability.Execution, Capability.WorkspaceRead],
  parameters: Schema.Struct({ command: Schema.String }),
  output: Schema.Struct({ text: Schema.String })
} as const

const result = (text: string) => Tool.result({ output: { text }, display: text })

const ran = { exitCode: 0, signal: null, stdout: "out", stderr: "", omittedBytes: 0, elapsedMillis: 1 }

interface Ports {
  readonly run?: Capability.Execution["Service"]["run"]
  readonly digest?: Capability.WorkspaceRead["Service"]["digest"]
}

/** The fields of an invocation that these handlers read. */
const invocation = { workspaceRoot: "/work" } as Invocation.Invocation["Service"]

const services = ({ digest, run }: Ports) =>
  Context.make(Capability.Execution, { run: run ?? (() => Effect.succeed(ran)) }).pipe(
    Context.add(Capability.WorkspaceRead, { digest: digest ?? (() => Effect.succeed(null)) } as never),
    Context.add(Invocation.Invocation, invocation),
    Context.add(Progress.Progress, { report: () => Effect.void })
  )

type Handler = Parameters<
  typeof Tool.fromAsync<"run", typeof facts.parameters, typeof facts.output, typeof facts.capabilities>
>[1]["execute"]

const execute = (handler: Handler, ports: Ports = {}) =>
  Effect.setContext(
    Tool.fromAsync("run", { ...facts, execute: handler }).execute({ command: "ls" }),
    services(ports) as Context.Context<unknown>
  )

describe("Tool.fromAsync", () => {
  it.effect("capabilities arrive by name, and their effects as promises", () =>
    Effect.gen(function* () {
      const { output } = yield* execute(
        async ({ command }, { Execution, WorkspaceRead, invocation }) => {
          const { stdout } = await Execution.run(command)
          const digest = await WorkspaceRead.digest(invocation.workspaceRoot)
          return result(`${stdout} ${digest}`)
        },
        { digest: (path) => Effect.succeed(`digest of ${path}`) }
      )
      assert.deepStrictEqual(output, { text: "out digest of /work" })
    })
  )

  it.effect("a capability whose service is a text arrives as that text", () =>
    Effect.gen(function* () {
      class Region extends Capability.make("acme/Region", { floor: "ReadOnly" })<Region, string>() {}
      const tool = Tool.fromAsync("where", {
        ...facts,
        capabilities: [Region],
        execute: async (_, { Region: region }) => result(region)
      })
      const run = tool.execute({ command: "" }) as Effect.Effect<Tool.ToolResult<unknown>, unknown>
      const { output } = yield* Effect.setContext(
        run,
        Context.add(services({}), Region, "eu") as Context.Context<never>
      )
      assert.deepStrictEqual(output, { text: "eu" })
    })
  )

  it.effect("a preview that uses a capability of execute alone fails with the reason", () =>
    Effect.gen(function* () {
      const uses = async (_: unknown, { Execution }: never) => String(Execution)
      const tool = Tool.fromAsync("run", { ...facts, preview: uses, execute: async () => result("") } as never)
      const { message } = yield* Effect.flip(
        Effect.setContext(
          (tool as unknown as { preview: (parameters: object) => Effect.Effect<string, Error> }).preview({}),
          services({}) as Context.Context<unknown>
        )
      )
      assert.include(message, "Execution can change something, so only execute may use it")
    })
  )

  it.effect("a handler gets no other service than its declared ones", () =>
    Effect.gen(function* () {
      let names: ReadonlyArray<string> = []
      yield* execute(async (_, context) => {
        names = Object.keys(context)
        return result("")
      })
      assert.sameMembers([...names], ["Execution", "WorkspaceRead", "invocation", "progress", "signal"])
    })
  )

  it.effect("interruption aborts the signal, and the capability that is in use", () =>
    Effect.gen(function* () {
      const running = yield* Deferred.make<void>()
      const stopped = yield* Deferred.make<void>()
      let aborted = false
      const fiber = yield* Effect.forkChild(
        execute(
          async ({ command }, { Execution, signal }) => {
            signal.addEventListener("abort", () => {
              aborted = true
            })
            await Execution.run(command)
            return result("it went on")
          },
          {
            run: () =>
              Effect.andThen(Deferred.succeed(running, undefined), Effect.never).pipe(
                Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
              )
          }
        )
      )
      yield* Deferred.await(running)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(stopped)
      assert.isTrue(aborted)
    })
  )

  it.effect("a handler's resources are released when it ends, awaited or not", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const ports: Ports = {
        run: () =>
          Effect.never.pipe(
            Effect.ensuring(
              Effect.andThen(
                Effect.yieldNow,
                Effect.sync(() => order.push("released"))
              )
            )
          )
      }
      yield* execute(async ({ command }, { Execution }) => {
        // Not awaited, as by an author who forgot it.
        Execution.run(command).catch(() => order.push("rejected"))
        return result("")
      }, ports)
      order.push("ended")
      assert.deepStrictEqual(order.slice(0, 1), ["released"])
      assert.include(order, "ended")
    })
  )

  it.effect("a capability cannot be used any more once the handler has ended", () =>
    Effect.gen(function* () {
      let runs = 0
      let leaked: ((command: string) => Promise<unknown>) | null = null
      const ports: Ports = {
        run: () =>
          Effect.sync(() => {
            runs++
            return ran
          })
      }
      yield* execute(async (_, { Execution }) => {
        leaked = Execution.run
        return result("")
      }, ports)
      const refusal = yield* Effect.flip(Effect.tryPromise(() => leaked!("ls")))
      assert.include(String(refusal.cause), "the tool's call has ended")
      assert.strictEqual(runs, 0)
    })
  )

  it.live("a timeout aborts the signal", () =>
    Effect.gen(function* () {
      let reason: AbortSignal | null = null
      const outcome = yield* execute(async (_, { signal }) => {
        reason = signal
        return new Promise<never>(() => {})
      }).pipe(Effect.timeoutOption(10))
      assert.strictEqual(outcome._tag, "None")
      assert.isTrue((reason as AbortSignal | null)?.aborted)
    })
  )

  it.effect.each([
    new ToolError.ValidationError({ message: "v", issues: [] }),
    new ToolError.ExecutionError({ message: "e" }),
    new ToolError.PermissionDenied({ tier: "System", reason: "p" }),
    new ToolError.Timeout({ elapsedMillis: 1 }),
    Tool.transient("busy")
  ])("a rejection with a ToolError is that error: $_tag", (input) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Effect.flip(execute(async () => Promise.reject(input))), input)
    })
  )

  it.effect("an error of a capability reaches the handler unchanged, and may pass through it", () =>
    Effect.gen(function* () {
      const denied = new ToolError.PermissionDenied({ tier: "System", reason: "not in here" })
      const ports: Ports = { run: () => Effect.fail(denied) }
      let caught: unknown = null
      yield* execute(async ({ command }, { Execution }) => {
        await Execution.run(command).catch((error: unknown) => {
          caught = error
        })
        return result("went on")
      }, ports)
      assert.strictEqual(caught, denied)
      const passed = execute(async ({ command }, { Execution }) => {
        await Execution.run(command)
        return result("unreached")
      }, ports)
      assert.strictEqual(yield* Effect.flip(passed), denied)
    })
  )

  it.effect.each([
    [new TypeError("x is undefined"), "x is undefined"],
    ["just words", "just words"],
    [{ _tag: "ExecutionError", message: "a lookalike" }, "a lookalike"],
    [null, "it threw null"],
    [undefined, "it threw undefined"],
    ["", "it threw an empty text"]
  ] as const)("any other rejection is an ExecutionError with its message", ([thrown, message]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(execute(async () => Promise.reject(thrown)))
      assert.instanceOf(error, ToolError.ExecutionError)
      assert.strictEqual(error.message, message)
    })
  )

  it.effect("a handler that throws before it returns a promise has failed too", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        execute(() => {
          throw new Error("at once")
        })
      )
      assert.strictEqual(error.message, "at once")
    })
  )
})
