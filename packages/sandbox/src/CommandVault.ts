/** The user's vault as commands meet it: entries become variables, and values are hidden in what commands print. */
import { ToolError } from "@bough/protocol"
import type { Grant } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { Variables } from "./Environment.ts"

/** Text that comes in pieces; the end is held back while it may be the beginning of a value. */
export interface Hiding {
  readonly push: (piece: string) => string
  /** Returns the part that was held back. */
  readonly end: () => string
}

export interface CommandVault {
  /** The values of entries as variables of their names. From here on they are hidden. */
  readonly variables: (names: ReadonlyArray<string>) => Effect.Effect<Variables, ToolError.ToolError>
  /** Learns the values that commands may find in the workspace, before a command starts. */
  readonly refresh: Effect.Effect<void>
  /** Made for one stream of output; null: there is nothing to hide. */
  readonly hiding: () => Hiding | null
}

/** The parts of a command's request that the vault decides. */
export interface VaultParts {
  /** Set for the command alone, in no argument list. */
  readonly secrets?: Variables
  readonly hiding?: CommandVault["hiding"]
}

const none: ReadonlyArray<string> = []

/** Gets the values that a user granted the call, and refuses all others. */
export const partsOf = Effect.fnUntraced(function* (
  vault: CommandVault | undefined,
  grants: ReadonlyArray<Grant.Grant>,
  names: ReadonlyArray<string> = none
): Effect.fn.Return<VaultParts, ToolError.ToolError> {
  if (vault === undefined) return names.length === 0 ? {} : yield* denied("there is no vault here")
  const granted = new Set(grants.flatMap((grant) => (grant._tag === "Vault" ? grant.names : none)))
  const missing = names.filter((name) => !granted.has(name))
  if (missing.length > 0) return yield* denied(`no approval gives this command ${missing.join(", ")} of the vault`)
  yield* vault.refresh
  const { hiding } = vault
  return names.length === 0 ? { hiding } : { hiding, secrets: yield* vault.variables(names) }
})

const denied = (reason: string): ToolError.PermissionDenied =>
  new ToolError.PermissionDenied({ tier: "Elevated", reason })
