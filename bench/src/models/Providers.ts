/** The providers that are measured, each with the dialect of its server: the ones that the contract's tests speak. */
import type { Dialect } from "../../../packages/models/test/wire/Dialect.ts"
import { dialects } from "../../../packages/models/test/wire/Dialects.ts"
import { check } from "../Check.ts"

/** All that are reached over the network, the one that others are held against among them. */
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
