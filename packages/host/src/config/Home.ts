/** The folders of data and configuration. */
import { isAbsolute, join, resolve } from "node:path"

export interface HomeEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly home: string
}

const isSet = (value: string | undefined): value is string => value !== undefined && value !== ""

/** True for an absolute path; the XDG specification requires that relative ones are ignored. */
const isAbsolutePath = (value: string | undefined): value is string => isSet(value) && isAbsolute(value)

/** The folder of Bough's data: `$BOUGH_HOME`, else the platform's data directory. */
export const dataDirectory = ({ home, platform, variables }: HomeEnvironment): string => {
  if (isSet(variables["BOUGH_HOME"])) return resolve(variables["BOUGH_HOME"])
  if (platform === "darwin") return join(home, "Library", "Application Support", "bough")
  if (platform === "win32") return join(variables["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), "bough")
  return join(
    isAbsolutePath(variables["XDG_DATA_HOME"]) ? variables["XDG_DATA_HOME"] : join(home, ".local", "share"),
    "bough"
  )
}

/** The folder of the configuration: `bough` below `$XDG_CONFIG_HOME`, else below `~/.config`. */
export const configDirectory = ({ home, variables }: Pick<HomeEnvironment, "variables" | "home">): string =>
  join(isAbsolutePath(variables["XDG_CONFIG_HOME"]) ? variables["XDG_CONFIG_HOME"] : join(home, ".config"), "bough")

/** The path of the operator's configuration file. */
export const configFile = (environment: Pick<HomeEnvironment, "variables" | "home">): string =>
  join(configDirectory(environment), "config.jsonc")

/** Shortens the home folder to `~`. */
export const displayPath = (path: string, home: string): string =>
  home !== "" && path.startsWith(home + "/") ? `~${path.slice(home.length)}` : path
