/** Describes the authority by which a call was allowed or refused, for users. Pure; names and rules are not escaped. */
import type { Receipt } from "@bough/protocol"
import type { CallRecord } from "./CallRecord.ts"

/** Returns the authority in words; "-": no authority was needed, because no part of the call ran. */
export const text = ({ asked, outcome, receipt, started }: CallRecord): string => {
  if (receipt !== null) return formatAuthority(receipt.authority)
  const last = asked.at(-1)?.decided ?? null
  if (last !== null && started.length === 0) {
    switch (last.decision._tag) {
      case "Denied":
        return `denied by ${last.principal}`
      case "Expired":
        return "no decision in time"
      case "Withdrawn":
      case "Lapsed":
        return "nobody"
      case "Approved":
        return `user ${last.principal}`
    }
  }
  return outcome._tag === "Rejected" ? "denied by policy" : "-"
}

/** Describes an authority for users. */
export const formatAuthority = (authority: Receipt.Authority): string => {
  switch (authority._tag) {
    case "Automatic":
      return "automatic"
    case "Rule":
      return `rule ${authority.rule}`
    case "Config":
      return `config ${authority.source}`
    case "User":
      return `user ${authority.principal}`
  }
}
