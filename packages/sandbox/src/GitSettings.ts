/**
 * Git's settings in the sandbox, where the operator's own file is hidden: identity, harmless preferences, and file
 * filters, which run inside the sandbox.
 */
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { HostVariables } from "./Environment.ts"
import { kill, start } from "./internal/ChildProcess.ts"
import * as Disk from "./internal/Disk.ts"
import { attend } from "./internal/Supervise.ts"

export type GitSettings = ReadonlyArray<readonly [key: string, value: string]>

const names = [
  "user\\.(name|email)",
  "init\\.defaultbranch",
  "core\\.(autocrlf|eol|safecrlf|quotepath|abbrev)",
  "(pull|rebase|merge|rerere|fetch|diff|log|status|color|column)\\.(rebase|ff|conflictstyle|autosquash|autostash|enabled|prune|algorithm|renames|date|ui)",
  "filter\\..*\\.(clean|smudge|process|required)"
]

/**
 * Settings that prevent actions which would fail in the sandbox: git does not write a repository's configuration,
 * signs nothing (there are no keys), and starts no background collection.
 */
const sandboxSettings: GitSettings = [
  ["safe.directory", "*"],
  ["branch.autosetupmerge", "false"],
  ["gc.auto", "0"],
  ["repack.updateserverinfo", "false"],
  ["maintenance.auto", "false"],
  ["commit.gpgsign", "false"],
  ["tag.gpgsign", "false"]
]

const programs = ["/usr/bin/git", "/usr/local/bin/git", "/bin/git", "/run/current-system/sw/bin/git"]
const maxMillis = 5000
const maxBytes = 65_536

/** The files from which git reads the settings. */
const filesOf = (host: HostVariables): ReadonlyArray<string> => {
  const { GIT_CONFIG_GLOBAL: named, HOME: home, XDG_CONFIG_HOME: xdg } = host
  if (named !== undefined) return [named]
  const folder = xdg || (home === undefined ? null : join(home, ".config"))
  return [
    ...(home === undefined ? [] : [join(home, ".gitconfig")]),
    ...(folder === null ? [] : [join(folder, "git/config")])
  ]
}

/**
 * Returns the operator's settings as git itself reads them; empty if there is no git. Git is not started if it would
 * read no file.
 */
export const find = Effect.fnUntraced(function* (host: HostVariables): Effect.fn.Return<GitSettings> {
  if (!filesOf(host).some((path) => existsSync(path))) return []
  const [program = null] = yield* Effect.filter(programs, Disk.isExecutable)
  if (program === null) return []
  const env = Object.fromEntries(
    ["HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL"].flatMap((key) => {
      const value = host[key]
      return value === undefined ? [] : [[key, value]]
    })
  )
  const args = ["config", "--global", "--includes", "-z", "--get-regexp", `^(${names.join("|")})$`]
  return yield* attend(start({ program, args, cwd: "/", env }), {
    maxOutputBytes: maxBytes,
    kill: ({ pid }) => kill(-pid),
    timeoutMillis: maxMillis
  }).pipe(
    Effect.map(({ omittedBytes, stdout }) => (omittedBytes > 0 ? [] : stdout.split("\0").flatMap(pair))),
    Effect.orElseSucceed(() => [])
  )
})

const pair = (text: string): GitSettings => {
  const at = text.indexOf("\n")
  return at < 0 ? [] : [[text.slice(0, at), text.slice(at + 1)]]
}

/** Formats the settings as a git configuration file. */
export const format = (settings: GitSettings): string => [...settings, ...sandboxSettings].map(line).join("")

const line = ([key, value]: GitSettings[number]): string => {
  const first = key.indexOf(".")
  const last = key.lastIndexOf(".")
  const middle = first === last ? "" : ` "${key.slice(first + 1, last).replaceAll(/["\\]/gu, String.raw`\$&`)}"`
  const plain = value.replaceAll(/["\\]/gu, String.raw`\$&`).replaceAll("\n", String.raw`\n`)
  return `[${key.slice(0, first)}${middle}]\n\t${key.slice(last + 1)} = "${plain}"\n`
}
