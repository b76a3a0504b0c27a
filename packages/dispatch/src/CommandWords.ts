/**
 * Determines the commands of a call, word by word, if a rule or an approval refers to them: reading a command line may
 * load a parser.
 */
import { type Rule, RuleMatch } from "@bough/policy"
import * as Effect from "effect/Effect"
import type { AssessedCall } from "./Call.ts"
import type { DispatchContext } from "./DispatchContext.ts"

/** True if a rule may match commands of the tool by their first words. */
const speaksOf = (rule: Rule.Rule, tool: string): boolean =>
  (rule.tool === "*" || rule.tool === tool) && RuleMatch.patternOf(rule) !== null

/**
 * Adds the commands of a call; unchanged if no rule needs them. If a tool fails to list them, they count as unknown.
 */
export const read = (call: AssessedCall, { policy }: DispatchContext): Effect.Effect<AssessedCall> => {
  const { parameters, tool } = call
  const { commands } = tool
  if (commands === null) return Effect.succeed(call)
  if (call.tier !== "Elevated" && !policy.rules.some((rule) => speaksOf(rule, tool.name))) return Effect.succeed(call)
  return Effect.catchCause(
    Effect.suspend(() => commands(parameters)),
    () => Effect.succeed(null)
  ).pipe(Effect.map((found) => ({ ...call, commands: isWords(found) ? found : null })))
}

const isWords = (found: unknown): found is ReadonlyArray<ReadonlyArray<string>> =>
  Array.isArray(found) &&
  found.every((words: unknown) => Array.isArray(words) && words.every((word) => typeof word === "string"))
