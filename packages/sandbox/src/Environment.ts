/** The environment of a command: an allow-list over the operator's own, so that no secret is inherited. */
import { isSecretName } from "./SecretName.ts"

export type Variables = Readonly<Record<string, string>>
export type HostVariables = Readonly<Record<string, string | undefined>>

/** Set for every command on the host, so that a program that prompts users can detect that no user is present. */
export const commandMark = "BOUGH_COMMAND"

const everywhere = [
  "LANG LANGUAGE TERM COLORTERM NO_COLOR FORCE_COLOR TZ CI",
  "NODE_ENV JAVA_HOME GOROOT DOTNET_ROOT RUST_BACKTRACE PYTHONUNBUFFERED"
].flatMap((line) => line.split(" "))
const onHost = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR"]

/** Directories that are made for each command in the sandbox and deleted with it. */
export const home = "/tmp/home"
const user = "bough"
const defaultPath = "/usr/local/bin:/usr/bin:/bin"

/**
 * Stops programs from looking for updates of themselves and from reporting their use: each attempt would contact a host
 * that is unrelated to the command, and the user would be asked to approve it.
 */
const quiet: Variables = {
  DO_NOT_TRACK: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  NO_UPDATE_NOTIFIER: "1",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  npm_config_update_notifier: "false"
}

/**
 * Makes the variables of a command in the sandbox, which has its own PATH and variables. `extraKeys` are the operator's
 * choice.
 */
export const confinedVariables = (host: HostVariables, path: string, extraKeys: ReadonlyArray<string>): Variables => ({
  ...quiet,
  ...pickVariables(host, [...everywhere, ...extraKeys]),
  PATH: path === "" ? defaultPath : path,
  HOME: home,
  TMPDIR: "/tmp",
  USER: user,
  LOGNAME: user,
  SHELL: "/bin/sh"
})

/** Makes the variables of a command on the host. */
export const unconfinedVariables = (host: HostVariables, extraKeys: ReadonlyArray<string>): Variables => ({
  PATH: defaultPath,
  ...pickVariables(host, [...everywhere, ...onHost, ...extraKeys]),
  [commandMark]: "1"
})

const pickVariables = (host: HostVariables, keys: ReadonlyArray<string>): Variables => {
  const variables: Record<string, string> = {}
  for (const [key, value] of Object.entries(host)) {
    const isNamed = keys.includes(key) || key.startsWith("LC_")
    if (value !== undefined && isNamed && !isSecretName(key)) variables[key] = value
  }
  return variables
}

/** Returns the names of the variables, on which an approval depends. */
export const keysOf = (variables: Variables): ReadonlyArray<string> => Object.keys(variables).toSorted()
