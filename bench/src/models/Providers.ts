/** The providers that are measured, each with the dialect of its server: the ones that the contract's tests speak. */
import type { Dialect } from "../../../packages/models/test/wire/Dialect.ts"
import { dialects } from "../../../packages/models/test/wire/Dialects.ts"
import { check } from "../Check.ts"

/** Those whose package, or whose client of ours, is measured by itself too. */
export const names = ["anthropic", "openai", "openai-chat", "google", "openai-compatible"] as const
export type Name = (typeof names)[number]

/** All that are reached over the network. */
export const reached = [...names, "amazon-bedrock", "ollama"] as const
export type Reached = (typeof reached)[number]

export const key = "sk-of-the-benchmark"

export const dialectOf = (name: Reached): Dialect => {
  const found = dialects.find(({ provider }) => provider.name === name)
  check(found !== undefined, `no dialect of ${name}`)
  return found
}
