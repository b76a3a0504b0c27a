/** The query keys that a frame makes stale. */
import type { Body, Frame } from "./Journal.ts"

const byEntry: Partial<Record<Body["_tag"], ReadonlyArray<string>>> = {
  UserMessage: ["sessions", "tree"],
  ModelReplied: ["tree"],
  ChildSpawned: ["tree"],
  ChildEnded: ["tree"],
  StateChanged: ["sessions", "session", "tree"],
  SessionEnded: ["sessions", "session", "tree"],
  ApprovalAsked: ["approvals", "tree"],
  ApprovalDecided: ["approvals", "tree", "rules"],
  RuleGiven: ["rules"],
  RuleRevoked: ["rules"],
  CallEnded: ["changes"]
}

export const staleKeys = (frame: Frame): ReadonlyArray<string> => {
  switch (frame._tag) {
    case "Entry":
      return byEntry[frame.entry.body._tag] ?? []
    case "ApprovalAsked":
    case "ApprovalEnded":
      return ["approvals"]
    case "TurnStarted":
    case "TurnEnded":
    case "TurnFailed":
      return ["sessions", "session", "tree"]
    default:
      return []
  }
}
