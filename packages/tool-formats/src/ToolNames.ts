/** Fits names of tools to each provider's rules. An invalid name is always replaced by the same valid name. */
import { Canonical } from "@bough/protocol"
import type { Losses } from "./Loss.ts"
import type { Call, Declaration } from "./ToolMessage.ts"

export interface NameRule {
  /** Matches a whole valid name. */
  readonly fits: RegExp
  readonly maxCharacters: number
}

export const openAi: NameRule = { fits: /^[A-Za-z0-9_-]+$/u, maxCharacters: 64 }
export const anthropic: NameRule = { fits: /^[A-Za-z0-9_-]+$/u, maxCharacters: 128 }
export const gemini: NameRule = { fits: /^[A-Za-z_][A-Za-z0-9_.:-]*$/u, maxCharacters: 64 }
export const mcp: NameRule = { fits: /^[A-Za-z0-9_.-]+$/u, maxCharacters: 128 }
export const harmony: NameRule = { fits: /^[A-Za-z_][A-Za-z0-9_]*$/u, maxCharacters: 64 }

const digestCharacters = 8

/** Returns a valid name unchanged; otherwise its valid characters and a digest, which distinguishes similar names. */
export const fit = (name: string, { fits, maxCharacters }: NameRule): string => {
  if (fits.test(name) && name.length <= maxCharacters) return name
  const digest = Canonical.digest(name).slice("sha256:".length, "sha256:".length + digestCharacters)
  const prefix = name.replaceAll(/[^A-Za-z0-9_]/gu, "_").slice(0, maxCharacters - digestCharacters - 2)
  return `${/^[0-9]/u.test(prefix) ? "_" : ""}${prefix}_${digest}`
}

/** Fits a name, and records the loss. */
export const encodeName = (name: string, rule: NameRule, losses: Losses): string => {
  const fitted = fit(name, rule)
  if (fitted !== name) losses.add("Name", name, fitted)
  return fitted
}

/** Replaces the name in a call by the name of the tool that was declared. */
export const restore = (call: Call, declared: ReadonlyArray<Pick<Declaration, "name">>, rule: NameRule): Call => {
  const declaration = declared.find(({ name }) => fit(name, rule) === call.name)
  return declaration === undefined || declaration.name === call.name ? call : { ...call, name: declaration.name }
}
