/** The guarantees of the contract's types beside the fixtures. An unused `@ts-expect-error` fails the check. */
import { Note, ToolError } from "@bough/protocol"
import { Capability, Progress, SessionKind, Tool, ToolPack, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

type Equals<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
const equals = <A, B>(_: Equals<A, B>): void => {}

const Done = Schema.Struct({ done: Schema.Boolean })
const done = Tool.result({ output: { done: true }, display: "Done" })

const read = Tool.make("read_text", {
  description: "Reads",
  version: 1,
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.WorkspaceRead],
  parameters: Schema.Struct({
    path: Schema.String,
    fromLine: ToolSchema.withDefault(Schema.Int, 1),
    mode: ToolSchema.withDefault(Schema.Literals(["all", "some"]), "all"),
    glob: Schema.optionalKey(Schema.String)
  }),
  output: Done,
  timeoutMillis: ({ fromLine }) => fromLine * 1_000,
  // A parameter with a default is always present for the handler; one without may be absent.
  execute: Effect.fnUntraced(function* (parameters) {
    equals<
      typeof parameters,
      { readonly path: string; readonly fromLine: number; readonly mode: "all" | "some"; readonly glob?: string }
    >(true)
    const progress = yield* Progress.Progress
    yield* progress.report("reading")
    if (parameters.path === "") return yield* new ToolError.ExecutionError({ message: "no such file" })
    return done
  })
})

// The writer of the arguments may omit it.
equals<
  typeof read.parameters.Encoded,
  { readonly path: string; readonly fromLine?: number; readonly mode?: "all" | "some"; readonly glob?: string }
>(true)

// A default is one of the schema's values.
// @ts-expect-error "none" is not a mode
ToolSchema.withDefault(Schema.Literals(["all", "some"]), "none")

const run = Tool.fromAsync("run_text", {
  description: "Runs",
  version: 1,
  tier: "System",
  replay: "Unsafe",
  capabilities: [Capability.Execution],
  parameters: Schema.Struct({}),
  output: Done,
  execute: async (_, { Execution, invocation, signal }) => {
    equals<typeof signal, AbortSignal>(true)
    const { exitCode } = await Execution.run(invocation.workspaceRoot)
    equals<typeof exitCode, number | null>(true)
    return done
  }
})

// An opened pack knows its tools by name.
const pack = ToolPack.merge(ToolPack.make(read), ToolPack.make(run))
equals<typeof pack.tools.read_text.name, "read_text">(true)

// Every kind accepts read-only tools; only those that may run commands accept tools that run them.
SessionKind.Worker.tools(ToolPack.make(read))
SessionKind.Branch.tools(pack)
// @ts-expect-error a reflection has the memory and nothing else
SessionKind.Reflection.tools(ToolPack.make(read))
// @ts-expect-error a Worker has no Execution
SessionKind.Worker.tools(pack)

const store = Tool.make("store", {
  description: "Remember",
  version: 1,
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.MemoryWrite],
  parameters: Schema.Struct({ noteId: Note.NoteId }),
  output: Done,
  execute: Effect.fnUntraced(function* ({ noteId }) {
    const memory = yield* Capability.MemoryWrite
    yield* memory.remove(noteId)
    return done
  })
})

SessionKind.Branch.tools(ToolPack.make(store))
// @ts-expect-error a Worker searches what is remembered, and stores nothing
SessionKind.Worker.tools(ToolPack.make(store))

const sayHello = Tool.make("tell", {
  description: "Tell people",
  version: 1,
  tier: "System",
  replay: "Idempotent",
  capabilities: [Capability.Channel],
  parameters: Schema.Struct({ text: Schema.String }),
  output: Done,
  execute: Effect.fnUntraced(function* ({ text }) {
    const people = yield* Capability.Channel
    yield* people.send(text)
    return done
  })
})
SessionKind.Main.tools(ToolPack.make(sayHello))
SessionKind.Branch.tools(ToolPack.make(sayHello))
// @ts-expect-error a Worker has no Channel
SessionKind.Worker.tools(ToolPack.make(sayHello))
// @ts-expect-error a reflection has no Channel
SessionKind.Reflection.tools(ToolPack.make(sayHello))

Tool.make("tell_mildly", {
  description: "Tell people",
  version: 1,
  // @ts-expect-error what users are told is System at the least
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.Channel],
  parameters: Schema.Struct({}),
  output: Done,
  execute: () => Effect.succeed(done)
})

// Elevated is above every floor.
Tool.make("grave", {
  description: "Grave",
  version: 1,
  tier: "Elevated",
  replay: "Unsafe",
  capabilities: [Capability.Execution],
  parameters: Schema.Struct({}),
  output: Done,
  execute: () => Effect.succeed(done)
})

// A capability of an app works like one of Bough's.
class Database extends Capability.make("acme/Database", { floor: "System", labels: ["private"] })<
  Database,
  { readonly query: (sql: string) => Effect.Effect<number> }
>() {}
/** A declaration without a class. */
const Rates = Capability.make("Rates", { floor: "ReadOnly", reach: "Confined" })<{
  readonly rate: (of: string) => Effect.Effect<number>
}>()

const buy = Tool.make("buy", {
  description: "Buy",
  version: 1,
  tier: "Elevated",
  replay: "Unsafe",
  capabilities: [Database, Rates],
  parameters: Schema.Struct({ what: Schema.String }),
  output: Done,
  classify: Effect.fnUntraced(function* ({ what }) {
    const rates = yield* Rates
    return { tier: "Elevated", reason: `at ${yield* rates.rate(what)}` }
  }),
  execute: Effect.fnUntraced(function* () {
    const database = yield* Database
    equals<number, Effect.Success<ReturnType<typeof database.query>>>(true)
    return done
  })
})
equals<typeof buy.tier, "Elevated">(true)

const rate = Tool.fromAsync("rate", {
  description: "Rate",
  version: 1,
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Rates],
  parameters: Schema.Struct({ what: Schema.String }),
  output: Done,
  execute: async ({ what }, { Rates }) => {
    equals<number, Awaited<ReturnType<typeof Rates.rate>>>(true)
    return (await Rates.rate(what)) > 0 ? done : done
  }
})

Tool.make("buy_mildly", {
  description: "Buy",
  version: 1,
  // @ts-expect-error a database is System at the least
  tier: "Workspace",
  replay: "Unsafe",
  capabilities: [Database],
  parameters: Schema.Struct({}),
  output: Done,
  execute: () => Effect.succeed(done)
})

SessionKind.Main.with(Database, Rates).tools(ToolPack.make(buy, rate))
SessionKind.Branch.with(Database).with(Rates).tools(ToolPack.make(buy, rate))
SessionKind.Worker.with(Rates).tools(ToolPack.make(rate))
// @ts-expect-error a Worker calls tools of the tier ReadOnly alone
SessionKind.Worker.with(Rates).tools(ToolPack.make(rate, ToolPack.make(store).tools.store))
// @ts-expect-error a Worker holds what only reads
SessionKind.Worker.with(Rates, Database)
// @ts-expect-error of a Branch it is not held
SessionKind.Branch.with(Database).tools(ToolPack.make(buy, rate))
// @ts-expect-error a floor is not Elevated
Capability.make("Wide", { floor: "Elevated" })

Capability.provide(Database, { service: { query: () => Effect.succeed(1) } })
Capability.provide(Database, { make: ({ sessionId }) => ({ query: () => Effect.succeed(sessionId.length) }) })
// @ts-expect-error it is served by what its type says
Capability.provide(Database, { service: { query: () => Effect.succeed("one") } })
// @ts-expect-error it is served by something
Capability.provide(Database, {})
