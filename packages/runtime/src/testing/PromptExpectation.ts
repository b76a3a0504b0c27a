/** The prompt that a step of a script expects. */
import * as Result from "effect/Result"
import type * as Model from "../ports/Model.ts"

/**
 * The expectation: every member that is set must match. A string must be contained, a regular expression must match.
 */
export interface PromptMatcher {
  /** The newest user message. */
  readonly user?: string | RegExp
  /** The newest tool result. */
  readonly toolResult?: string | RegExp
  readonly toolResultIsError?: boolean
  readonly system?: string | RegExp
  /** Names of tools that must be declared, among others. */
  readonly tools?: ReadonlyArray<string>
}

/** A predicate rejects a prompt by throwing, as `assert` does. */
export type Expectation = PromptMatcher | ((prompt: Model.Prompt) => void)

/** Describes the mismatch; null: the prompt is as expected. */
export const mismatchOf = (expectation: Expectation, prompt: Model.Prompt): string | null => {
  if (typeof expectation !== "function") return mismatch(expectation, prompt)
  return Result.match(
    Result.try(() => expectation(prompt)),
    {
      onSuccess: () => null,
      onFailure: (thrown) => (thrown instanceof Error ? thrown.message : String(thrown))
    }
  )
}

const mismatch = (matcher: PromptMatcher, prompt: Model.Prompt): string | null => {
  const user = prompt.messages.findLast((message) => message._tag === "User")
  const result = prompt.messages.findLast((message) => message._tag === "ToolResult")
  const declared = new Set(prompt.tools.map((tool) => tool.name))
  const missing = (matcher.tools ?? []).filter((name) => !declared.has(name))
  if (!matches(matcher.user, user?.text)) return `the newest user message is not ${String(matcher.user)}`
  if (!matches(matcher.toolResult, result?.output)) return `the newest tool result is not ${String(matcher.toolResult)}`
  if (matcher.toolResultIsError !== undefined && matcher.toolResultIsError !== result?.isError) {
    return `the newest tool result is ${result?.isError === true ? "" : "not "}an error`
  }
  if (!matches(matcher.system, prompt.system)) return `the system prompt is not ${String(matcher.system)}`
  return missing.length === 0 ? null : `these tools are not declared: ${missing.join(", ")}`
}

const matches = (wanted: string | RegExp | undefined, actual: string | undefined): boolean =>
  wanted === undefined ||
  (actual !== undefined && (typeof wanted === "string" ? actual.includes(wanted) : actual.search(wanted) >= 0))
