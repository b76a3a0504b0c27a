/**
 * Responses with secrets, as they are stored for repeated requests: encrypted with a key that is derived from the
 * caller's credential and the idempotency key. The server stores only a digest of a credential, so a copy of its
 * database cannot open them.
 */
import * as Redacted from "effect/Redacted"
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"

const algorithm = "aes-256-gcm"
const ivBytes = 12
const tagBytes = 16

/** The prefix of an encrypted response. No response of the API begins with it. */
const prefix = "sealed:"

const keyOf = (credential: Redacted.Redacted, idempotencyKey: string): Buffer =>
  Buffer.from(hkdfSync("sha256", Redacted.value(credential), idempotencyKey, "bough sealed answer 1", 32))

export const seal = (text: string, credential: Redacted.Redacted, idempotencyKey: string): string => {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, keyOf(credential, idempotencyKey), iv)
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  return prefix + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64")
}

export const isSealed = (stored: string): boolean => stored.startsWith(prefix)

/** Returns the response; null: it was encrypted with another credential or key. */
export const open = (stored: string, credential: Redacted.Redacted, idempotencyKey: string): string | null => {
  const bytes = Buffer.from(stored.slice(prefix.length), "base64")
  const decipher = createDecipheriv(algorithm, keyOf(credential, idempotencyKey), bytes.subarray(0, ivBytes))
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString()
  } catch {
    return null
  }
}
