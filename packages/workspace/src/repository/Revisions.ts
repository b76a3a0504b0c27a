/** Names of commits. git resolves them before any other use, so that only ids are passed on. */
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { quote } from "../Refusal.ts"
import { type Git, invalid } from "./Repository.ts"

const id = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u

/** Returns the id of the commit that a revision names. */
export const resolve = (git: Git, revision: string, field = "commit"): Effect.Effect<string, ToolError.ToolError> =>
  Effect.flatMap(find(git, revision), (found) =>
    found === null ? Effect.fail(invalid(field, `there is no commit ${quote(revision)}`)) : Effect.succeed(found)
  )

/** Returns the id; null: there is no such commit. */
export const find = (git: Git, revision: string): Effect.Effect<string | null, ToolError.ToolError> =>
  revision === "" || revision.startsWith("-") || /[\0\n]/u.test(revision)
    ? Effect.succeed(null)
    : Effect.map(
        git.run(["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`], {
          successCodes: [0, 1, 128]
        }),
        ({ exitCode, text }) => (exitCode === 0 && id.test(text.trim()) ? text.trim() : null)
      )

/** Returns the checked-out commit; null: there is none yet. */
export const head = (git: Git): Effect.Effect<string | null, ToolError.ToolError> => find(git, "HEAD")

/** Returns the branch name without refs/heads; null: no branch is checked out. */
export const currentBranch = (git: Git): Effect.Effect<string | null, ToolError.ToolError> =>
  Effect.map(git.run(["symbolic-ref", "--quiet", "--short", "HEAD"], { successCodes: [0, 1] }), ({ exitCode, text }) =>
    exitCode === 0 ? text.trim() : null
  )

/** Resolves a revision, or both ends of `from..to` or `from...to`. */
export const range = Effect.fnUntraced(function* (
  git: Git,
  written: string
): Effect.fn.Return<string, ToolError.ToolError> {
  const [, from = "", dots = "", to = ""] = /^(.*?)(\.{2,3})(.*)$/su.exec(written) ?? []
  if (dots === "") return yield* resolve(git, written, "range")
  const [first, last] = yield* Effect.all([from, to].map((end) => resolve(git, end === "" ? "HEAD" : end, "range")))
  return `${first}${dots}${last}`
})

/** Fails if git does not accept the text as the name of a branch. */
export const checkBranchName = (git: Git, name: string, field: string): Effect.Effect<void, ToolError.ToolError> =>
  Effect.flatMap(name.startsWith("-") ? Effect.succeed(false) : isBranchName(git, name), (isOne) =>
    isOne ? Effect.void : Effect.fail(invalid(field, `${quote(name)} cannot be the name of a branch`))
  )

const isBranchName = (git: Git, name: string): Effect.Effect<boolean, ToolError.ToolError> =>
  Effect.map(
    git.run(["check-ref-format", `refs/heads/${name}`], { successCodes: [0, 1] }),
    ({ exitCode }) => exitCode === 0 && !name.startsWith("@{") && name !== "@" && name !== "HEAD"
  )
