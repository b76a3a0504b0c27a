/** Joins packs with the dispatcher, a workspace and a sandbox, and gives them to a plain program. */
import { type Caller, Copies, Gate, Ledger, Provenance, Redaction, RuleFields } from "@bough/dispatch"
import { type Policy, type Rule, RuleText } from "@bough/policy"
import { Session } from "@bough/protocol"
import { ProcessRunnerNode, Sandbox, SessionVariables } from "@bough/sandbox"
import { Capability, type Tool, ToolContext, type ToolPack } from "@bough/tool"
import { Workspace } from "@bough/workspace"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { randomUUID } from "node:crypto"
import * as CallbackGate from "./CallbackGate.ts"
import { callsOf, type Program } from "./Calls.ts"
import type { Opened } from "./Opened.ts"
import type { Options } from "./Options.ts"
import * as Spilled from "./Spilled.ts"

type Held =
  | Capability.WorkspaceRead
  | Capability.WorkspaceWrite
  | Capability.RepositoryRead
  | Capability.Execution
  | Capability.Environment
  | Capability.SpilledOutput

type Lacking<R, Provided extends ReadonlyArray<Capability.Provision>> = Exclude<
  R,
  Held | Provided[number]["capability"]["Identifier"] | Tool.Always
>

/** What an opened pack has beside its tools. Names that are known only when the program runs are looked at then. */
type OnlyFreeNames<Tools> = string extends keyof Tools
  ? unknown
  : [keyof Tools & Reserved] extends [never]
    ? unknown
    : `a tool called ${keyof Tools & Reserved} cannot be opened: rename it`

/** Of a pack whose requirements are not known, a call says what is missing. */
type IsAny<R> = 0 extends R & 1 ? true : false

type Satisfied<R, Provided extends ReadonlyArray<Capability.Provision>> =
  IsAny<R> extends true
    ? unknown
    : [Lacking<R, Provided>] extends [never]
      ? unknown
      : `a plain program has no ${Capability.NamesOf<Lacking<R, Provided>>}: pass provide: [Capability.provide(${Capability.NamesOf<Lacking<R, Provided>>}, { service })]`

const maxCallsAtOnce = 8

/**
 * Opens a pack on a directory. Calls go through the same stages as a session's, so that they are checked, asked about,
 * confined and bounded in time alike; outputs come whole.
 *
 * - rejected where the directory cannot be opened or a rule makes no sense
 * - to be disposed of: `await using tools = await open(…)`
 */
export const open = <R, Tools, const Provided extends ReadonlyArray<Capability.Provision> = readonly []>(
  pack: ToolPack.ToolPack<R, Tools> & Satisfied<R, NoInfer<Provided>> & OnlyFreeNames<Tools>,
  options: Options & { readonly provide?: Provided }
): Promise<Opened<Tools>> => {
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  return Effect.runPromise(
    opened(pack, options, scope).pipe(
      Scope.provide(scope),
      Effect.map(({ byTool, call, judge }) => ({ ...byTool, call, judge, [Symbol.asyncDispose]: close })),
      Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
    )
  ) as Promise<Opened<Tools>>
}

/** Names of an opened pack that are no tool's. */
const reserved = ["call", "judge"] as const
type Reserved = (typeof reserved)[number]

const opened = Effect.fnUntraced(function* (pack: ToolPack.Any, options: Options, scope: Scope.Closeable) {
  const foreign = Copies.fault(Object.values<Tool.Any>(pack.tools))
  if (foreign !== null) return yield* Effect.die(new Error(foreign))
  const taken = reserved.find((name) => name in pack.tools)
  if (taken !== undefined) {
    const why = `a tool called ${taken} cannot be opened: an opened pack has a function of that name`
    return yield* Effect.die(new Error(why))
  }
  const registry: Caller.Registry = new Map(Object.entries<Tool.Any>(pack.tools))
  const rules = yield* Effect.forEach(options.rules ?? [], (text) =>
    Effect.fromResult(RuleText.read(text, RuleFields.of(registry)))
  )
  const session = yield* Effect.sync(() => Session.SessionId.make(randomUUID()))
  const spilled = Spilled.make()
  const workspace = yield* Effect.provide(Workspace.make({ root: options.root }), ProcessRunnerNode.layer)
  const caller: Caller.Caller = {
    registry,
    context: yield* withOwn(
      yield* contextOf(options, workspace, spilled),
      options.provide ?? [],
      Object.values<Tool.Any>(pack.tools)
    ),
    policy: policyOf(rules),
    redaction: Redaction.make(options.secrets ?? []),
    provenance: Provenance.given,
    invocation: {
      sessionId: session,
      sessionPath: [session],
      agent: "program",
      user: options.user ?? null,
      turn: 0,
      step: 0,
      workspaceRoot: workspace.root,
      config: {}
    },
    permits: Semaphore.makeUnsafe(maxCallsAtOnce),
    observe: () => Effect.void
  }
  const run = runnerOf(yield* FiberSet.makeRuntimePromise(), scope)
  const recorded = Context.make(Ledger.Ledger, ledger(options, spilled))
  const ports = (approve = options.approve) => Context.add(recorded, Gate.Gate, CallbackGate.make(approve, [session]))
  return callsOf({ caller, ports, run, spilled })
})

type Run = Program["run"]

/** Says in plain words why a call was interrupted. */
const runnerOf =
  (run: Run, scope: Scope.Closeable): Run =>
  (effect, options) => {
    const closed = new Error("the pack is closed")
    if (scope.state._tag === "Closed") return Promise.reject(closed)
    return run(effect, options).catch((thrown: unknown) => {
      if (options.signal?.aborted === true) throw options.signal.reason
      throw scope.state._tag === "Closed" ? closed : thrown
    })
  }

const policyOf = (rules: ReadonlyArray<Rule.Rule>): Policy.Policy => ({ rules, approve: "ask" })

const contextOf = Effect.fnUntraced(function* (
  options: Options,
  workspace: Workspace.Workspace,
  spilled: Spilled.Spilled
) {
  const files = Workspace.provideWrites(Workspace.provideReads(ToolContext.empty("Main"), workspace), workspace)
  const sandbox = yield* Sandbox.make(options.execution ?? {}, options.environment ?? {})
  const commands = sandbox.provided({ root: workspace.root, writable: true })
  const able = ToolContext.provide(files, Capability.Execution, commands)
  const variables = SessionVariables.provided({
    host: options.environment ?? {},
    extraKeys: options.execution?.environmentKeys ?? [],
    holdsSecret: Redaction.make(options.secrets ?? []).holdsSecret
  })
  const surrounded = ToolContext.provide(able, Capability.Environment, variables)
  return ToolContext.provide(surrounded, Capability.SpilledOutput, ToolContext.constant(spilled.capability))
})

/** What the program provides, beside what `open` brings. */
const withOwn = (
  context: ToolContext.ToolContext,
  provisions: ReadonlyArray<Capability.Provision>,
  tools: ReadonlyArray<Tool.Any>
): Effect.Effect<ToolContext.ToolContext, unknown> =>
  Effect.fromResult(Result.try(() => ToolContext.provideAll(context, provisions, tools)))

const ledger = (options: Options, spilled: Spilled.Spilled): Ledger.Ledger["Service"] => ({
  started: () => Effect.void,
  secure: Effect.void,
  ended: (_call, { receipt }) =>
    Effect.sync(() => {
      if (receipt !== null) options.onReceipt?.(receipt)
    }),
  spill: (bytes) => Effect.sync(() => spilled.keep(bytes))
})
