/**
 * How soon the readers get a frame. A write costs more than everything else that is done for a frame, so the frames of
 * a step are written together.
 */
import type { Frame } from "@bough/gateway-api"
import type { Entry } from "@bough/protocol"

/**
 * - `now`: text, approvals, and everything that ends or begins a turn;
 * - `paced`: the calls of a step, at most once in `Waiters.lateMillis`;
 * - `later`: a frame that shows nothing new to a user, with the next frame.
 */
export type FrameUrgency = "now" | "paced" | "later"

const entryUrgency: Partial<Record<Entry.Body["_tag"], FrameUrgency>> = {
  StepStarted: "later",
  ModelReplied: "paced",
  CallStarted: "paced",
  CallEnded: "paced"
}

export const fromFrame = (frame: Frame.Frame): FrameUrgency => {
  if (frame._tag === "Entry") return entryUrgency[frame.entry.body._tag] ?? "now"
  return frame._tag === "ToolStarted" || frame._tag === "ToolProgressed" ? "paced" : "now"
}

/** Returns the higher urgency. `urgency` null: there is only the other. */
export const max = (urgency: FrameUrgency | null, other: FrameUrgency): FrameUrgency =>
  urgency === null || other === "now" || urgency === "later" ? other : urgency
