/** The user's vault for commands: entries become variables, and their values are redacted in output. */
import { ToolError } from "@bough/protocol"
import type { Grant } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { Variables } from "./Environment.ts"

/** Redacts text that arrives in pieces; the end of a piece is delayed while it could be the beginning of a value. */
export interface StreamRedaction {
  readonly push: (piece: string) => string
  /** Returns the part that was delayed. */
  readonly end: () => string
}

export interface CommandVault {
  /** Returns the values of entries as variables, which are redacted from now on. */
  readonly variables: (names: ReadonlyArray<string>) => Effect.Effect<Variables, ToolError.ToolError>
  /** Reads the values of vault copies in the workspace, before a command can read them. */
  readonly refresh: Effect.Effect<void>
  /** Creates the redaction for one stream of output; null: there is nothing to redact. */
  readonly hiding: () => StreamRedaction | null
}

/** The parts of a command's request that come from the vault. */
export interface VaultParts {
  /** Variables of the command, which are never part of an argument list. */
  readonly secrets?: Variables
  readonly hiding?: CommandVault["hiding"]
}

const none: ReadonlyArray<string> = []

/** Returns the vault's parts of a request; fails for names that no grant of the call covers. */
export const partsOf = Effect.fnUntraced(function* (
  vault: CommandVault | undefined,
  grants: ReadonlyArray<Grant.Grant>,
  names: ReadonlyArray<string> = none
): Effect.fn.Return<VaultParts, ToolError.ToolError> {
  if (vault === undefined) return names.length === 0 ? {} : yield* denied("there is no vault here")
  const granted = new Set(grants.flatMap((grant) => (grant._tag === "Vault" ? grant.names : none)))
  const missing = names.filter((name) => !granted.has(name))
  if (missing.length > 0)
    return yield* denied(`no approval allows this command to use ${missing.join(", ")} of the vault`)
  yield* vault.refresh
  const { hiding } = vault
  return names.length === 0 ? { hiding } : { hiding, secrets: yield* vault.variables(names) }
})

const denied = (reason: string): ToolError.PermissionDenied =>
  new ToolError.PermissionDenied({ tier: "Elevated", reason })
