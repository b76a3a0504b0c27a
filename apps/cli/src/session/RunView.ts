/** The output of `run` by format: the answer at the end, or every event as it comes. */
import { type Artifact, Entry, Event, type Session, Usage } from "@bough/protocol"
import { join, text } from "@bough/tui/text/SafeText"
import * as Schema from "effect/Schema"
import * as EventText from "../format/EventText.ts"
import * as Figures from "../format/Figures.ts"
import * as MessageText from "../format/MessageText.ts"
import type { Output } from "../io/Output.ts"
import type * as ReflectionText from "../terminal/ReflectionText.ts"
import * as PausableEvents from "../ui/plain/PausableEvents.ts"
import type { EventDisplay } from "./TerminalChannel.ts"

export type RunFormat = "text" | "json" | "stream-json"

export type Status = "completed" | "suspended" | "stopped" | "spent" | "failed" | "interrupted"

/** The end of the run. `reason` is "" if the status is enough. */
export interface RunEnd {
  readonly status: Status
  readonly text: string
  readonly reason: string
  /** The pending approvals. */
  readonly approvals: ReadonlyArray<Session.ApprovalId>
  /** The number of descendants that have not ended. */
  readonly liveSessions: number
  /** The result of the reflection; null or absent: there was none. */
  readonly reflection?: ReturnType<typeof ReflectionText.json> | null
}

export interface RunView extends EventDisplay {
  readonly end: (sessionId: Session.SessionId, ending: RunEnd) => void
}

/**
 * Returns the usage that the entry adds to the run. A child without its own view publishes no steps, so the usage in
 * its end is counted.
 */
const usageOf = (body: Entry.Body): Usage.Usage => {
  const entryUsage = Entry.usageOf(body)
  if (entryUsage !== null) return entryUsage
  return body._tag === "ChildEnded" && body.purpose !== undefined
    ? { ...body.result.usage, cachedInputTokens: 0 }
    : Usage.zero
}

/** Media sent by calls of this session; those that a delegate sent are recorded by the delegate's own calls. */
const sentMedia = (body: Entry.Body): ReadonlyArray<Artifact.Artifact> =>
  body._tag === "CallEnded" && body.tool !== "delegate"
    ? (body.receipt?.artifacts ?? []).filter(({ _tag }) => _tag === "MediaSent")
    : []

const encode = Schema.encodeUnknownSync(Event.Event)

export const make = (format: RunFormat, output: Output["Service"]): RunView => {
  let main: Session.SessionId | null = null
  let usage = Usage.zero
  const sentArtifacts: Array<Artifact.Artifact> = []
  const linesOf = EventText.make()
  const progress = (event: Event.Event): void => {
    // Progress of a tool is only for a user at a terminal.
    if (event._tag === "ToolProgressed" && !output.stderrIsTerminal && !output.verbose) return
    if (event._tag === "MessageSent")
      return output.noteEscaped(join(MessageText.rows(event, output.columns()), text`\n`))
    for (const line of linesOf(event, { columns: output.columns(), style: output.style })) {
      output.noteEscaped(event.sessionId === main ? line : text`  ${line}`)
    }
  }
  const events = PausableEvents.make((event) =>
    format === "stream-json" ? output.json(encode(event)) : progress(event)
  )
  return {
    show: (event) => {
      if (event._tag === "Attached") main = event.sessionId
      if (event._tag === "Recorded") usage = Usage.add(usage, usageOf(event.entry.body))
      if (event._tag === "Recorded") sentArtifacts.push(...sentMedia(event.entry.body))
      events.take(event)
    },
    hold: events.hold,
    release: events.release,
    end: (sessionId, { approvals, liveSessions, reason, reflection = null, status, text }) => {
      const more = {
        ...(reason === "" ? {} : { reason }),
        ...(approvals.length === 0 ? {} : { approvals }),
        ...(liveSessions === 0 ? {} : { liveSessions }),
        ...(reflection === null ? {} : { reflection })
      }
      if (format === "json")
        output.json({
          sessionId,
          status,
          text,
          usage,
          ...(sentArtifacts.length === 0 ? {} : { artifacts: sentArtifacts }),
          ...more
        })
      else if (format === "text" && text !== "") output.answer(text.endsWith("\n") ? text : `${text}\n`)
      else if (format === "stream-json" && (status === "failed" || status === "interrupted")) {
        // A run that failed or was interrupted has no TurnEnded event.
        output.json(encode({ _tag: "Notice", sessionId, message: reason === "" ? status : reason }))
      }
      if (output.verbose) output.note(`session ${sessionId}: ${Figures.usage(usage)}`)
    }
  }
}
