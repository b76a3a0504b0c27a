/** Opens a page in the user's browser where this machine has one. */
import { spawn } from "node:child_process"
import type { Program } from "../Program.ts"

/**
 * Starts the browser and does not wait for it; a failure is not reported, because the address is also printed. `BROWSER`
 * names another program. Over ssh, and on Linux without a display, no browser is started.
 */
export const openBrowser = ({ environment: { platform, variables } }: Program, url: string): void => {
  const command = commandFor(platform, variables)
  if (command === null) return
  const [file, ...words] = command
  const child = spawn(file, [...words, url], { stdio: "ignore", detached: true, env: { ...variables } })
  child.on("error", () => {})
  child.unref()
}

const commandFor = (
  platform: NodeJS.Platform,
  variables: Readonly<Record<string, string | undefined>>
): readonly [string, ...ReadonlyArray<string>] | null => {
  const isSet = (name: string): boolean => (variables[name] ?? "") !== ""
  const named = variables["BROWSER"] ?? ""
  if (named !== "") return [named]
  if (isSet("SSH_CONNECTION") || isSet("SSH_TTY")) return null
  if (platform === "darwin") return ["open"]
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"]
  return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") ? ["xdg-open"] : null
}
