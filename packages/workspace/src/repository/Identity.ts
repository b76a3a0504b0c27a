/**
 * The author of commits: from the repository's settings, else from the user's own git settings, of which only two
 * values are read.
 */
import type { ToolError } from "@bough/protocol"
import type { ProcessRunner } from "@bough/tool"
import { Buffer } from "node:buffer"
import * as Effect from "effect/Effect"
import { failed, type Git, setting } from "./Repository.ts"

export type Identity = Readonly<
  Record<"GIT_AUTHOR_NAME" | "GIT_AUTHOR_EMAIL" | "GIT_COMMITTER_NAME" | "GIT_COMMITTER_EMAIL", string>
>

/** The variables that the user's own git reads. */
export type UserVariables = Readonly<Record<string, string | undefined>>

interface SettingSources {
  readonly git: Git
  readonly runner: ProcessRunner.ProcessRunner["Service"]
  readonly variables: UserVariables
}

export const read = Effect.fnUntraced(function* (
  sources: SettingSources
): Effect.fn.Return<Identity, ToolError.ToolError> {
  const { variables } = sources
  const name = variables["GIT_AUTHOR_NAME"] ?? (yield* value(sources, "user.name"))
  const email = variables["GIT_AUTHOR_EMAIL"] ?? (yield* value(sources, "user.email"))
  if (name === null || email === null) {
    const missing = name === null ? "user.name" : "user.email"
    return yield* failed(`git: a commit needs an author: ${missing} is not set`, `git config --global ${missing} …`)
  }
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: variables["GIT_COMMITTER_NAME"] ?? name,
    GIT_COMMITTER_EMAIL: variables["GIT_COMMITTER_EMAIL"] ?? email
  }
})

const value = (
  { git, runner, variables }: SettingSources,
  key: string
): Effect.Effect<string | null, ToolError.ToolError> =>
  Effect.flatMap(setting(git, key), (own) =>
    own !== null
      ? Effect.succeed(own)
      : runner
          .run({
            program: "git",
            // Settings of the user and of the machine, read outside of any repository.
            args: ["config", "--null", "--get", key],
            cwd: "/",
            env: { ...homeOf(variables), GIT_DIR: "/dev/null", LC_ALL: "C" },
            maxOutputBytes: 65_536
          })
          .pipe(
            Effect.map(({ exitCode, stdout }) =>
              exitCode === 0 ? Buffer.from(stdout).toString("utf8").replace(/\0$/u, "") : null
            ),
            Effect.orElseSucceed(() => null)
          )
  )

/** Returns the variables by which git finds the user's settings. */
export const homeOf = (variables: UserVariables): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [
      "HOME",
      "PATH",
      "XDG_CONFIG_HOME",
      "USERPROFILE",
      "GIT_CONFIG_GLOBAL",
      "GIT_CONFIG_SYSTEM",
      "GIT_CONFIG_NOSYSTEM"
    ].flatMap((name) => {
      const found = variables[name]
      return found === undefined ? [] : [[name, found]]
    })
  )
