/**
 * Settings by which git compares only the commits of submodules, for a command without an option for it. The
 * repository's own settings for a submodule take precedence over the general one.
 */
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type * as GitSettings from "./GitSettings.ts"
import { settingNames, type Git } from "./Repository.ts"

const named = String.raw`^submodule\..*\.`
/** The places from which git reads the names of submodules. */
const sources = [["--file", ".gitmodules"], ["--blob", ":.gitmodules"], ["--blob", "HEAD:.gitmodules"], []]

export const commitsAlone = (git: Git): Effect.Effect<ReadonlyArray<GitSettings.Setting>, ToolError.ToolError> =>
  Effect.map(
    Effect.forEach(sources, (source) => settingNames(git.run, named, source)),
    (found) => found.flat().map((key): GitSettings.Setting => [`${key.slice(0, key.lastIndexOf("."))}.ignore`, "dirty"])
  )
