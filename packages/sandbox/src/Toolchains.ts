/**
 * Finds programs that are installed outside /usr: the directories that a sandbox must show read-only so that `node`,
 * `python` or `cargo` work as they do for the operator. It never includes the home directory itself or directories with
 * keys.
 */

/** Version managers below the home directory: shown as a whole, and found by programs through `variable`. */
const managers: ReadonlyArray<{ readonly directory: string; readonly variable?: string; readonly programs?: string }> =
  [
    { directory: ".nvm" },
    { directory: ".fnm" },
    { directory: ".local/share/fnm" },
    { directory: ".nodenv", variable: "NODENV_ROOT" },
    { directory: ".volta", variable: "VOLTA_HOME" },
    { directory: ".pyenv", variable: "PYENV_ROOT" },
    { directory: ".rbenv", variable: "RBENV_ROOT" },
    { directory: ".asdf", variable: "ASDF_DATA_DIR" },
    { directory: ".local/share/mise", variable: "MISE_DATA_DIR" },
    { directory: ".sdkman", variable: "SDKMAN_DIR" },
    { directory: ".rustup", variable: "RUSTUP_HOME", programs: ".cargo/bin" },
    { directory: ".bun", variable: "BUN_INSTALL" },
    { directory: ".deno" }
  ]

/** The parent directories of installations, in which a `bin` depends on its neighbour directories. */
const installation = /^\/(?:opt|home\/linuxbrew)\/[^/]+\//

const shownAnyway = ["/usr", "/bin", "/sbin", "/nix/store", "/gnu/store"]

/** True for a top-level directory, or a directory without programs. */
const isClosed = (path: string): boolean => path.lastIndexOf("/") === 0 || /^\/(?:dev|etc|proc|run|sys)\//.test(path)

export interface Toolchains {
  readonly directories: ReadonlyArray<string>
  readonly variables: Readonly<Record<string, string>>
}

/**
 * Returns the directories and variables to show for the entries of a PATH. `entries` are absolute and without links. An
 * entry below `home` that belongs to no known manager is shown without its neighbours.
 */
export const toolchainsOf = (entries: ReadonlyArray<string>, home: string): Toolchains => {
  const directories = new Set<string>()
  const variables: Record<string, string> = {}
  for (const entry of entries) {
    if (shownAnyway.some((path) => contains(path, entry)) || isClosed(entry) || contains(entry, home)) continue
    const used = managers.filter(({ directory, programs }) =>
      [directory, programs ?? directory].some((below) => contains(`${home}/${below}`, entry))
    )
    for (const { directory, variable } of used) {
      directories.add(`${home}/${directory}`)
      if (variable !== undefined) variables[variable] = `${home}/${directory}`
    }
    directories.add(installation.test(entry) ? parent(entry) : entry)
  }
  return { directories: outermost([...directories]), variables }
}

/**
 * Returns the directories of programs to which the links of an entry may lead: packages of npm beside `bin` or `.bin`,
 * and the environments of pipx and uv. They need not exist.
 */
export const packagesOf = (entry: string, home: string): ReadonlyArray<string> => {
  if (shownAnyway.some((path) => contains(path, entry)) || isClosed(entry) || contains(entry, home)) return []
  if (entry.endsWith("/node_modules/.bin")) return [parent(entry)]
  return [
    ...(entry.endsWith("/bin") ? [`${parent(entry)}/lib/node_modules`] : []),
    ...(entry === `${home}/.local/bin` ? environments.map((directory) => `${home}/${directory}`) : [])
  ]
}

/** Environments of Python programs; uv keeps credentials beside its own. */
const environments = [".local/share/pipx/venvs", ".local/share/uv/tools", ".local/share/uv/python"]

/** Adds further directories to show. */
export const withDirectories = ({ directories, variables }: Toolchains, more: ReadonlyArray<string>): Toolchains => ({
  directories: outermost([...new Set([...directories, ...more])]),
  variables
})

/** True if `path` is `directory` or below it. */
export const contains = (directory: string, path: string): boolean =>
  path === directory || path.startsWith(directory === "/" ? "/" : `${directory}/`)

const parent = (path: string): string => path.slice(0, path.lastIndexOf("/"))

const outermost = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.filter((path) => !paths.some((other) => other !== path && contains(other, path)))
