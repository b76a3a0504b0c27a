/** The parts of a session that run its calls: its tools, their capabilities, and the ports for their records. */
import type { DispatchContext, Gate, Ledger } from "@bough/dispatch"
import type { Session } from "@bough/protocol"
import type * as Context from "effect/Context"
import type { PendingApprovals } from "../approval/PendingApprovals.ts"
import type { SessionBudget } from "../budget/SessionBudget.ts"
import type { Journal } from "../journal/Journal.ts"
import type { Channel } from "../ports/Channel.ts"
import type { SessionStore } from "../ports/SessionStore.ts"
import type * as WorkspaceCommit from "./WorkspaceCommit.ts"

type DispatchServices = DispatchContext.DispatchContext

/** The facts that are the same for every call of a session. */
export interface CallFacts extends Required<
  Pick<
    DispatchServices,
    | "registry"
    | "elsewhere"
    | "context"
    | "redaction"
    | "provenance"
    | "workspaceWrites"
    | "permits"
    | "results"
    | "whyStopped"
    | "isTraced"
  >
> {
  /** Applies changes of the tools that appear and disappear; before a step of the model, its prompt does. */
  readonly refreshTools: () => void
  /** Returns the current rules: the agent's and those that users gave. */
  readonly policy: () => DispatchServices["policy"]
  /** The recorder of the workspace; undefined: nothing is recorded. */
  readonly snapshots: DispatchServices["snapshots"]
  /** Undefined if there are no experiments. */
  readonly versionOf: DispatchServices["versionOf"]
  /** Undefined if there are no hooks. */
  readonly hooks: DispatchServices["hooks"]
  readonly channelName: () => string | null
  readonly invocation: Omit<DispatchServices["invocation"], "turn" | "step">
}

export interface ToolRunner {
  readonly journal: Journal["Service"]
  readonly store: SessionStore["Service"]
  readonly channel: Channel["Service"]
  readonly budget: SessionBudget
  readonly pending: PendingApprovals
  readonly calls: CallFacts
  readonly ports: Context.Context<Gate.Gate | Ledger.Ledger>
  readonly commit: WorkspaceCommit.CommitState
  /** Calls that an earlier process left open, so that it is unknown whether they ran. */
  readonly recovered: ReadonlySet<Session.ToolCallId>
  /** True if interrupted calls stay open: their tree ends them, or a later process continues them. */
  readonly leavesOpen: () => boolean
}

/**
 * The dispatcher's view of a session at one of its steps. All members except the rules are own properties, so the
 * object can be spread.
 */
class StepCaller implements DispatchServices {
  readonly registry: DispatchServices["registry"]
  readonly elsewhere: CallFacts["elsewhere"]
  readonly context: DispatchServices["context"]
  readonly redaction: DispatchServices["redaction"]
  readonly provenance: DispatchServices["provenance"]
  readonly workspaceWrites: CallFacts["workspaceWrites"]
  readonly permits: DispatchServices["permits"]
  readonly results: CallFacts["results"]
  readonly channel: string | null
  readonly whyStopped: CallFacts["whyStopped"]
  readonly isTraced: boolean
  readonly observe: DispatchServices["observe"]
  readonly invocation: DispatchServices["invocation"]
  readonly hooks?: Exclude<DispatchServices["hooks"], undefined>
  readonly versionOf?: Exclude<DispatchServices["versionOf"], undefined>
  readonly snapshots?: Exclude<DispatchServices["snapshots"], undefined>
  readonly #policy: CallFacts["policy"]

  constructor({ calls, channel, journal: { state } }: ToolRunner) {
    const { agent, config, sessionId, sessionPath, user, workspaceRoot } = calls.invocation
    this.registry = calls.registry
    this.elsewhere = calls.elsewhere
    this.context = calls.context
    this.redaction = calls.redaction
    this.provenance = calls.provenance
    this.workspaceWrites = calls.workspaceWrites
    this.permits = calls.permits
    this.results = calls.results
    this.channel = calls.channelName()
    this.whyStopped = calls.whyStopped
    this.isTraced = calls.isTraced
    if (calls.versionOf !== undefined) this.versionOf = calls.versionOf
    if (calls.snapshots !== undefined) this.snapshots = calls.snapshots
    if (calls.hooks !== undefined) this.hooks = calls.hooks
    this.observe = channel.publish
    const { step, turn } = state
    this.invocation = { sessionId, sessionPath, agent, user, turn, step, workspaceRoot, config }
    this.#policy = calls.policy
  }

  /** The current rules: a rule that a user gives or revokes applies from the next call on. */
  get policy(): DispatchServices["policy"] {
    return this.#policy()
  }
}

export const callerOf = (runner: ToolRunner): DispatchServices => new StepCaller(runner)
