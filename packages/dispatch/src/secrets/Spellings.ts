/**
 * The spellings of a value: plain, inside JSON and URLs, in hexadecimal and in Base64, and nested. The Base64 of a text
 * that contains the value depends on the value's offset modulo three: only the characters that depend on the value
 * alone are searched.
 */
import { Buffer } from "node:buffer"

/** Returns every spelling of the value that can occur in a text, each once. */
export const spellingsOf = (value: string): ReadonlyArray<string> => {
  const wellFormed = value.toWellFormed()
  const json = JSON.stringify(value).slice(1, -1)
  const plain = [
    ...new Set([
      value,
      wellFormed,
      json,
      JSON.stringify(json).slice(1, -1),
      encodeURIComponent(wellFormed),
      // A form's spelling of a space; escapes of the other characters are decoded before the search.
      value.replaceAll(" ", "+")
    ])
  ]
  const texts = [...new Set([wellFormed, json.toWellFormed(), encodeURIComponent(wellFormed)])]
  const once = [...texts, ...escapedOf(wellFormed)].flatMap(encodingsOf)
  const twice = texts.flatMap(encodingsOf).flatMap(encodingsOf)
  return [...new Set([...plain, ...once, ...twice])].filter(({ length }) => length >= shortest)
}

/** The minimum length of a spelling: a shorter one would match everywhere. */
const shortest = 8

/** Returns the spellings in which every character is escaped: in percent form, or as `\u` units. */
const escapedOf = (text: string): ReadonlyArray<string> => {
  const percent = Buffer.from(text, "utf8").toString("hex").replaceAll(/../gu, "%$&")
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, "0"))
  return [percent, percent.toUpperCase(), units.map((unit) => `\\u${unit}`).join("")]
}

const encodingsOf = (text: string): ReadonlyArray<string> => {
  const hex = Buffer.from(text, "utf8").toString("hex")
  return [hex, hex.toUpperCase(), ...base64Of(text)]
}

/** Returns the Base64 that every text with this part contains; it depends on the number of bytes before the part. */
const base64Of = (text: string): ReadonlyArray<string> =>
  [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text, "utf8")])
    const first = Math.ceil((before * 8) / 6)
    const last = Math.floor((bytes.length * 8) / 6)
    const spelt = bytes.toString("base64").slice(first, last)
    return [...new Set([spelt, spelt.replaceAll("+", "-").replaceAll("/", "_")])]
  })
