/**
 * Settings for every git that reads a workspace, so that it runs nothing that the machine, the user or the repository
 * configured: settings of the environment take precedence over files.
 */

export type Setting = readonly [key: string, value: string]

const always: ReadonlyArray<Setting> = [
  ["advice.detachedHead", "false"],
  ["blame.ignoreRevsFile", ""],
  ["color.ui", "false"],
  ["commit.gpgSign", "false"],
  ["core.alternateRefsCommand", ""],
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.protectHFS", "true"],
  ["core.protectNTFS", "true"],
  ["core.quotePath", "false"],
  ["core.sshCommand", "false"],
  ["core.untrackedCache", "false"],
  ["diff.external", ""],
  ["diff.ignoreSubmodules", "none"],
  ["diff.mnemonicPrefix", "false"],
  ["diff.noprefix", "false"],
  ["diff.orderFile", "/dev/null"],
  ["diff.submodule", "short"],
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

/** Settings by which a repository names programs that change what is read and written. */
export const filters = String.raw`^filter\..*\.(clean|smudge|process)$`

/** Settings by which it names programs that merge. */
export const mergeDrivers = String.raw`^merge\..*\.driver$`

/** Settings that turn a filter off: git treats an empty program as none. */
export const without = (filter: string): ReadonlyArray<Setting> => [
  [filter, ""],
  [`${filter.slice(0, filter.lastIndexOf("."))}.required`, "false"]
]

/** The whole environment of a git. */
export const environment = (more: ReadonlyArray<Setting> = []): Readonly<Record<string, string>> => {
  const settings = [...always, ...more]
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin",
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_EDITOR: "false",
    // Not only asked of git: a git that does not know the next one fetches a missing object by what a repository names.
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
