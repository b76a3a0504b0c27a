/** Signatures of requests to webhooks, as the Standard Webhooks specification defines them. */
import { createHmac, randomBytes } from "node:crypto"

const prefix = "whsec_"
const secretBytes = 32

export const newSecret = (): string => `${prefix}${randomBytes(secretBytes).toString("base64")}`

export interface SignedMessage {
  readonly id: string
  /** The time in epoch seconds: receivers refuse old messages. */
  readonly timestamp: number
  readonly body: string
}

/** Returns the headers of a request; a receiver accepts any of the signatures. */
export const headers = (
  { body, id, timestamp }: SignedMessage,
  secrets: ReadonlyArray<string>
): Readonly<Record<string, string>> => ({
  "webhook-id": id,
  "webhook-timestamp": String(timestamp),
  "webhook-signature": secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), "base64")
      return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`
    })
    .join(" ")
})
