/** Converts paths between git's spelling and the workspace's, for one call and the files that it may see. */
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { View } from "../internal/openFile.ts"
import { join, namesOf, pathOf, split } from "../internal/pathText.ts"
import { isOperators, isSecret } from "../internal/root.ts"
import { type Access, quote, refuse } from "../Refusal.ts"
import * as Sensitive from "../Sensitive.ts"

/** A path in git's form: relative to the root, without "." and "..". */
export type GitPath = string

/** Turns a tool's path into git's. Links of the repository are not followed: git stores them as files. */
export const toGit = (view: View, path: string, access: Access): Effect.Effect<GitPath, ToolError.ToolError> =>
  Effect.flatMap(namesOf(view.root, path, access), (names) => {
    const segments: Array<string> = []
    for (const name of names) {
      if (name !== "..") segments.push(name)
      else if (segments.pop() === undefined) {
        return Effect.fail(refuse("PathEscape", access, `${quote(path)} is outside the workspace`))
      }
    }
    return isVisible(view, segments.join("/"))
      ? Effect.succeed(join(segments))
      : Effect.fail(refuse(hiddenReason(view, segments), access, `${quote(path)} may not be read here`))
  })

/** Turns git's path into the workspace's. */
export const fromGit = ({ root }: View, path: GitPath): string => {
  const called = pathOf(root, split(path))
  return path.endsWith("/") ? `${called}/` : called
}

/** Returns true if a call may see the content of a commit or the index at the path. */
export const isVisible = (view: View, path: GitPath): boolean => {
  const segments = split(path)
  if (Sensitive.isProtected(segments, "read") || isOperators(view.root, segments)) return false
  if (view.withheld.places.some((place) => Sensitive.isAtOrBelow(segments, place.segments))) return false
  return !isSecret(view.root, segments) || view.mayReadSecret(pathOf(view.root, segments))
}

const hiddenReason = (view: View, segments: ReadonlyArray<string>) =>
  view.withheld.places.some((place) => Sensitive.isAtOrBelow(segments, place.segments))
    ? "Withheld"
    : isSecret(view.root, segments)
      ? "SecretFile"
      : "Protected"
