/** Builds a session from an agent, a journal and the parts of its tree. */
import { Copies, type DispatchContext, Gate, Ledger } from "@bough/dispatch"
import type { Budget as BudgetData, Session } from "@bough/protocol"
import { Capability, type Tool, ToolContext } from "@bough/tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import * as ApprovalGate from "../approval/ApprovalGate.ts"
import * as TurnAsks from "../approval/TurnAsks.ts"
import * as SessionBudget from "../budget/SessionBudget.ts"
import * as TimeBudget from "../budget/TimeBudget.ts"
import * as ReadEarlier from "../compaction/ReadEarlier.ts"
import * as Inbox from "../journal/Inbox.ts"
import type { Journal } from "../journal/Journal.ts"
import * as Provenance from "../journal/Provenance.ts"
import type { SessionFacts } from "../journal/SessionOpened.ts"
import type { Channel } from "../ports/Channel.ts"
import type { Tree, TreeGrants } from "../tree/Tree.ts"
import { type Agent, budgetOf, kindsWithTool } from "./Agent.ts"
import * as Attachments from "./Attachments.ts"
import * as CallLedger from "./CallLedger.ts"
import * as ChannelCapability from "./ChannelCapability.ts"
import * as Experiments from "./Experiments.ts"
import { ForeignDescriptions } from "./ForeignDescriptions.ts"
import * as MemoryRecall from "./MemoryRecall.ts"
import * as ModelCaller from "./ModelCaller.ts"
import * as Prewarm from "./Prewarm.ts"
import * as SamplingRequests from "./SamplingRequests.ts"
import * as SessionHooks from "./SessionHooks.ts"
import { SessionRegistry } from "./SessionRegistry.ts"
import type { SessionServices, MakeSpawn } from "./SessionServices.ts"
import * as SpilledOutput from "./SpilledOutput.ts"
import * as SystemPrompt from "./SystemPrompt.ts"
import type { ToolRunner } from "./ToolRunner.ts"
import type { Turns } from "./Turn.ts"
import * as WorkspaceCommit from "./WorkspaceCommit.ts"
import * as WorkspaceWrites from "./WorkspaceWrites.ts"

export interface Parts {
  readonly tree: Tree
  readonly agent: Agent
  readonly journal: Journal["Service"]
  readonly kind: Session.Kind
  /** The parent; null: the session is a Main. */
  readonly parent: SessionServices | null
  readonly spawning: MakeSpawn
  /** The limit; null: the agent's own limit, for a Main. */
  readonly budget: BudgetData.Limit | null
  readonly returnResult: Tool.Any | null
  /** True for a session without a view: its work is not shown, and it requests no approvals. */
  readonly isQuiet?: boolean
}

/** The parts that several of its services use. */
interface SharedParts extends Pick<Parts, "agent" | "journal" | "kind" | "tree"> {
  readonly channel: Channel["Service"]
  readonly channelName: () => string | null
  readonly path: ReadonlyArray<Session.SessionId>
  readonly registry: SessionRegistry
  readonly toolContext: ToolContext.ToolContext
  readonly provenance: ReturnType<typeof Provenance.provenanceOf>
  readonly budget: SessionBudget.SessionBudget
  readonly commit: WorkspaceCommit.CommitState
  readonly asks: TurnAsks.TurnAsks
}

export const makeSession = (sessionParts: Parts): SessionServices => {
  const parts = { ...sessionParts, agent: Experiments.assign(sessionParts.agent, sessionParts.journal.treeId) }
  const { agent, journal, kind, returnResult, spawning, tree } = parts
  const readEarlier = ReadEarlier.make(journal, tree.store)
  const registry = registryOf(agent, [readEarlier, returnResult])
  const shared = sharedParts(parts, registry, () => session)
  enterTree(shared)
  const { budget, path, provenance, toolContext } = shared
  const inbox = inboxOf(shared)
  const caller = callerOf(parts, shared, { registry, readEarlier, returnResult })
  const turns = turnsOf(parts, shared, { inbox, caller })
  const session: SessionServices = {
    agent,
    kind,
    path,
    toolContext,
    provenance,
    spawning,
    tree,
    journal,
    inbox,
    budget,
    turns
  }
  return session
}

const sharedParts = (parts: Parts, registry: SessionRegistry, session: () => SessionServices): SharedParts => {
  const { agent, isQuiet = false, journal, kind, parent, tree } = parts
  return {
    agent,
    journal,
    kind,
    tree,
    channel: isQuiet ? silent : tree.channel,
    channelName: isQuiet ? () => null : tree.channelName,
    path: [...(parent?.path ?? []), journal.sessionId],
    registry,
    toolContext: contextOf(parts, session),
    provenance: provenanceOf(parts, registry),
    budget: SessionBudget.make(journal.state, parts.budget ?? budgetOf(agent.limits)),
    commit: WorkspaceCommit.make(agent.workspace.commit),
    asks: TurnAsks.make()
  }
}

/** Adds to the tree what the session's earlier work has used: command numbers, approved hosts and written files. */
const enterTree = ({ agent, journal, registry, tree }: SharedParts): void => {
  agent.workspace.commands?.reserveIds(journal.treeId, journal.state.lastCommandNumber)
  for (const host of journal.provenance.approvedHosts) tree.hosts.add(host)
  tree.writers.set(journal.sessionId, { ran: journal.provenance.ran, registry })
}

const callerOf = (
  { agent, kind, parent, tree }: Parts,
  shared: SharedParts,
  ownTools: SystemPrompt.OwnTools
): ModelCaller.ModelCaller =>
  ModelCaller.make({
    journal: shared.journal,
    channel: shared.channel,
    budget: shared.budget,
    model: agent.model ?? parent?.turns.caller.model ?? tree.model,
    redaction: agent.redaction,
    system: SystemPrompt.text(agent, kind),
    declarations: SystemPrompt.declarationsOf(agent, ownTools, shared.journal.state),
    announce: Prewarm.make({ ...shared, redaction: agent.redaction, scope: tree.scope }),
    isTraced: tree.isTraced,
    isLeaving: tree.isLeaving
  })

const turnsOf = (
  { isQuiet = false }: Parts,
  shared: SharedParts,
  { caller, inbox }: Pick<Turns, "caller" | "inbox">
): Turns => {
  const { agent, asks, budget, channel, journal, kind, tree } = shared
  const hooks = hooksOf(shared)
  return {
    journal,
    channel,
    inbox,
    budget,
    caller,
    tools: toolsOf(shared),
    // Only a Main has the hook, because children report to their parent, at whose end of turn the hook runs.
    beforeStop: hooks === null || kind !== "Main" || isQuiet ? null : SessionHooks.beforeStop(hooks),
    asks,
    limits: agent.limits,
    tree
  }
}

const hooksOf = ({ agent, channel, journal }: Pick<SharedParts, "agent" | "channel" | "journal">) =>
  agent.hooks === undefined ? null : { hooks: agent.hooks, journal, channel, redact: agent.redaction.redact }

const silent: Channel["Service"] = { name: null, ask: null, publish: () => Effect.void }

/** Returns the tools of its pack, and those that every session provides itself. */
const registryOf = (agent: Agent, sessionTools: ReadonlyArray<Tool.Any | null>): SessionRegistry => {
  const brought = sessionTools.filter((tool) => tool !== null).map((tool) => [tool.name, tool] as const)
  const registry = new SessionRegistry(agent, [...Object.entries<Tool.Any>(agent.tools.pack.tools), ...brought])
  const foreign = Copies.fault(registry.values())
  if (foreign !== null) throw new Error(foreign)
  return registry
}

/**
 * Adds the session's own capabilities to the agent's. Neither a Worker nor a session without a view can start children.
 */
const contextOf = (
  { agent, isQuiet, journal, kind, spawning, tree }: Parts,
  session: () => SessionServices
): ToolContext.ToolContext => {
  const spilled = ToolContext.constant(SpilledOutput.make(journal, tree))
  const described = ToolContext.provide(agent.context, ForeignDescriptions, ToolContext.constant(null))
  const reading = ToolContext.provide(described, Capability.SpilledOutput, spilled)
  if (agent.context.kind === "Worker" || isQuiet === true) return reading
  const attachments = ToolContext.constant(Attachments.make(journal, tree.store))
  const attached = ToolContext.provide(reading, Capability.Attachments, attachments)
  const messages = ChannelCapability.provide({ journal, kind, live: tree.live, channel: tree.channel })
  const talking = messages === null ? attached : ToolContext.provide(attached, Capability.Channel, messages)
  const chaining = ToolContext.provide(talking, Capability.Chain, {
    make: (invocation) => ({
      run: (links) => Effect.flatMap(chains, (loaded) => loaded.run({ session: session(), invocation }, links))
    }),
    reach: "Confined",
    preconditions: []
  })
  const sampling = ToolContext.provide(chaining, Capability.Sampling, SamplingRequests.provide(session))
  if (tree.childAgent === null) return sampling
  return ToolContext.provide(sampling, Capability.Spawn, {
    make: (invocation) => spawning(session(), invocation),
    reach: "Confined",
    preconditions: []
  })
}

/** Loads the module for chains at the first chain. */
const chains = Effect.promise(() => import("../chain/RunChain.ts"))

const provenanceOf = ({ agent, journal, parent, tree }: Parts, registry: DispatchContext.Registry) =>
  Provenance.provenanceOf(journal.provenance, {
    above: parent?.provenance ?? null,
    hosts: tree.hosts,
    addresses: agent.addresses,
    // Includes tools of other kinds, because a fork contains results of tools that it does not have.
    labelsOf: (tool) => Capability.labelsOf((registry.get(tool) ?? agent.tools.registry.get(tool))?.capabilities ?? [])
  })

const factsOf = ({ name, user, workspace }: Agent, channel: Channel["Service"]): SessionFacts => ({
  name,
  user,
  workspaceRoot: workspace.root,
  channel: channel.name
})

const inboxOf = ({ agent, channel, journal, kind, tree: { store } }: SharedParts): Inbox.SessionInbox =>
  Inbox.make({
    journal,
    store,
    opening:
      kind === "Main"
        ? { journal, store, facts: factsOf(agent, channel), instructions: agent.prompt.instructions }
        : null,
    recallNotes: (state, text) => MemoryRecall.forMessage(agent, state, text),
    redact: agent.redaction.redact,
    ...(agent.changeMode === undefined ? {} : { changeMode: agent.changeMode }),
    ...(kind === "Main" ? screenOf({ agent, channel, journal }) : {})
  })

const screenOf = (shared: Pick<SharedParts, "agent" | "channel" | "journal">): Pick<Inbox.SessionInbox, "screen"> => {
  const hooks = hooksOf(shared)
  return hooks === null ? {} : { screen: SessionHooks.screenMessages(hooks) }
}

const toolsOf = (shared: SharedParts): ToolRunner => {
  const { budget, channel, commit, journal, kind, tree } = shared
  return {
    journal,
    store: tree.store,
    channel,
    budget,
    pending: tree.pending,
    calls: callsOf(shared),
    ports: portsOf(shared),
    commit,
    recovered: new Set(journal.state.openCalls.keys()),
    leavesOpen: () => kind !== "Main" || tree.isLeaving()
  }
}

const callsOf = ({
  agent,
  budget,
  channel,
  channelName,
  journal,
  path,
  provenance,
  registry,
  toolContext,
  tree
}: SharedParts) => ({
  registry,
  refreshTools: () => void registry.refresh(),
  elsewhere: kindsWithTool(agent),
  context: toolContext,
  redaction: agent.redaction,
  provenance,
  workspaceWrites: () => WorkspaceWrites.digestOf(tree.writers),
  permits: Semaphore.makeUnsafe(agent.limits.concurrentCalls),
  isTraced: tree.isTraced,
  snapshots: agent.workspace.snapshots,
  results: tree.results,
  versionOf: agent.tools.experiments === undefined ? undefined : Experiments.versionOf(agent),
  hooks: callHooksOf(hooksOf({ agent, channel, journal })),
  whyStopped: () => TimeBudget.reason(budget) ?? "interrupted",
  policy: policyOf(agent, tree),
  channelName,
  invocation: {
    sessionId: journal.sessionId,
    sessionPath: path,
    agent: agent.name,
    user: agent.user,
    workspaceRoot: agent.workspace.root,
    config: agent.config
  }
})

const callHooksOf = (hooks: SessionHooks.SessionHooksParts | null) =>
  hooks === null ? undefined : SessionHooks.forCalls(hooks)

const portsOf = ({ agent, asks, budget, channel, commit, channelName, journal, path, tree }: SharedParts) =>
  Context.make(
    Ledger.Ledger,
    CallLedger.make({
      ...tree,
      journal,
      commit,
      commands: agent.workspace.commands ?? null,
      experimentVersion: versionIn(agent)
    })
  ).pipe(
    Context.add(
      Gate.Gate,
      ApprovalGate.make({
        journal,
        store: tree.store,
        pending: tree.pending,
        rules: tree.rules,
        channel,
        channelName,
        path,
        activeTime: budget.activeTime,
        limits: agent.limits,
        asks
      })
    )
  )

/** The version of an experiment's tool in this tree; null: no experiment has the tool. */
const versionIn =
  ({ tools: { experiments = [], pack } }: Agent) =>
  (name: string): number | null =>
    experiments.some((one) => one.name === name) ? ((pack.tools[name] as Tool.Any | undefined)?.version ?? null) : null

/** The agent's rules, and the rules that users gave. */
const policyOf =
  (agent: Agent, { rules }: TreeGrants) =>
  () => {
    const policy = agent.currentPolicy?.() ?? agent.policy
    const current = rules.now()
    return current.length === 0 ? policy : { ...policy, rules: [...policy.rules, ...current] }
  }
