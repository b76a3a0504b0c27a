/** Git's configuration as text: the settings that one version adds to another, and the paths of programs. */
import { dirname, resolve } from "node:path"

const header = /^\s*\[\s*([^\s\]"]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/u

/** Parses settings to `section.key = value`; other lines, and settings that span several lines, are kept unchanged. */
const settings = (text: string): ReadonlyArray<string> => {
  let section = ""
  return text.split("\n").flatMap((line) => {
    const found = header.exec(line)
    if (found !== null) section = found[1].toLowerCase()
    const setting = (found === null ? line : found[3]).trim()
    return setting === "" || /^[#;]/u.test(setting) ? [] : [`${section}.${setting}`]
  })
}

/**
 * Matches settings that never make git run a program: upstream branches, identity, remote addresses, sparse checkout.
 */
const harmless =
  /^(?:branch\.(?:remote|merge|rebase|description|pushremote)|user\.(?:name|email|useconfigonly)|remote\.(?:url|fetch|pushurl|prune|tagopt)|submodule\.(?:active|url|branch)|core\.sparsecheckout(?:cone)?)\s*=[^\\]*$/iu

/** Returns the settings that `after` adds to `before` and that may make git run a program. */
export const addedSettings = (before: string, after: string): ReadonlyArray<string> => {
  const known = new Set(settings(before))
  return settings(after).filter((setting) => !known.has(setting) && !harmless.test(setting))
}

/**
 * Returns the paths of hooks and included files that the configuration names. Paths are resolved from the
 * worktree's `.git`, as git does; paths below the home directory are left out.
 */
export const placesOfPrograms = (text: string, path: string): ReadonlyArray<string> =>
  settings(text).flatMap((setting) => {
    const hooks = /^core\.hookspath\s*=\s*(.+)$/iu.exec(setting)?.[1]
    if (hooks !== undefined) return [resolve(dirname(path), "..", unquote(hooks))]
    const included = /^include(?:if)?\.path\s*=\s*(.+)$/iu.exec(setting)?.[1]
    return included === undefined || unquote(included).startsWith("~")
      ? []
      : [resolve(dirname(path), unquote(included))]
  })

/** Returns the path of the worktree that the configuration names; null: none. */
export const worktreeIn = (text: string): string | null =>
  /^[^\S\n]*worktree[^\S\n]*=(.*\S.*)$/mu.exec(text)?.[1]?.trim() ?? null

const unquote = (value: string): string =>
  value
    .replaceAll('"', "")
    .replace(/(?<!\s)\s+[#;].*$/u, "")
    .trim()
