/** The facts for which an approval of a command holds: where it runs, and the names of its variables. */
import { Canonical } from "@bough/protocol"
import type { ProvidedExecution } from "./Backend.ts"
import * as Environment from "./Environment.ts"

export const preconditions = (
  profile: unknown,
  variables: Environment.Variables
): ProvidedExecution["preconditions"] => [
  { _tag: "SandboxProfile", profile: Canonical.digestOf(profile) },
  { _tag: "EnvironmentKeys", keys: Environment.keysOf(variables) }
]
