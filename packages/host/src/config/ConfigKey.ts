/** Parses a key of a configuration file, such as `limits.maxSteps` or `prices."ollama/llama3.2".inputPerMillionUsd`. Pure. */
import * as Result from "effect/Result"

const segment = /(?:"(?:[^"\\]|\\.)*"|[^."]+)/u
const keyPattern = new RegExp(`^${segment.source}(?:\\.${segment.source})*$`, "u")

/** Returns the parts of the key; null if the text is not a valid key. */
export const parse = (key: string): ReadonlyArray<string> | null => {
  if (!keyPattern.test(key)) return null
  const parts = Result.try(() =>
    [...key.matchAll(new RegExp(segment.source, "gu"))].map(([part]) =>
      part.startsWith('"') ? (JSON.parse(part) as string) : part
    )
  )
  return Result.getOrElse(parts, () => null)
}
