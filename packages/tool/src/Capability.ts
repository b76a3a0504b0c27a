/** The services that a handler may touch the world through. A capability's `floor` is the mildest tier of a tool that uses it. */
import type { Tier } from "@bough/protocol"

export { Execution } from "./Execution.ts"
export { RepositoryRead } from "./RepositoryRead.ts"
export { SpilledOutput } from "./SpilledOutput.ts"
export { WorkspaceRead } from "./WorkspaceRead.ts"
export { WorkspaceWrite } from "./WorkspaceWrite.ts"

/** A capability's class. Structural, so that a list can hold keys of every service. */
export interface Any {
  readonly key: string
  readonly floor: Exclude<Tier.Tier, "Elevated">
  // oxlint-disable-next-line typescript/no-explicit-any -- each key's identifier is its own
  readonly Identifier: any
  // oxlint-disable-next-line typescript/no-explicit-any -- each key's service is its own
  readonly Service: any
}

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
