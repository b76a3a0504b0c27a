/** Formats a decision in a few words; text by users is not escaped. Pure. */
import type { Entry } from "@bough/protocol"

const scopeText = { session: "", project: " in this folder", user: " in all folders" }

export const formatDecision = (decision: Entry.BodyOf<"ApprovalDecided">["decision"]): string => {
  switch (decision._tag) {
    case "Approved":
      return decision.rule === null
        ? "approved"
        : `approved, always${scopeText[decision.scope ?? "session"]}: ${decision.rule}`
    case "Denied":
      return decision.words === null ? "denied" : `denied: ${decision.words}`
    case "Expired":
      return "expired"
    case "Withdrawn":
      return `withdrawn: ${decision.reason}`
    case "Lapsed":
      return `no longer needed: ${decision.reason}`
  }
}
