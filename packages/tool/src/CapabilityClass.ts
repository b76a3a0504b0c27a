/**
 * The parts that every capability has, whether it is Bough's or a pack's: a key, a floor and labels. The types of a
 * tool are computed from a list of capabilities.
 */
import type { Session, Tier } from "@bough/protocol"

/** The lowest tier that a tool with a capability may have. */
export type Floor = Exclude<Tier.Tier, "Elevated">

/**
 * How far an effect of a capability can reach. `Confined`: the workspace or a sandbox. `Open`: the outside world, so a
 * System call needs approval unless a rule decides. `Host`: the operator's own account, so every call is Elevated.
 */
export type Reach = "Confined" | "Open" | "Host"

/** A capability's class. The type is structural, so one list can contain keys of every service. */
export interface Any {
  readonly key: string
  readonly floor: Floor
  /** Its reach if `Capability.provide` does not state one. The host states the reach of built-in capabilities. */
  readonly reach?: Reach
  /** The labels that the entries of a session get from the first result on. */
  readonly labels?: ReadonlyArray<Session.Label>
  /** Set if others can see a tool's use of it: `egress` names the arguments that they see. */
  readonly sends?: true
  // oxlint-disable-next-line typescript/no-explicit-any -- each key's identifier is its own
  readonly Identifier: any
  // oxlint-disable-next-line typescript/no-explicit-any -- each key's service is its own
  readonly Service: any
}

/** The labels of a list of capabilities, each once. */
export const labelsOf = (capabilities: ReadonlyArray<Any>): ReadonlyArray<Session.Label> => [
  ...new Set(capabilities.flatMap(({ labels }) => labels ?? []))
]

/** The identifiers of a list of capabilities. */
export type Of<Keys extends ReadonlyArray<Any>> = Keys[number]["Identifier"]

/** The identifiers of the capabilities that only read, which `classify` and `preview` may use. */
export type ReadOf<Keys extends ReadonlyArray<Any>> = Extract<
  Keys[number],
  { readonly floor: "ReadOnly" }
>["Identifier"]

/**
 * The tiers at or above the floor of every capability. If the list's type is too wide to compute them, the floors are
 * checked when the tool is made. They are also checked then if the declaration has another compile error, so that the
 * compiler reports that error.
 */
export type TierOf<Keys extends ReadonlyArray<Any>> = Any extends Keys[number]
  ? Tier.Tier
  : "System" extends Keys[number]["floor"]
    ? "System" | "Elevated"
    : "Workspace" extends Keys[number]["floor"]
      ? "Workspace" | "System" | "Elevated"
      : Tier.Tier

type FloorOf<Keys extends ReadonlyArray<Any>> = "System" extends Keys[number]["floor"] ? "System" : "Workspace"

/** The type `T` if these capabilities allow that tier; otherwise the error text that the compiler shows. */
export type TierFor<T extends Tier.Tier, Keys extends ReadonlyArray<Any>> = [T] extends [TierOf<Keys>]
  ? T
  : [Tier.Tier] extends [T]
    ? TierOf<Keys>
    : `the tier is at least ${FloorOf<Keys>}, the floor of ${Join<
        Short<Extract<Keys[number], { readonly floor: FloorOf<Keys> }>["key"]>
      >}`

/** Returns "WorkspaceRead" for "@bough/tool/WorkspaceRead". */
export type Short<Key extends string> = Key extends `${string}/${infer Rest}` ? Short<Rest> : Key

/**
 * True if two capabilities are the same one. A capability of Bough may come from another copy of this package; any
 * other capability must be the same class.
 */
export const isSame = (a: Any, b: Any): boolean =>
  a === b ||
  (a.key === b.key &&
    a.key.startsWith("@bough/") &&
    a.floor === b.floor &&
    a.sends === b.sends &&
    (a.labels ?? []).join() === (b.labels ?? []).join())

/** The fault of two capabilities with the same key. */
export const clash = (key: string): string =>
  `two different capabilities are called ${key}: give one of them a namespace, as in "acme/${shortName(key)}", or use one copy of the package that declares it`

/** The last segment of a key. */
export const shortName = (key: string): string => key.slice(key.lastIndexOf("/") + 1)

/** The short names of identifiers, joined by commas. */
export type NamesOf<R> = Join<R extends { readonly key: infer K extends string } ? Short<K> : "an unknown service">

/** The capabilities that `make` declared, without the built-in ones. */
export type OwnOf<R> = R extends { readonly key: infer K extends string }
  ? K extends `@bough/${string}`
    ? never
    : R
  : R

/** The type "a, b, c" for "a" | "b" | "c". */
type Join<Names extends string> = [Names] extends [never]
  ? ""
  : LastOf<Names> extends infer Last extends string
    ? [Exclude<Names, Last>] extends [never]
      ? Last
      : `${Join<Exclude<Names, Last>>}, ${Last}`
    : never

type LastOf<Union> = (Union extends unknown ? (take: (member: Union) => void) => void : never) extends (
  take: infer Takes
) => void
  ? LastTaken<Takes>
  : never
type LastTaken<Takes> = Takes extends (member: infer Last) => void ? Last : never
