/** Ids of responses. They say where in which session a response begins, so that none is stored. */
import { Session } from "@bough/protocol"

export interface ResponseId {
  readonly sessionId: Session.SessionId
  /** How long the session's journal was when the response was asked for. */
  readonly entries: number
  /** Names the request among all of the user's. */
  readonly key: string
}

const pattern = /^resp_(?<session>[0-9a-z]+)_(?<entries>0|[1-9]\d{0,14})_(?<key>[0-9a-z]{16,64})$/u

export const format = ({ entries, key, sessionId }: ResponseId): string =>
  `resp_${sessionId.replace(/^ses_/u, "")}_${entries}_${key}`

/** Null: the text is no id of a response. */
export const parse = (text: string): ResponseId | null => {
  const groups = pattern.exec(text)?.groups
  return groups === undefined
    ? null
    : {
        sessionId: Session.SessionId.make(`ses_${groups["session"]}`),
        entries: Number(groups["entries"]),
        key: groups["key"] ?? ""
      }
}

/** The key of the message that a response answers, if it answers one. */
export const messageKey = ({ key }: Pick<ResponseId, "key">): string => `responses:${key}`
