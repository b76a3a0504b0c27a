/**
 * The author of commits: from the repository's settings, else from the user's own git settings, of which only two
 * values are read.
 */
import type { ToolError } from "@bough/protocol"
import type { ProcessRunner } from "@bough/tool"
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"
import { failed, type Git, records } from "./Repository.ts"

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
  const environmentAuthor = { name: variables["GIT_AUTHOR_NAME"] ?? null, email: variables["GIT_AUTHOR_EMAIL"] ?? null }
  const { email, name } = yield* withIdentity(environmentAuthor, [ownAuthor(sources), userAuthor(sources)])
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

interface Author {
  readonly name: string | null
  readonly email: string | null
}

/** Adds what an author lacks from the sources in turn, each read only if it is needed. */
const withIdentity = Effect.fnUntraced(function* (
  environmentAuthor: Author,
  sources: ReadonlyArray<Effect.Effect<Author, ToolError.ToolError>>
): Effect.fn.Return<Author, ToolError.ToolError> {
  let author = environmentAuthor
  for (const source of sources) {
    if (author.name !== null && author.email !== null) return author
    const more = yield* source
    author = { name: author.name ?? more.name, email: author.email ?? more.email }
  }
  return author
})

/** Prints both settings by one start of git, because a start takes longest. */
const query = ["config", "--null", "--get-regexp", String.raw`^user\.(name|email)$`]

const noAuthor: Author = { name: null, email: null }

/** Reads the output of the query: the last value of a setting counts, and an empty one as none. */
const authorIn = (text: string): Author => {
  const settings = new Map(records(text).map((record) => [record.split("\n", 1)[0], record.replace(/^[^\n]*\n?/u, "")]))
  return { name: settings.get("user.name") || null, email: settings.get("user.email") || null }
}

/** Reads the settings of the repository. */
const ownAuthor = ({ git }: SettingSources): Effect.Effect<Author, ToolError.ToolError> =>
  Effect.map(git.run(query, { successCodes: [0, 1] }), ({ text }) => authorIn(text))

/** Reads the settings of the user and of the machine, outside of any repository. */
const userAuthor = ({ runner, variables }: SettingSources): Effect.Effect<Author> =>
  runner
    .run({
      program: "git",
      args: query,
      cwd: "/",
      env: { ...homeOf(variables), GIT_DIR: "/dev/null", LC_ALL: "C" },
      maxOutputBytes: 65_536
    })
    .pipe(
      Effect.map(({ exitCode, stdout }) =>
        exitCode === 0 ? authorIn(Buffer.from(stdout).toString("utf8")) : noAuthor
      ),
      Effect.orElseSucceed(() => noAuthor)
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
