/**
 * Ids of responses. An id contains the session and the position at which a response begins, so ids need not be stored.
 */
import { Session } from "@bough/protocol"

export interface ResponseId {
  readonly sessionId: Session.SessionId
  /** The length of the session's journal when the response was requested. */
  readonly entries: number
  /** The key of the request among all requests of the user. */
  readonly key: string
}

const pattern = /^resp_(?<session>[0-9a-z]+)_(?<entries>0|[1-9]\d{0,14})_(?<key>[0-9a-z]{16,64})$/u

export const format = ({ entries, key, sessionId }: ResponseId): string =>
  `resp_${sessionId.replace(/^ses_/u, "")}_${entries}_${key}`

/** Null: the text is not the id of a response. */
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

const itemPattern = /^(?:msg|mcp|rs)_(?<response>.+)_\d{1,15}$/u

/** Returns the id of the response that an output item belongs to; null: it is not the id of an output item. */
export const fromItem = (itemId: string): string | null => {
  const response = itemPattern.exec(itemId)?.groups?.["response"]
  return response === undefined || parse(`resp_${response}`) === null ? null : `resp_${response}`
}

/** The key of the message that a response answers, if it answers one. */
export const messageKey = ({ key }: Pick<ResponseId, "key">): string => `responses:${key}`
