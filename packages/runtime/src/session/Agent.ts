/** The parts of a session that the app chooses: tools, their capabilities, rules, instructions, limits. */
import type { DispatchContext, Redaction } from "@bough/dispatch"
import type { Policy } from "@bough/policy"
import type { Budget, Session, ToolError } from "@bough/protocol"
import type { BackgroundCommands, Experiment, SessionKind, Snapshots, Tool, ToolContext } from "@bough/tool"
import type * as Effect from "effect/Effect"
import type { Hooks } from "../ports/Hooks.ts"
import type { Model } from "../ports/Model.ts"

/** Text that instructs, such as a trusted AGENTS.md; users know it by the name `source`. */
export interface Instruction {
  readonly source: string
  readonly text: string
}

export interface Limits {
  /** Model calls in one turn, at least 1. */
  readonly maxSteps: number
  /** The maximum cost of the session and its descendants; null: no limit. */
  readonly maxCostUsd: number | null
  /** The limits other than money. */
  readonly treeBudget: Omit<Budget.Limit, "costUsd" | "spawns">
  /** The maximum number of handlers that run at once. */
  readonly concurrentCalls: number
  readonly approvalDeadlineMillis: number
  /** The time that a step waits for an approval before the call is deferred and the work continues. */
  readonly approvalGraceMillis: number
  /** The maximum number of approval requests in one turn; a further one stops the turn. */
  readonly maxAsks: number
  /** The maximum number of levels of sessions below a Main. */
  readonly maxDepth: number
  /** The maximum number of sessions that one tree may start in total. */
  readonly maxSpawns: number
  /** The maximum number of running children of one session. */
  readonly maxLiveChildren: number
  /** The active time of a child; waiting does not count. */
  readonly branchLifetimeMillis: number
  readonly workerLifetimeMillis: number
  /** The time within which a child must finish after it was told to end. */
  readonly wrapUpMillis: number
}

/** The limits of a program that configures none. */
export const defaultLimits: Limits = {
  maxSteps: 32,
  maxCostUsd: null,
  treeBudget: { inputTokens: null, outputTokens: null, activeMillis: null, steps: null },
  concurrentCalls: 8,
  approvalDeadlineMillis: 7 * 24 * 60 * 60 * 1000,
  approvalGraceMillis: 30 * 1000,
  maxAsks: 10,
  maxDepth: 4,
  maxSpawns: 256,
  maxLiveChildren: 8,
  branchLifetimeMillis: 30 * 60 * 1000,
  workerLifetimeMillis: 5 * 60 * 1000,
  wrapUpMillis: 30 * 1000
}

/** Returns the budget of a Main and its descendants. */
export const budgetOf = ({ maxCostUsd, maxSpawns, treeBudget }: Limits): Budget.Limit => ({
  ...treeBudget,
  costUsd: maxCostUsd,
  spawns: maxSpawns
})

/** Notes as text for the model; `untrusted`: true if one of them is untrusted. */
export interface RecalledText {
  readonly text: string
  readonly untrusted: boolean
}

/** Tools that come and go while a session is open, such as those of servers that are connected in the background. */
export interface LiveTools {
  readonly tools: () => ReadonlyMap<string, Tool.Any>
  /** Changes when the tools do. */
  readonly revision: () => number
}

/** The workspace of the agent's sessions, and the records of its changes. */
export interface AgentWorkspace {
  readonly root: string
  /** The git commit that the workspace is at now; null: there is none. Absent: receipts name no commit. */
  readonly commit?: Effect.Effect<string | null>
  /** The commands that continue after their calls. Absent: no command does. */
  readonly commands?: BackgroundCommands
  /** Records the workspace around calls that may write it. Absent: changes cannot be undone. */
  readonly snapshots?: Snapshots.Snapshots
}

/** The tools of this kind of session, which may call no others, and what is known of all tools. */
export interface AgentTools extends SessionKind.KindTools {
  /**
   * Every compiled-in tool by name, for all kinds of session: it is used for the labels of earlier results and for
   * errors about tools of other kinds.
   */
  readonly registry: ReadonlyMap<string, Tool.Any>
  /** Tools declared in full from the start; the others are only named, and `use_tools` declares them on request. */
  readonly core: ReadonlySet<string>
  /** Returns the kinds of session that have a tool, for a call by a session without it. Absent: no kind is named. */
  readonly kindsOf?: (tool: string) => ReadonlyArray<Session.Kind>
  /**
   * Returns the reason why no session has a tool, such as a missing backend or a server that did not start; null: there
   * is no such reason.
   */
  readonly unavailable?: (tool: string) => string | null
  /** Tools that have another version in some session trees than in `pack`. */
  readonly experiments?: ReadonlyArray<Experiment.Experiment>
  /** Tools that appear and disappear while its sessions are open, in addition to `pack`. Absent: there are none. */
  readonly live?: LiveTools
}

/** The texts for the model, apart from the conversation. */
export interface AgentPrompt {
  readonly instructions: ReadonlyArray<Instruction>
  /** Lines of the system prompt that tell the agent how to work and report. Default: general ones. */
  readonly guidance?: ReadonlyArray<string>
  /** The machine, the date and the repository. Absent: the prompt does not mention them. */
  readonly environment?: Effect.Effect<string>
  /** Returns the user's current preferences; null: there are none. Absent: the prompt contains none. */
  readonly preferences?: Effect.Effect<RecalledText | null>
  /** Returns the notes that are relevant to a message; null: there are none. Absent: no note is recalled. */
  readonly recall?: (message: string) => Effect.Effect<RecalledText | null>
}

export interface Agent {
  readonly name: string
  /** The user that the session works for; null: not known. */
  readonly user: string | null
  /**
   * The model of the agent's sessions. Default: the parent's model, or for a Main the Model that it was opened with.
   */
  readonly model?: Model["Service"]
  /** Makes a model for the requests of tools that name one. Absent: tools reach the session's own model alone. */
  readonly modelNamed?: (name: string) => Effect.Effect<Model["Service"], ToolError.ToolError>
  /**
   * The names of the agents that narrow a child, from the outermost to its own. Absent: the child has its Main's agent.
   */
  readonly narrowedBy?: ReadonlyArray<string>
  readonly workspace: AgentWorkspace
  readonly tools: AgentTools
  readonly prompt: AgentPrompt
  /** The capabilities without SpilledOutput, which the session itself provides. */
  readonly context: ToolContext.ToolContext
  readonly policy: Policy.Policy
  /** Returns the policy of the next call if the user may change it while the session works. Default: `policy`. */
  readonly currentPolicy?: () => Policy.Policy
  /** Changes the mode on which `currentPolicy` and the environment text depend. Absent: the agent has no modes. */
  readonly changeMode?: (mode: string) => void
  readonly redaction: Redaction.Redaction
  readonly limits: Limits
  /** The operator's hook programs for its sessions. Absent: there are none. */
  readonly hooks?: Hooks
  /** The web addresses that the operator's configuration names: no model composed them. */
  readonly addresses: ReadonlyArray<string>
  /** Configuration without secrets, for Invocation. */
  readonly config: Readonly<Record<string, unknown>>
}

/** Returns the tools that a session of the agent has now, by name. */
export const currentTools = ({ tools: { live, pack } }: Pick<Agent, "tools">): DispatchContext.Registry =>
  new Map([...(live?.tools() ?? []), ...Object.entries<Tool.Any>(pack.tools)])

/** Names the kinds of session that have a tool which this session lacks; null: there is no such tool. */
export const kindsWithTool =
  ({ tools: { kindsOf, pack, registry, unavailable } }: Pick<Agent, "tools">) =>
  (name: string): DispatchContext.Elsewhere | null => {
    if (Object.hasOwn(pack.tools, name)) return null
    const tool = registry.get(name)
    const unavailableReason = unavailable?.(name) ?? null
    if (unavailableReason !== null) return { tier: tool?.tier ?? "System", kinds: [], why: unavailableReason }
    if (tool === undefined) return null
    const kinds = kindsOf?.(name)
    return kinds?.length === 0 ? null : { tier: tool.tier, kinds: kinds ?? [] }
  }
