/**
 * The texts by which a value is recognised where it must not appear: the full value and, if it has several lines, each
 * distinctive line; for bytes that are not text, their Base64 and hexadecimal forms.
 */
import { Buffer } from "node:buffer"

/** The minimum length of a distinctive line: shorter ones, such as a bracket of JSON, also occur in other files. */
const minLineLength = 12
const frame = /^-{5}(?:BEGIN|END) [A-Z0-9 ]+-{5}$/u

export const knownParts = (value: Uint8Array): ReadonlyArray<string> => {
  const bytes = Buffer.from(value)
  const text = bytes.toString("utf8")
  if (!Buffer.from(text, "utf8").equals(bytes)) return [bytes.toString("base64"), bytes.toString("hex")]
  const lines = text.split(/\r?\n/u).map((line) => line.trim())
  const telling = lines.filter((line) => line.length >= minLineLength && !frame.test(line))
  // A variable or a prompt may leave out surrounding white space.
  return [...new Set([text, text.trim(), ...telling.flatMap((line) => [line, ...assigned(line)])])].filter(
    (part) => part.length > 0
  )
}

/** Returns the value of a line such as `NAME=value` or `"name": "value",`. */
const assigned = (line: string): ReadonlyArray<string> => {
  const found = /^(?:export\s+)?["']?[\w.-]+["']?\s*[=:]\s*(.+?),?$/u.exec(line)?.[1]
  const value = found?.replace(/^(["'])(.*)\1$/u, "$2")
  return value === undefined || value.length < 8 ? [] : [value]
}
