/**
 * Determines the commands of a call, word by word, if a rule or an approval refers to them: reading a command line may
 * load a parser.
 */
import { type CommandPattern, type Rule, RuleMatch } from "@bough/policy"
import type { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { AssessedCall } from "./Call.ts"
import type { DispatchContext } from "./DispatchContext.ts"

/** True if a rule may match commands of the tool by their first words. */
const mayMatchCommands = (rule: Rule.Rule, tool: string): boolean =>
  RuleMatch.patternOf(rule) !== null && RuleMatch.isAbout(rule, { name: tool, runsCommands: true })

/**
 * Adds the commands of a call; unchanged if no rule needs them. If a tool fails to list them, they count as unknown.
 */
export const read = (call: AssessedCall, { policy }: DispatchContext): Effect.Effect<AssessedCall> => {
  const { parameters, tool } = call
  if (tool.commands === null) return Effect.succeed(call)
  if (call.tier !== "Elevated" && !policy.rules.some((rule) => mayMatchCommands(rule, tool.name)))
    return Effect.succeed(call)
  return Effect.map(ofTool(tool, parameters), (commands) => ({ ...call, commands }))
}

/** Returns the commands of a call with these decoded parameters; null: they are unknown. */
export const ofTool = ({ commands }: Tool.Any, parameters: unknown): Effect.Effect<CommandPattern.Commands> =>
  commands === null
    ? Effect.succeed(null)
    : Effect.catchCause(
        Effect.suspend(() => commands(parameters)),
        () => Effect.succeed(null)
      ).pipe(Effect.map((found) => (isWords(found) ? found : null)))

const isWords = (found: unknown): found is ReadonlyArray<ReadonlyArray<string>> =>
  Array.isArray(found) &&
  found.every((words: unknown) => Array.isArray(words) && words.every((word) => typeof word === "string"))
