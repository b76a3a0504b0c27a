/** `decode_base64`: decodes base64 to text, or to hexadecimal if the bytes are not UTF-8. */
import type { Tool } from "@bough/tool"
import * as Result from "effect/Result"
import { Buffer } from "node:buffer"
import type { Alphabet } from "./internal/alphabet.ts"
import { mistake } from "./internal/mistake.ts"

/** The number of bytes of an image that are shown: enough to recognise its format. */
const maxHexBytes = 1024

interface DecodedBytes {
  text?: string
  /** The first 1024 bytes. */
  hex?: string
  totalBytes: number
}

/**
 * Decode base64 to text, or to hex if it is not UTF-8
 *
 * @tier ReadOnly
 * @replay Safe
 * @param base64 Line breaks and missing padding are fine
 * @param alphabet url: - and _ instead of + and /
 * @forModel decodedText
 */
export async function decodeBase64(
  base64: string,
  alphabet: Alphabet = "standard"
): Promise<Tool.ToolResult<DecodedBytes>> {
  const problem = problemOf(base64, alphabet)
  if (problem !== null) throw mistake("base64", problem)
  const bytes = Buffer.from(base64, alphabet === "url" ? "base64url" : "base64")
  const text = textOf(bytes)
  return {
    output: {
      ...(text === null ? { hex: bytes.subarray(0, maxHexBytes).toString("hex") } : { text }),
      totalBytes: bytes.length
    },
    display: `Decoded ${bytes.length} bytes${text === null ? ", which are not text" : ""}`
  }
}

export const decodedText = ({ hex, text, totalBytes }: DecodedBytes): string =>
  text ??
  `[${totalBytes} bytes that are not text${totalBytes > maxHexBytes ? `; the first ${maxHexBytes}` : ""}, in hex]\n${hex ?? ""}`

const common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

/** Returns the kinds of characters by their codes: a long text is checked character by character. */
const kindsOf = (digits: string): ReadonlyMap<number, "digit" | "space"> =>
  new Map([
    ...Array.from(digits, (digit) => [digit.charCodeAt(0), "digit"] as const),
    ...Array.from(" \t\r\n", (space) => [space.charCodeAt(0), "space"] as const)
  ])

const equals = 0x3d

const alphabets = { standard: kindsOf(`${common}+/`), url: kindsOf(`${common}-_`) }

/** Reports an invalid character with its 1-based position; the runtime's decoder would skip it. */
const problemOf = (base64: string, alphabet: Alphabet): string | null => {
  let digits = 0
  let padding = 0
  let last = 0
  for (let offset = 0; offset < base64.length; offset++) {
    const code = base64.charCodeAt(offset)
    const kind = alphabets[alphabet].get(code)
    if (kind === "space") continue
    if (code === equals) padding++
    else if (padding > 0) return `at position ${offset + 1} the text continues after its padding`
    else if (kind === "digit") {
      digits++
      last = code
    } else {
      const found = JSON.stringify(String.fromCodePoint(base64.codePointAt(offset) ?? 0))
      return `${found} at position ${offset + 1} is not of the ${alphabet} alphabet`
    }
  }
  return problemOfEnd(base64.length, { digits, padding, last: String.fromCharCode(last) })
}

interface End {
  readonly digits: number
  readonly padding: number
  readonly last: string
}

const problemOfEnd = (position: number, { digits, last, padding }: End): string | null => {
  const rest = digits % 4
  if (rest === 1) return `the text ends at position ${position} within a byte`
  if (padding !== 0 && padding !== (4 - rest) % 4) return `the text ends at position ${position} with wrong padding`
  // Two digits contain one byte and four bits, three contain two bytes and two bits.
  const unusedValues = rest === 2 ? 16 : rest === 3 ? 4 : 1
  const value = common.indexOf(last)
  const hasExtraBits =
    rest !== 0 && (value === -1 ? 62 + Number(last === "/" || last === "_") : value) % unusedValues !== 0
  return hasExtraBits
    ? `the text ends at position ${position} with bits of a further byte: it was cut or changed`
    : null
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const textOf = (bytes: Uint8Array): string | null =>
  Result.getOrElse(
    Result.try(() => utf8.decode(bytes)),
    () => null
  )
