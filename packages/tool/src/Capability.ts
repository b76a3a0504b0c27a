/**
 * The services that a handler may touch the world through. A capability's `floor` is the mildest tier of a tool that uses
 * it; its `labels` mark what a session learns through it.
 */
import type { Session, Tier } from "@bough/protocol"

export { Channel } from "./Channel.ts"
export { Environment } from "./Environment.ts"
export { Execution } from "./Execution.ts"
export { History } from "./History.ts"
export { MemoryRead } from "./MemoryRead.ts"
export { MemoryWrite } from "./MemoryWrite.ts"
export { NetworkRead } from "./NetworkRead.ts"
export { NetworkWrite } from "./NetworkWrite.ts"
export { RepositoryRead } from "./RepositoryRead.ts"
export { Scratchpad } from "./Scratchpad.ts"
export { Spawn } from "./Spawn.ts"
export { SpilledOutput } from "./SpilledOutput.ts"
export { WorkspaceRead } from "./WorkspaceRead.ts"
export { WorkspaceWrite } from "./WorkspaceWrite.ts"

/** A capability's class. Structural, so that a list can hold keys of every service. */
export interface Any {
  readonly key: string
  readonly floor: Exclude<Tier.Tier, "Elevated">
  /** Put on the entries of a session from the first result on. */
  readonly labels?: ReadonlyArray<Session.Label>
  /** What a tool does through it can be seen elsewhere: `egress` says what of its arguments. */
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

/** The identifiers of those that only read: what `classify` and `preview` may use. */
export type ReadOf<Keys extends ReadonlyArray<Any>> = Extract<
  Keys[number],
  { readonly floor: "ReadOnly" }
>["Identifier"]

/** The tiers at or above the floor of every capability. */
export type TierOf<Keys extends ReadonlyArray<Any>> = "System" extends Keys[number]["floor"]
  ? "System" | "Elevated"
  : "Workspace" extends Keys[number]["floor"]
    ? "Workspace" | "System" | "Elevated"
    : Tier.Tier

/** "WorkspaceRead" of "@bough/tool/WorkspaceRead". */
export type Short<Key extends string> = Key extends `${string}/${infer Rest}` ? Short<Rest> : Key

/** The last segment of a key. */
export const shortName = (key: string): string => key.slice(key.lastIndexOf("/") + 1)
