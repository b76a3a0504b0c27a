/**
 * Whether a text holds what may reach a provider only where somebody asked for it: what looks like a secret, and any number with the
 * check digit of a card, also where a note of it would not be refused. Pure.
 */
import * as AccountNumbers from "./AccountNumbers.ts"
import * as NamedSecrets from "./NamedSecrets.ts"
import * as SecretPatterns from "./SecretPatterns.ts"

const card = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/gu

/** A generated word: letters with digits or marks among them, as no sentence has them. */
const made = String.raw`(?=\S*\p{L})(?=\S*[\d!@#$%^&*+~])[^\s/]{6,}`
const between = String.raw`[^\n.:;=]{0,48}?`

/**
 * What is named further away than `NamedSecrets` looks, whose finds are refused when they are saved: a note that is held back for nothing is
 * still found by who asks.
 */
const named = [
  String.raw`${NamedSecrets.password}${between}(?:\s?[:=：]\s?|\s)${made}`,
  String.raw`\b(?:PIN|Geheimzahl|CVC|CVV)\b${between}[\s:=]\d{3,12}\b`,
  String.raw`\b(?:log-?in|credentials|Zugang|Zugangsdaten|Anmeldung|identifiants|acceso|inlog)\b[^\n]{0,48}?:\s?\S+\s?/\s?${made}`
].map((pattern) => new RegExp(pattern, "iu"))

export const has = (text: string): boolean =>
  named.some((pattern) => pattern.test(text)) ||
  SecretPatterns.redact(text).hidden.length > 0 ||
  (text.match(card) ?? []).some((found) => AccountNumbers.hasCheckDigit(found.replaceAll(/[ -]/gu, "")))
