/** The facts that an approval depends on, as sentences. Pure; not escaped. */
import type { Approval } from "@bough/protocol"

/** Completes "valid while …". */
export const sentence = (fact: Approval.Precondition): string => {
  switch (fact._tag) {
    case "FileDigest":
      return fact.digest === null ? `${fact.path} does not exist` : `${fact.path} is unchanged (${short(fact.digest)})`
    case "Directory":
      return `${fact.path} is the same folder`
    case "EnvironmentKeys":
      return fact.keys.length === 0 ? "no variable is set" : `the variables are ${fact.keys.join(", ")}`
    case "SandboxProfile":
      return `the sandbox is ${fact.profile}`
    case "Addresses":
      return `${fact.host}:${fact.port} leads to ${fact.addresses.join(", ")}`
    case "WorkspaceWrites":
      return "no other call of this session tree has run that may write the folder"
    case "Fact":
      return `${fact.key} is unchanged (${short(fact.digest)})`
  }
}

/** An abbreviated digest; the stored approval contains the complete one. */
const short = (digest: string): string => (digest.length > 20 ? `${digest.slice(0, 19)}…` : digest)
