/**
 * Decides whether a text contains data that may reach a provider only on request: text that looks like a secret, and
 * any number with the check digit of a card, even if a note with the number would be accepted. Pure.
 */
import * as AccountNumbers from "./AccountNumbers.ts"
import * as NamedSecrets from "./NamedSecrets.ts"
import * as SecretPatterns from "./SecretPatterns.ts"

const card = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/gu

/** Matches a generated word: letters mixed with digits or marks, unlike the words of a sentence. */
const secretWord = String.raw`(?=\S*\p{L})(?=\S*[\d!@#$%^&*+~])[^\s/]{6,}`
const between = String.raw`[^\n.:;=]{0,48}?`

/**
 * Finds secrets that are further from their names than `NamedSecrets` allows. A note with such a match is stored but
 * not recalled automatically, so a false match does little harm.
 */
const named = [
  String.raw`${NamedSecrets.password}${between}(?:\s?[:=：]\s?|\s)${secretWord}`,
  String.raw`\b(?:PIN|Geheimzahl|CVC|CVV)\b${between}[\s:=]\d{3,12}\b`,
  String.raw`\b(?:log-?in|credentials|Zugang|Zugangsdaten|Anmeldung|identifiants|acceso|inlog)\b[^\n]{0,48}?:\s?\S+\s?/\s?${secretWord}`
].map((pattern) => new RegExp(pattern, "iu"))

export const isSensitive = (text: string): boolean =>
  named.some((pattern) => pattern.test(text)) ||
  SecretPatterns.redact(text).hidden.length > 0 ||
  (text.match(card) ?? []).some((found) => AccountNumbers.hasCheckDigit(found.replaceAll(/[ -]/gu, "")))
