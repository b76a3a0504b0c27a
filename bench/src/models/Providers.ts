/** The measured providers, each with the dialect of its server: those of the contract's tests. */
import type { Dialect } from "../../../packages/models/test/wire/Dialect.ts"
import { dialects } from "../../../packages/models/test/wire/Dialects.ts"
import { check } from "../Check.ts"

/** All providers over the network, including the base of the comparison. */
export const names = [
  "anthropic",
  "openai",
  "openai-chat",
  "google",
  "amazon-bedrock",
  "openai-compatible",
  "ollama"
] as const
export type Name = (typeof names)[number]

export const key = "sk-of-the-benchmark"

export const dialectOf = (name: Name): Dialect => {
  const found = dialects.find(({ provider }) => provider.name === name)
  check(found !== undefined, `no dialect of ${name}`)
  return found
}
