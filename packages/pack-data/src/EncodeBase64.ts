/** `encode_base64`: the UTF-8 bytes of a text in base64; the url alphabet comes without padding. */
import type { Tool } from "@bough/tool"
import { Buffer } from "node:buffer"
import type { Alphabet } from "./internal/alphabet.ts"
import { mistake } from "./internal/mistake.ts"

interface EncodedText {
  base64: string
}

/**
 * Encode text as base64
 *
 * @tier ReadOnly
 * @replay Safe
 * @param alphabet url: - and _ instead of + and /
 * @forModel encodedText
 */
export async function encodeBase64(
  text: string,
  alphabet: Alphabet = "standard"
): Promise<Tool.ToolResult<EncodedText>> {
  if (!text.isWellFormed()) throw mistake("text", "half a surrogate pair has no bytes")
  const bytes = Buffer.from(text, "utf8")
  const base64 = bytes.toString(alphabet === "url" ? "base64url" : "base64")
  return { output: { base64 }, display: `Encoded ${bytes.length} bytes` }
}

export const encodedText = ({ base64 }: EncodedText): string => base64
