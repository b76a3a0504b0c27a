/** A key of a configuration file as people write it: `limits.maxSteps`, `prices."ollama/llama3.2".inputPerMillionUsd`. Pure. */
import * as Result from "effect/Result"

const segment = /(?:"(?:[^"\\]|\\.)*"|[^."]+)/u
const whole = new RegExp(`^${segment.source}(?:\\.${segment.source})*$`, "u")

/** Null: it is written as no key is. */
export const parse = (key: string): ReadonlyArray<string> | null => {
  if (!whole.test(key)) return null
  const parts = Result.try(() =>
    [...key.matchAll(new RegExp(segment.source, "gu"))].map(([part]) =>
      part.startsWith('"') ? (JSON.parse(part) as string) : part
    )
  )
  return Result.getOrElse(parts, () => null)
}
