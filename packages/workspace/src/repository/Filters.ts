/**
 * Finds files that a filter of the repository would change. Filters do not run here, so the stored or checked-out bytes
 * would be wrong.
 */
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { quote } from "../Refusal.ts"
import type { GitPath } from "./Paths.ts"
import { failed, type Git, records } from "./Repository.ts"

/** Fails if a filter applies to one of the paths. `instead`: what the user can do about it. */
export const none = Effect.fnUntraced(function* (
  git: Git,
  paths: ReadonlyArray<GitPath>,
  instead: string
): Effect.fn.Return<void, ToolError.ToolError> {
  if (paths.length === 0) return
  const { text } = yield* git.run(["check-attr", "-z", "--stdin", "filter"], { input: paths.join("\0") })
  const all = records(text)
  // Each path has three records: its name, the name of the attribute, the value.
  const at = all.findIndex((value, index) => index % 3 === 2 && value !== "unspecified" && value !== "unset")
  if (at === -1) return
  return yield* failed(
    `git: ${quote(all[at - 2])} goes through the filter ${quote(all[at])}, a program that is not run here`,
    instead
  )
})
