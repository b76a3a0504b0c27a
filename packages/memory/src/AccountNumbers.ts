/** Finds numbers of bank accounts and cards by their length and check digits, which few other numbers satisfy. */
import type { Format } from "./TokenFormats.ts"

/** The length of an IBAN by country, as listed in the SWIFT registry of ISO 13616. */
const ibanLengths: Readonly<Record<number, string>> = {
  15: "NO",
  16: "BE",
  18: "DK FI FO GL NL",
  19: "MK SI",
  20: "AT BA EE KZ LT LU XK",
  21: "CH HR LI LV",
  22: "BG BH CR DE GB GE IE ME RS VA",
  23: "AE GI IL IQ TL",
  24: "AD CZ ES MD PK RO SA SE SK TN VG",
  25: "PT ST",
  26: "IS TR",
  27: "FR GR IT MC MR SM",
  28: "AL AZ BY CY DO GT HU LB PL SV",
  29: "BR EG PS QA UA",
  30: "JO KW MU",
  31: "MT SC",
  32: "LC"
}

const iban = Object.entries(ibanLengths)
  .map(([length, countries]) => `(?:${countries.replaceAll(" ", "|")})\\d{2}(?:[ -]?[A-Z0-9]){${Number(length) - 4}}`)
  .join("|")

/**
 * Checks an IBAN: if its first four characters are moved to the end and its letters replaced by numbers from 10 on, the
 * result is 1 modulo 97.
 */
const isIban = (found: string): boolean => {
  const characters = found.replaceAll(/[ -]/gu, "").toUpperCase()
  let rest = 0
  for (const character of characters.slice(4) + characters.slice(0, 4)) {
    for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97
  }
  return rest === 1
}

/** Checks a card number's last digit (Luhn, ISO/IEC 7812); a number of one repeated digit is invalid. */
export const hasCheckDigit = (digits: string): boolean => {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((before, digit, place) => {
      const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
      return before + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0 && new Set(digits).size > 1
}

/** Matches the first digits of payment cards. */
const issuer = /^(?:4|5[1-5]|2[2-7]|3[47]|3[0689]|6(?:011|4|5|2)|(?:50|5[6-9]|6)\d)/u
const asPrinted = /^(?:\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?|\d{4}([ -])\d{6}\2\d{5})$/u
const aboutCards =
  /\b(?:\p{L}*karte|\p{L}*card|carte|tarjeta|carta|cart[aã]o|kaart|visa|mastercard|maestro|amex|american express|cvc2?|cvv2?)\b/iu
/** The distance within which a word may mark a number as a card's. */
const nearby = 60

export const formats: ReadonlyArray<Format> = [
  { name: "IBAN", pattern: new RegExp(`(?<![A-Z0-9])(?:${iban})(?![A-Z0-9])`, "gi"), accepts: isIban },
  {
    name: "card number",
    pattern: /(?<![\d.,-])\d(?:[ -]?\d){12,18}(?![\d-]|[.,]\d)/g,
    // One in ten numbers has a valid check digit, so a card number must be grouped as on a card, or a word near it must
    // name it.
    accepts: (found, { at, text }) => {
      const digits = found.replaceAll(/[ -]/gu, "")
      if (!issuer.test(digits) || !hasCheckDigit(digits)) return false
      return asPrinted.test(found) || aboutCards.test(text.slice(Math.max(0, at - nearby), at + found.length + nearby))
    }
  }
]
