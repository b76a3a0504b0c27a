/** Passages of earlier sessions that a search returns in addition to notes. */
import { Session } from "@bough/protocol"
import type { MemoryRead } from "@bough/tool"
import * as Schema from "effect/Schema"
import { instant } from "./noteFields.ts"

export const FoundMessage = Schema.Struct({
  /** The text, or an excerpt if it is long. */
  text: Schema.String,
  speaker: Schema.Literals(["user", "agent"]),
  sessionId: Schema.String,
  /** The position in that session, for `replay_task`. */
  seq: Schema.Natural,
  /** The title of the session. */
  title: Schema.String,
  workspace: Schema.String,
  startedAt: Schema.String,
  labels: Schema.Array(Session.Label)
})
type FoundMessage = typeof FoundMessage.Type

export const messagesOf = ({ messages: said }: MemoryRead.ConversationSearch): ReadonlyArray<FoundMessage> =>
  said.map(({ labels, seq, sessionId, speaker, startedAtMillis, text, title, workspaceRoot }) => ({
    text,
    speaker,
    sessionId,
    seq,
    title,
    workspace: workspaceRoot,
    startedAt: instant(startedAtMillis),
    labels
  }))

const date = (at: string): string => at.slice(0, "2026-01-01".length)

/** Formats a line for the model. */
export const format = ({ labels, seq, sessionId, speaker, startedAt, text, workspace }: FoundMessage): string => {
  const doubt = labels.includes("untrusted") ? ", untrusted" : ""
  return `- ${speaker} said: ${text} [entry ${seq} of ${sessionId}, begun ${date(startedAt)} in ${workspace}${doubt}]`
}

/** Describes the part that could not be searched; null: there is none. */
export const remarkOf = ({ notIndexed }: MemoryRead.ConversationSearch): string | null =>
  notIndexed === 0 ? null : `${notIndexed} older entries of conversations are not indexed yet: search again`
