/**
 * Settings for every git that reads a workspace: it must run no program that the machine, the user or the repository
 * configured. Settings in the environment take precedence over files.
 */

export type Setting = readonly [key: string, value: string]

const always: ReadonlyArray<Setting> = [
  ["advice.detachedHead", "false"],
  ["blame.ignoreRevsFile", ""],
  ["color.branch", "false"],
  ["color.diff", "false"],
  ["color.grep", "false"],
  ["color.status", "false"],
  ["color.ui", "false"],
  ["commit.gpgSign", "false"],
  // Git fails to run a program with an empty name.
  ["core.alternateRefsCommand", "true"],
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.protectHFS", "true"],
  ["core.protectNTFS", "true"],
  ["core.quotePath", "false"],
  ["core.sshCommand", "false"],
  ["core.untrackedCache", "false"],
  ["diff.dstPrefix", "b/"],
  ["diff.external", ""],
  ["diff.ignoreSubmodules", "dirty"],
  ["diff.interHunkContext", "0"],
  ["diff.mnemonicPrefix", "false"],
  ["diff.noprefix", "false"],
  ["diff.orderFile", "/dev/null"],
  ["diff.srcPrefix", "a/"],
  ["diff.submodule", "short"],
  ["diff.suppressBlankEmpty", "false"],
  ["gc.auto", "0"],
  ["gpg.program", "false"],
  ["i18n.commitEncoding", "UTF-8"],
  ["i18n.logOutputEncoding", "UTF-8"],
  ["log.showSignature", "false"],
  ["maintenance.auto", "false"],
  ["protocol.allow", "never"],
  ["safe.bareRepository", "explicit"],
  ["submodule.recurse", "false"]
]

/**
 * Compares only the commits of submodules. Git would compare their files by a process in the submodule, with the filters
 * of its own configuration.
 */
export const commitsOfSubmodules = "--ignore-submodules=dirty"

/** Matches settings by which a repository names programs that change the data that git reads and writes. */
export const filters = String.raw`^filter\..*\.(clean|smudge|process)$`

/** Matches settings by which a repository names programs that merge. */
export const mergeDrivers = String.raw`^merge\..*\.driver$`

/** Settings that turn a filter off: git treats an empty program as none. */
export const filterOff = (filter: string): ReadonlyArray<Setting> => [
  [filter, ""],
  [`${filter.slice(0, filter.lastIndexOf("."))}.required`, "false"]
]

/** Makes the whole environment of a git process. */
export const environment = (more: ReadonlyArray<Setting> = []): Readonly<Record<string, string>> => {
  const settings = [...always, ...more]
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin",
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_EDITOR: "false",
    // Set in addition to the next variable: a git version without support for it would fetch missing objects by a
    // method that the repository configures.
    GIT_ALLOW_PROTOCOL: "",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value]
      ])
    )
  }
}
