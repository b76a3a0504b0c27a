/**
 * The programs of code hosts: `gh` for GitHub, `glab` for GitLab. A program is used if it is on the user's search path
 * and a remote of the repository is at a host that it serves. This module is small, because it is loaded with every
 * session.
 */
import * as Result from "effect/Result"
import * as fs from "node:fs"
import { delimiter, isAbsolute, join, resolve, sep } from "node:path"
import type { UserVariables } from "./Identity.ts"

export type Name = "gh" | "glab"

export interface HostProgram {
  readonly name: Name
  /** The absolute path. */
  readonly path: string
}

/** A repository at a host, such as `owner/name` at `github.com`. */
export interface HostedRepository {
  readonly host: string
  readonly path: string
}

export interface HostSearch {
  /** The worktree's root. */
  readonly root: string
  /** The directories that the agent may write; a program in them does not count as the user's own. */
  readonly writable: ReadonlyArray<string>
  readonly variables: UserVariables
}

const names: ReadonlyArray<Name> = ["gh", "glab"]

/** Returns the reason why no request can be opened here, with the fix; null: requests can be opened. */
export const missingProgramReason = (search: HostSearch): string | null => {
  // The access is stored in the user's home directory, which a server's users do not have.
  if ((search.variables["HOME"] ?? search.variables["USERPROFILE"]) === undefined)
    return "no home directory is known here"
  const found = names.flatMap((name) => find(search, name) ?? [])
  if (found.length === 0) return "no program of a code host is on PATH: install gh (GitHub) or glab (GitLab)"
  const served = new Set(
    remotesOf(search.root).map((url) => {
      const repository = parse(url)
      return repository === null ? null : servedBy(repository.host, search.variables)
    })
  )
  return found.some(({ name }) => served.has(name))
    ? null
    : `no remote of the repository is at a host that ${found.map(({ name }) => name).join(" or ")} serves`
}

/**
 * Finds the program on the user's search path, outside of the directories that the agent may write; null: it is not
 * found.
 */
export const find = ({ variables, writable }: HostSearch, name: Name): HostProgram | null => {
  for (const directory of (variables["PATH"] ?? "").split(delimiter)) {
    if (!isAbsolute(directory)) continue
    const path = join(directory, name)
    if (
      isProgram(path) &&
      ![path, fs.realpathSync.native(path)].some((one) => writable.some((root) => isBelow(one, root)))
    ) {
      return { name, path }
    }
  }
  return null
}

const isProgram = (path: string): boolean => {
  const found = Result.try(() => {
    // Most directories do not contain it, and creating an error takes longer than the search.
    if (fs.statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false
    fs.accessSync(path, fs.constants.X_OK)
    return true
  })
  return Result.getOrElse(found, () => false)
}

const isBelow = (path: string, root: string): boolean => path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)

/** Returns the program that serves a host: known hosts, and those that the user has logged in to. */
export const servedBy = (host: string, variables: UserVariables): Name | null => {
  if (/(?:^|\.)github\.|\.ghe\.com$/u.test(host) || host === variables["GH_HOST"]) return "gh"
  if (/(?:^|\.)gitlab\./u.test(host) || host === variables["GITLAB_HOST"]) return "glab"
  if (isLoggedIn(join(configOf(variables, "GH_CONFIG_DIR", "gh"), "hosts.yml"), host)) return "gh"
  return isLoggedIn(join(configOf(variables, "GLAB_CONFIG_DIR", "glab-cli"), "config.yml"), host) ? "glab" : null
}

const configOf = (variables: UserVariables, variable: string, folder: string): string =>
  variables[variable] ??
  join(variables["XDG_CONFIG_HOME"] ?? join(variables["HOME"] ?? "/nonexistent", ".config"), folder)

/** True if the file has the host as a key. */
const isLoggedIn = (file: string, host: string): boolean =>
  (readSmall(file) ?? "").split("\n").some((line) => line.trim() === `${host}:`)

/** Reads an address of ssh or https; null: it does not name a repository at a host. */
export const parse = (url: string): HostedRepository | null => {
  const [, host = "", path = ""] =
    /^(?:ssh|https|git\+ssh|ssh\+git):\/\/(?:[^/@]*@)?([A-Za-z0-9.-]+)(?::\d+)?\/+(.+)$/u.exec(url) ??
    /^(?:[^/@:]*@)?([A-Za-z0-9.-]+):(?!\/\/)(.+)$/u.exec(url) ??
    []
  const parts = path
    .replace(/\/+$/u, "")
    .replace(/\.git$/u, "")
    .split("/")
  const isPlain = parts.length >= 2 && parts.every((part) => /^[\w.-]+$/u.test(part) && !/^\.+$/u.test(part))
  // GitHub offers ssh on port 443 under a special host name.
  const name = host.toLowerCase().replace(/^(?:alt)?ssh\.(?=(?:github|gitlab)\.com$)/u, "")
  return isPlain && /^[a-z0-9]/u.test(name) ? { host: name, path: parts.join("/") } : null
}

/**
 * Reads the addresses of the repository's own configuration, without running git: enough to decide whether to offer the
 * tool.
 */
const remotesOf = (root: string): ReadonlyArray<string> => {
  const text = readSmall(join(gitDirectory(root), "config")) ?? ""
  return [...text.matchAll(/^\s*(?:push)?url\s*=\s*"?(.+?)"?\s*$/gimu)].map(([, url]) => url)
}

/** Follows the files by which a linked worktree names its repository. */
const gitDirectory = (root: string): string => {
  const dotGit = join(root, ".git")
  const linked = /^gitdir: (.+)$/mu.exec(readSmall(dotGit) ?? "")?.[1]
  if (linked === undefined) return dotGit
  const directory = resolve(root, linked.trim())
  const common = readSmall(join(directory, "commondir"))
  return common === null ? directory : resolve(directory, common.trim())
}

const maxBytes = 1024 ** 2

/** Returns the text of a file; null: it cannot be read, or is too large. */
const readSmall = (file: string): string | null => {
  const read = Result.try(() => {
    const stats = fs.statSync(file, { throwIfNoEntry: false })
    return stats?.isFile() === true && stats.size <= maxBytes ? fs.readFileSync(file, "utf8") : null
  })
  return Result.getOrElse(read, () => null)
}
