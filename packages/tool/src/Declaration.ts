/** The parts of a tool: facts, handlers, result. `Tool.make` and `Tool.fromAsync` combine and check them. */
import type { Approval, Artifact, Message, Tier, ToolError } from "@bough/protocol"
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Capability from "./CapabilityClass.ts"
import * as Contract from "./Contract.ts"
import * as DeclarationCheck from "./DeclarationCheck.ts"
import { type Egress, everything } from "./Egress.ts"
import type { Fact } from "./Fact.ts"
import type { Grant } from "./Grant.ts"
import { checkDeclaration } from "./internal/checkDeclaration.ts"
import type { Invocation } from "./Invocation.ts"
import type { Progress } from "./Progress.ts"

/** Any schema that needs no services to decode or encode. */
// oxlint-disable-next-line typescript/no-explicit-any -- a codec's two sides are free
export type Codec = Schema.Codec<any, any>

/** Services that every tool has, declared or not. */
export type Always = Invocation | Progress | Scope.Scope

/**
 * The conditions of a second run: a `Safe` call may always run again, an `Idempotent` call only with the same
 * `Invocation.callKey`, an `Unsafe` call never.
 */
export type Replay = "Safe" | "Idempotent" | "Unsafe"

/**
 * The part of a user interface that shows a tool in its own way. The arguments of a `Plan` are the agent's current
 * plan. A `Command` runs its argument `command` in a shell; the end of its output is the part that users want to see.
 */
export type Role = "Plan" | "Command"

/**
 * The condition under which a recorded result may answer an equal call: `reads` requires that everything that the call
 * read is unchanged.
 */
export type Cache = "reads"

/**
 * The calls that the rule behind "always" covers: `Tool` is all calls of the tool (at the same host, if the tool
 * declares the host of a call), for a tool whose arguments do not show its effect. A rule for an Elevated call names
 * its arguments in any case.
 */
export type RuleScope = "Tool"

/**
 * The facts about one call that depend on its arguments. A tier below the tool's own is ignored; `grants` extend the
 * reach of the call once the call is approved.
 */
export interface Classification {
  readonly tier: Tier.Tier
  /** The reason for the raised tier, for the user. */
  readonly reason?: string
  readonly grants?: ReadonlyArray<Grant>
  /**
   * The facts that determine the tier, such as the commit of a branch. An approval lapses if a fact has changed. The
   * handler gets the facts in its `Invocation`, so that it acts on exactly that state.
   */
  readonly facts?: ReadonlyArray<Fact>
  /**
   * The reason why a user has to decide on this call regardless of allow rules; only a deny rule takes precedence.
   */
  readonly everyTime?: string
}

/** The simple commands, each as a list of words; null: not all of them are known. */
export type Commands = ReadonlyArray<ReadonlyArray<string>> | null

/**
 * The text that a user sees before an approval, and the facts that it relies on. Before the call starts, the preview is
 * made again and compared with the preview that was shown.
 */
export interface Preview {
  readonly render: string
  readonly preconditions: ReadonlyArray<Approval.Precondition | Fact>
}

/**
 * `output` is typed data for journal and programs, and for the model unless the tool has `forModel`; `display` is one
 * short sentence for users. `media` reaches models that take images.
 */
export interface ToolResult<out Output> {
  readonly output: Output
  readonly display: string
  /** Further text for users, such as what a write changed: plain text. Text beyond 16 KiB is truncated. */
  readonly details?: string
  readonly artifacts?: ReadonlyArray<Artifact.Artifact>
  readonly media?: ReadonlyArray<Message.Media>
  /** The addresses that a search found. A later request to such an address discloses no more than the search did. */
  readonly discoveredUrls?: ReadonlyArray<string>
}

/** The facts of a tool, without its handlers. */
export interface Facts<
  P extends Codec,
  O extends Codec,
  Keys extends ReadonlyArray<Capability.Any>,
  T extends Tier.Tier = Tier.Tier
> {
  /** The description that the model reads. */
  readonly description: string
  /** The version, which the author increases when the behaviour changes: pending approvals of older versions lapse. */
  readonly version: number
  /** A Struct of the arguments; JSON Schema is derived from it. Unknown keys are refused. */
  readonly parameters: P
  readonly output: O
  /** Renders the output as the plain text that the model reads. Default: the encoded output as JSON text. */
  readonly forModel?: (output: O["Type"]) => string
  /**
   * The maximum number of UTF-8 bytes of one result that the model reads; the full text is a blob that `read_file`
   * reads page by page. Default 16 KiB.
   */
  readonly maxModelBytes?: number
  readonly capabilities: Keys
  readonly tier: Capability.TierFor<T, Keys>
  readonly replay: Replay
  /** The parts of the arguments that the call sends to others. Default: all of them, if a capability sends. */
  readonly egress?: Egress<P["Type"]>
  /**
   * The simple commands that the call runs, each as a list of words; null if they cannot be determined for sure. Rules
   * such as `command="npm test *"` are compared with them.
   */
  readonly commands?: (parameters: P["Type"]) => Effect.Effect<Commands>
  /**
   * Arguments that do not change the effect of the call, such as a reason for users; dotted if nested. A rule need not
   * name them.
   */
  readonly incidental?: ReadonlyArray<string>
  /** Default: the rule behind "always" names the paths, the host, the command, or all arguments of the call. */
  readonly ruleScope?: RuleScope
  /** The time limit in milliseconds; default 30,000. A function derives it from the arguments. */
  readonly timeoutMillis?: number | ((parameters: P["Type"]) => number)
  /**
   * True if its handler waits for other sessions: it takes no permit, and its time does not count as work. Default
   * false.
   */
  readonly releasesPermit?: boolean
  /** Default: user interfaces show it like any other tool. */
  readonly role?: Role
  /**
   * The backends that the tool requires: declared capabilities by their short names, as in `"CodeIntelligence"`, or
   * their features, as in `"NetworkRead.search"`. If a backend is missing, no session has the tool. Default: none;
   * calls without a declared capability are denied.
   */
  readonly requires?: ReadonlyArray<string>
  /**
   * `"reads"`: the result depends only on the arguments, on the session's agent, user and workspace, and on data that
   * is read through capabilities; not on time, random numbers, or state of the tool. An equal call within 60 seconds
   * may then be answered with the recorded result if all of these are unchanged. For ReadOnly tools that are Safe.
   * Default: every call runs.
   */
  readonly cache?: Cache
}

/** A tool as the dispatcher sees it. `R` are the services that its handler may use, `T` is its tier. */
export interface Tool<
  out Name extends string,
  P extends Codec,
  O extends Codec,
  out R,
  out T extends Tier.Tier = Tier.Tier
> {
  /** The copy of this package that made it. */
  readonly [Contract.key]?: Contract.Contract
  readonly name: Name
  readonly description: string
  readonly version: number
  readonly parameters: P
  readonly output: O
  /** Null: the model reads the encoded output as JSON text. */
  // oxlint-disable-next-line typescript/no-explicit-any -- `Facts` checks it; here it would fix the output's type
  readonly forModel: ((output: any) => string) | null
  readonly maxModelBytes: number
  readonly capabilities: ReadonlyArray<Capability.Any>
  readonly tier: T
  readonly replay: Replay
  /** Null: no arguments are sent to others. */
  readonly egress: Egress<P["Type"]> | null
  /** Null: the tool runs no commands, or does not declare them. */
  readonly commands: ((parameters: P["Type"]) => Effect.Effect<Commands>) | null
  readonly incidental: ReadonlySet<string>
  /** Null: the rule behind "always" is as narrow as is useful. */
  readonly ruleScope: RuleScope | null
  readonly timeoutMillis: (parameters: P["Type"]) => number
  readonly releasesPermit: boolean
  readonly role: Role | null
  /** Empty: the tool is available wherever its pack is. */
  readonly requires: ReadonlyArray<string>
  /** Null: every call runs. */
  readonly cache: Cache | null
  readonly classify: ((parameters: P["Type"]) => Effect.Effect<Classification, ToolError.ToolError, R | Always>) | null
  readonly preview: ((parameters: P["Type"]) => Effect.Effect<Preview, ToolError.ToolError, R | Always>) | null
  readonly findExisting:
    | ((parameters: P["Type"]) => Effect.Effect<ToolResult<O["Type"]> | null, ToolError.ToolError, R | Always>)
    | null
  readonly execute: (parameters: P["Type"]) => Effect.Effect<ToolResult<O["Type"]>, ToolError.ToolError, R | Always>
}

// oxlint-disable-next-line typescript/no-explicit-any -- holds tools of every name, schema and requirement
export type Any = Tool<string, any, any, any>

const defaultTimeoutMillis = 30_000

/** The maximum number of bytes of one result that the model reads if the tool declares no limit. */
export const defaultMaxModelBytes = 16 * 1024

type Parts<P extends Codec, O extends Codec, T extends Tier.Tier> = Omit<
  Facts<P, O, ReadonlyArray<Capability.Any>>,
  "tier"
> & { readonly tier: T }

type Functions<Name extends string, P extends Codec, O extends Codec, R> = Pick<Tool<Name, P, O, R>, "execute"> &
  Partial<Pick<Tool<Name, P, O, R>, "classify" | "preview" | "findExisting">>

/** Builds a declaration for `make` and `fromAsync`. Throws if it is wrong, with the tool, the field and the fix. */
export const fromParts = <Name extends string, P extends Codec, O extends Codec, R, T extends Tier.Tier>(
  name: Name,
  facts: Parts<P, O, T>,
  handlers: Functions<Name, P, O, R>
): Tool<Name, P, O, R, T> => {
  if (DeclarationCheck.isRequired()) checkDeclaration(name, facts, handlers)
  return fromChecked(name, facts, handlers)
}

/** Like `fromParts`, for a declaration that a program made: its parameters may be any schema of a JSON object. */
export const fromChecked = <Name extends string, P extends Codec, O extends Codec, R, T extends Tier.Tier>(
  name: Name,
  facts: Parts<P, O, T>,
  handlers: Functions<Name, P, O, R>
): Tool<Name, P, O, R, T> => {
  const { timeoutMillis } = facts
  return {
    [Contract.key]: Contract.own,
    name,
    description: facts.description,
    version: facts.version,
    parameters: facts.parameters,
    output: facts.output,
    forModel: facts.forModel ?? null,
    maxModelBytes: facts.maxModelBytes ?? defaultMaxModelBytes,
    capabilities: facts.capabilities,
    tier: facts.tier,
    replay: facts.replay,
    egress: facts.egress ?? (facts.capabilities.some(({ sends }) => sends === true) ? everything : null),
    commands: facts.commands ?? null,
    incidental: new Set(facts.incidental),
    ruleScope: facts.ruleScope ?? null,
    timeoutMillis: typeof timeoutMillis === "function" ? timeoutMillis : () => timeoutMillis ?? defaultTimeoutMillis,
    releasesPermit: facts.releasesPermit ?? false,
    role: facts.role ?? null,
    requires: facts.requires ?? [],
    cache: facts.cache ?? null,
    classify: handlers.classify ?? null,
    preview: handlers.preview ?? null,
    findExisting: handlers.findExisting ?? null,
    execute: handlers.execute
  }
}
