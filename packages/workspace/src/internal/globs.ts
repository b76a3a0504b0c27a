/** Globs of tools: decides which files match, and makes a coarse filter for ripgrep. */
import { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Glob from "effect/Glob"

const maxLength = 1000
const maxAlternatives = 1000

/**
 * Compiles a glob over paths below a directory. Without "/" it matches names at any depth.
 *
 * - a ValidationError names `field` if its braces have too many alternatives
 */
export const compile = (glob: string, field: string): Effect.Effect<Glob.Glob, ToolError.ValidationError> => {
  const message =
    glob.length > maxLength
      ? `the glob is longer than ${maxLength} characters`
      : alternatives(glob) > maxAlternatives
        ? `the braces of the glob stand for more than ${maxAlternatives} alternatives`
        : null
  if (message !== null) {
    return Effect.fail(new ToolError.ValidationError({ message, field, issues: [{ path: field, message }] }))
  }
  const relative = glob.replace(/^(\.?\/)+/, "")
  return Effect.succeed(Glob.make(relative.includes("/") ? relative : `**/${relative}`))
}

/** An upper bound of the number of globs to which the braces expand. */
const alternatives = (glob: string): number => {
  /** Per open brace: the sum for the finished alternatives, and the product for the current alternative. */
  const open: Array<{ sum: number; product: number }> = [{ sum: 0, product: 1 }]
  for (const character of glob) {
    const top = open[open.length - 1]
    if (character === "{") open.push({ sum: 0, product: 1 })
    else if (character === "," && open.length > 1) {
      top.sum += top.product
      top.product = 1
    } else if (character === "}" && open.length > 1) {
      open.pop()
      open[open.length - 1].product *= top.sum + top.product
    }
  }
  return open.reduce((total, { product, sum }) => total * (sum + product), 1)
}

/** True if the glob names an entry that begins with a dot; otherwise such entries are skipped. */
export const wantsHidden = (glob: string): boolean => /(^|[/{,!])\.[^./]/.test(glob)

/**
 * Flags that keep ripgrep from reading files that no glob can match. They may accept too many files, but never too few.
 */
export const coarseGlobs = (globs: ReadonlyArray<string>): ReadonlyArray<string> => {
  const lastNames = globs.map((glob) => glob.slice(glob.lastIndexOf("/") + 1))
  // Skips braces around a "/" and unusual syntax, which only the exact match handles.
  const isSimple = globs.length > 0 && lastNames.every((name) => /^[\w.*?-]*(\{[\w.*?,-]*\}[\w.*?-]*)?$/.test(name))
  if (!isSimple) return []
  return [...lastNames.map((name) => `--type-add=wanted:${name}`), "--type=wanted"]
}
