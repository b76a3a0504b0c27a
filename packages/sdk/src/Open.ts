/** Connects packs to the dispatcher, a workspace and a sandbox, for programs without Effect. */
import { type DispatchContext, Copies, Gate, Ledger, Provenance, Redaction, RuleFields } from "@bough/dispatch"
import * as Network from "@bough/network/Network"
import * as CommandProxy from "@bough/network/proxy/CommandProxy"
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
import * as CallbackChannel from "./CallbackChannel.ts"
import * as CallbackGate from "./CallbackGate.ts"
import { callsOf, type Program } from "./Calls.ts"
import * as KnownOptions from "./KnownOptions.ts"
import * as MemoryAccess from "./MemoryAccess.ts"
import type { OpenedPack } from "./OpenedPack.ts"
import type { OnlyKnown, Openable, ReservedName } from "./OpenRequirements.ts"
import type { OpenOptions } from "./Options.ts"
import * as SpillStore from "./SpillStore.ts"
import * as WorkspaceWrites from "./WorkspaceWrites.ts"

const maxCallsAtOnce = 8

/**
 * Opens a pack on a directory. Calls go through the same stages as a session's: checks, approvals, the sandbox and
 * deadlines; outputs are complete.
 *
 * - The promise rejects if the directory cannot be opened or a rule is invalid.
 * - Dispose of the result: `await using tools = await open(…)`.
 */
export const open = <R, Tools, const Given extends OpenOptions>(
  pack: Openable<R, Tools, NoInfer<Given>>,
  options: Given & OnlyKnown<Given>
): Promise<OpenedPack<Tools>> => {
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  return Effect.runPromise(
    openPack(pack, options, scope).pipe(
      Scope.provide(scope),
      Effect.map(({ byTool, call, judge }) => ({
        ...byTool,
        call,
        judge,
        tools: Object.values<Tool.Any>(pack.tools),
        [Symbol.asyncDispose]: close
      })),
      Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
    )
  ) as Promise<OpenedPack<Tools>>
}

const reserved: ReadonlyArray<ReservedName> = ["call", "judge", "tools"]

const openPack = Effect.fnUntraced(function* (pack: ToolPack.Any, options: OpenOptions, scope: Scope.Closeable) {
  // A program without types may omit the option.
  if (typeof (options as Partial<OpenOptions> | undefined)?.root !== "string") {
    return yield* Effect.die(new TypeError('open: root must be the directory of the tools, as in { root: "." }'))
  }
  if (typeof (pack as Partial<ToolPack.Any> | undefined)?.tools !== "object") {
    return yield* Effect.die(
      new TypeError("open: the first argument must be a pack, as in open(ToolPack.make(tool), …)")
    )
  }
  const misspelt = KnownOptions.fault(options)
  if (misspelt !== null) return yield* Effect.die(new TypeError(misspelt))
  if (options.rules !== undefined && !Array.isArray(options.rules)) {
    return yield* Effect.die(new TypeError('open: rules must be a list, as in ["deny write_file"]'))
  }
  const reservedName = reserved.find((name) => name in pack.tools)
  if (reservedName !== undefined) {
    const why = `a tool called ${reservedName} cannot be opened: an opened pack has a member with this name`
    return yield* Effect.die(new Error(why))
  }
  return callsOf(yield* programOf(pack, options, scope))
})

/** The dispatcher, its context and its ports for a program's calls. All are released when `scope` closes. */
export const programOf = Effect.fnUntraced(function* (
  pack: ToolPack.Any,
  options: OpenOptions,
  scope: Scope.Closeable
) {
  const foreign = Copies.fault(Object.values<Tool.Any>(pack.tools))
  if (foreign !== null) return yield* Effect.die(new Error(foreign))
  const registry: DispatchContext.Registry = new Map(Object.entries<Tool.Any>(pack.tools))
  const rules = yield* Effect.forEach(options.rules ?? [], (text) =>
    Effect.fromResult(RuleText.read(text, RuleFields.ruleFields(registry)))
  )
  const session = yield* Effect.sync(() => Session.SessionId.make(randomUUID()))
  const spilled = SpillStore.make()
  const writes = WorkspaceWrites.make()
  const workspace = yield* Effect.provide(
    Workspace.make({ root: options.root, variables: options.environment ?? {} }),
    ProcessRunnerNode.layer
  )
  const caller: DispatchContext.DispatchContext = {
    registry,
    context: yield* withOwn(
      yield* contextOf(options, workspace, { spilled, scope }),
      options.provide ?? [],
      Object.values<Tool.Any>(pack.tools)
    ),
    policy: policyOf(rules),
    redaction: Redaction.make(options.secrets ?? []),
    provenance: Provenance.own,
    workspaceWrites: writes.digest,
    invocation: {
      sessionId: session,
      sessionPath: [session],
      agent: "program",
      user: options.user ?? options.memory?.user ?? null,
      turn: 0,
      step: 0,
      workspaceRoot: workspace.root,
      config: {}
    },
    permits: Semaphore.makeUnsafe(maxCallsAtOnce),
    observe: () => Effect.void
  }
  const run = runnerOf(yield* FiberSet.makeRuntimePromise(), scope)
  const recorded = Context.make(
    Ledger.Ledger,
    ledger(options, { spilled, ran: (name) => writes.ran(registry.get(name)) })
  )
  const ports = (approve = options.approve) => Context.add(recorded, Gate.Gate, CallbackGate.make(approve, [session]))
  return { caller, ports, run, spilled } satisfies Program
})

type RunEffect = Program["run"]

/** Runs effects as promises. A rejection contains the reason for the interruption of a call, in plain words. */
const runnerOf =
  (run: RunEffect, scope: Scope.Closeable): RunEffect =>
  (effect, options) => {
    const closed = new Error("the pack is closed")
    if (scope.state._tag === "Closed") return Promise.reject(closed)
    // A call without waiting would end before the signal could interrupt it.
    if (options.signal?.aborted === true) return Promise.reject(options.signal.reason)
    return run(effect, options).catch((thrown: unknown) => {
      if (options.signal?.aborted === true) throw options.signal.reason
      throw scope.state._tag === "Closed" ? closed : thrown
    })
  }

const policyOf = (rules: ReadonlyArray<Rule.Rule>): Policy.Policy => ({ rules, approve: "ask" })

const contextOf = Effect.fnUntraced(function* (
  options: OpenOptions,
  workspace: Workspace.Workspace,
  { scope, spilled }: { readonly spilled: SpillStore.SpillStore; readonly scope: Scope.Scope }
) {
  const files = Workspace.provideWrites(Workspace.provideReads(ToolContext.empty("Main"), workspace), workspace)
  const sandbox = yield* Sandbox.make(
    options.execution ?? {},
    options.environment ?? {},
    options.network === undefined ? {} : { proxy: CommandProxy.make(options.network) }
  )
  const variables = SessionVariables.make({
    host: options.environment ?? {},
    extraKeys: options.execution?.environmentKeys ?? [],
    holdsSecret: Redaction.make(options.secrets ?? []).holdsSecret
  })
  const { variablesOf } = variables
  const commands = sandbox.provided({ root: workspace.root, writable: true, variablesOf })
  const able = ToolContext.provide(files, Capability.Execution, commands)
  const surrounded = ToolContext.provide(able, Capability.Environment, variables.provided)
  const paging = ToolContext.provide(surrounded, Capability.SpilledOutput, ToolContext.constant(spilled.capability))
  return yield* withOptional(paging, options, scope)
})

/** Adds the capabilities that only some programs provide. */
const withOptional = Effect.fnUntraced(function* (
  context: ToolContext.ToolContext,
  { channel, memory, network }: OpenOptions,
  scope: Scope.Scope
) {
  const spoken = channel === undefined ? context : CallbackChannel.provide(context, channel)
  const remembering = memory === undefined ? spoken : yield* MemoryAccess.provide(spoken, memory, scope)
  if (network === undefined) return remembering
  const web = Network.make(network)
  return Network.provideWrites(Network.provideReads(remembering, web), web)
})

/** Adds the program's own capabilities to those of `open`. */
const withOwn = (
  context: ToolContext.ToolContext,
  provisions: ReadonlyArray<Capability.Provision>,
  tools: ReadonlyArray<Tool.Any>
): Effect.Effect<ToolContext.ToolContext, unknown> =>
  Effect.fromResult(Result.try(() => ToolContext.provideAll(context, provisions, tools)))

interface RecordedCall {
  readonly spilled: SpillStore.SpillStore
  /** Called with the tool before a handler starts, and after it has ended. */
  readonly ran: (tool: string) => void
}

const ledger = (options: OpenOptions, { ran, spilled }: RecordedCall): Ledger.Ledger["Service"] => ({
  started: ({ tool }) => Effect.sync(() => ran(tool.name)),
  secure: Effect.void,
  ended: ({ name }, { receipt }) =>
    Effect.sync(() => {
      if (receipt === null) return
      ran(name)
      options.onReceipt?.(receipt)
    }),
  spill: (bytes) => Effect.sync(() => spilled.keep(bytes))
})
