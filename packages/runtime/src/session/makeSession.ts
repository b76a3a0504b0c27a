/** Puts a session together: an agent, a journal, and what the tree has. */
import { Copies, Gate, Ledger } from "@bough/dispatch"
import type { Budget as BudgetData, Session } from "@bough/protocol"
import { Capability, type Tool, ToolContext } from "@bough/tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import * as ActiveTime from "../budget/ActiveTime.ts"
import { type Agent, budgetOf, held } from "./Agent.ts"
import * as ApprovalGate from "../approval/ApprovalGate.ts"
import * as Budget from "../budget/Budget.ts"
import type { Channel } from "../ports/Channel.ts"
import * as CallLedger from "../journal/CallLedger.ts"
import type { Journal } from "../journal/Journal.ts"
import * as ChannelCapability from "./ChannelCapability.ts"
import * as ReadEarlier from "../compaction/ReadEarlier.ts"
import type { SessionContext } from "./SessionContext.ts"
import * as Provenance from "./Provenance.ts"
import * as SpilledOutput from "./SpilledOutput.ts"
import * as SystemPrompt from "./SystemPrompt.ts"
import type { Tree } from "../tree/Tree.ts"
import * as UseTools from "./UseTools.ts"
import * as WorkspaceCommit from "./WorkspaceCommit.ts"

export interface Parts {
  readonly tree: Tree
  readonly agent: Agent
  readonly journal: Journal["Service"]
  readonly kind: Session.Kind
  /** Null: it is a Main. */
  readonly parent: SessionContext | null
  /** Null: the agent's own, for a Main. */
  readonly budget: BudgetData.Limit | null
  readonly returnResult: Tool.Any | null
  /** Nobody is shown what it does, and nobody is asked. */
  readonly isQuiet?: boolean
}

export const makeSession = (parts: Parts): SessionContext => {
  const { agent, budget, journal, kind, parent, returnResult, tree } = parts
  const isQuiet = parts.isQuiet ?? false
  const channel = isQuiet ? nobody : tree.channel
  const useTools = UseTools.make(SystemPrompt.deferredTools(agent).map(({ name }) => name))
  const readEarlier = ReadEarlier.make(journal, tree.store)
  const limit = budget ?? budgetOf(agent.limits)
  const own = [useTools, readEarlier, returnResult].filter((tool) => tool !== null)
  const registry = registryOf(agent, own)
  const foreign = Copies.fault(registry.values())
  if (foreign !== null) throw new Error(foreign)
  const path = [...(parent?.path ?? []), journal.sessionId]
  const activeTime = ActiveTime.make(() => journal.state.activeMillis)
  const asks = { refused: false }
  const commit = WorkspaceCommit.make(agent.commit)
  for (const host of journal.provenance.agreed) tree.hosts.add(host)
  tree.writers.set(journal.sessionId, { ran: journal.provenance.ran, registry })
  const running: SessionContext = {
    agent,
    kind,
    path,
    tree,
    system: SystemPrompt.text(agent, kind),
    declarations: SystemPrompt.declarationsOf(agent, { readEarlier, returnResult, useTools }, journal.state),
    owesResult: returnResult !== null,
    registry,
    toolContext: contextOf({ agent, journal, tree, isQuiet }, () => running),
    journal,
    store: tree.store,
    model: agent.model ?? parent?.model ?? tree.model,
    channel,
    dispatching: Context.make(Ledger.Ledger, CallLedger.make(journal, tree, commit)).pipe(
      Context.add(
        Gate.Gate,
        ApprovalGate.make({
          journal,
          tree: isQuiet ? { ...tree, channel, hasChannel: () => false } : tree,
          path,
          activeTime,
          limits: agent.limits,
          asks
        })
      )
    ),
    policy: policyOf(agent, tree),
    provenance: Provenance.provenanceOf(journal.provenance, {
      above: parent?.provenance ?? null,
      hosts: tree.hosts,
      addresses: agent.addresses,
      // A fork has results of tools that it does not hold itself.
      labelsOf: (tool) => Capability.labelsOf((registry.get(tool) ?? agent.registry.get(tool))?.capabilities ?? [])
    }),
    limit,
    budget: () =>
      Budget.pageOf(journal.state, limit, limit.activeMillis === null ? 0 : ActiveTime.unrecorded(activeTime)),
    permits: Semaphore.makeUnsafe(agent.limits.concurrentCalls),
    activeTime,
    counted: { fixedTokens: null, silenceTold: false, oddityTold: false },
    asks,
    commit,
    prepared: new Set(),
    recovered: new Set(journal.state.openCalls.keys()),
    inbox: { mayHoldMore: true, version: 0, heeded: false }
  }
  return running
}

const nobody: Channel["Service"] = { name: null, ask: null, publish: () => Effect.void }

/** The tools of its pack, and those that every session brings itself. */
const registryOf = (agent: Agent, own: ReadonlyArray<Tool.Any>): SessionContext["registry"] =>
  new Map([...held(agent), ...own.map((tool) => [tool.name, tool] as const)])

/** The agent's capabilities and those that only a session has. A Worker starts nobody, nor does who works unseen. */
const contextOf = (
  { agent, isQuiet, journal, tree }: Pick<Parts, "agent" | "isQuiet" | "journal" | "tree">,
  running: () => SessionContext
) => {
  const spilled = ToolContext.constant(SpilledOutput.make(journal, tree.blobs))
  const reading = ToolContext.provide(agent.context, Capability.SpilledOutput, spilled)
  if (agent.context.kind === "Worker" || isQuiet === true) return reading
  const messages = ChannelCapability.provided(tree, running)
  const talking = messages === null ? reading : ToolContext.provide(reading, Capability.Channel, messages)
  if (tree.childAgent === null) return talking
  return ToolContext.provide(talking, Capability.Spawn, {
    make: (invocation) => tree.spawning(running(), invocation),
    reach: "Confined",
    preconditions: []
  })
}

/** The agent's rules and those that people gave. */
const policyOf =
  ({ policy }: Agent, { rules }: Tree) =>
  () => {
    const given = rules.now()
    return given.length === 0 ? policy : { ...policy, rules: [...policy.rules, ...given] }
  }
