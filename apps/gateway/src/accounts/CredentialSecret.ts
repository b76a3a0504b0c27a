/**
 * Secrets of credentials: `bough_KIND_ID_SECRET`. The id finds the row, the secret is compared by its hash. 256 random
 * bits need no slow hash: they cannot be guessed.
 */
import * as Redacted from "effect/Redacted"
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { TokenId } from "./Principal.ts"

/** A `link` signs in once and is exchanged for a `cookie`. */
export type SecretKind = "token" | "cookie" | "link"

export interface CredentialSecret {
  readonly kind: SecretKind
  readonly id: TokenId
  /** The sha256 of the whole text, in hexadecimal digits. */
  readonly hash: string
}

const form = /^bough_(token|cookie|link)_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/

const hashOf = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex")

/** Returns a new secret; its text is not stored and cannot be shown again. */
export const mint = (kind: SecretKind): CredentialSecret & { readonly text: Redacted.Redacted } => {
  const id = TokenId.make(randomBytes(8).toString("hex"))
  const text = `bough_${kind}_${id}_${randomBytes(32).toString("base64url")}`
  return { kind, id, hash: hashOf(text), text: Redacted.make(text, { label: `${kind} ${id}` }) }
}

/** Returns null for any text that does not have the form of a secret from `mint`. */
export const parse = (text: string): CredentialSecret | null => {
  const parts = text.length > 80 ? null : form.exec(text)
  return parts === null ? null : { kind: parts[1] as SecretKind, id: TokenId.make(parts[2]), hash: hashOf(text) }
}

/** Compares two hashes in a time that does not depend on where they differ. */
export const matches = (left: string, right: string): boolean => {
  const [one, other] = [Buffer.from(left, "hex"), Buffer.from(right, "hex")]
  return one.length === 32 && other.length === 32 && timingSafeEqual(one, other)
}

/**
 * The proof that a page has the cookie. A request from another site cannot read the proof, which is derived from the
 * cookie and so not stored.
 */
export const csrfToken = (cookie: Redacted.Redacted): string =>
  createHash("sha256")
    .update(`bough csrf\n${Redacted.value(cookie)}`, "utf8")
    .digest("base64url")

export const isCsrfToken = (header: string, cookie: Redacted.Redacted): boolean => {
  const digest = (text: string) => createHash("sha256").update(text, "utf8").digest()
  return timingSafeEqual(digest(header), digest(csrfToken(cookie)))
}
