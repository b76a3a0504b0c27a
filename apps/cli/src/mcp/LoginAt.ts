/** The server that a login is for, found by name; agents' commands may not log in or out. */
import { nearest } from "@bough/host/config/Nearest"
import * as SettingsFile from "@bough/host/config/Settings"
import * as ServerLogins from "@bough/host/session/ServerLogins"
import * as Effect from "effect/Effect"
import { usage } from "../CliFailure.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import { refuseAgents } from "../io/refuseAgents.ts"
import type { Program } from "../Program.ts"

export const find = Effect.fnUntraced(function* (program: Program, { cwd }: Common, name: string) {
  const { environment, output } = program
  yield* refuseAgents(program, "log in or out at a server")
  const settings = yield* SettingsFile.load(environment, { ...SettingsFile.noOverrides, cwd }, null)
  for (const notice of settings.notices) output.note(notice)
  const { servers } = settings.servers.mcp
  const server = servers.find((one) => one.name === name)
  if (server === undefined) {
    const near = nearest(
      name,
      servers.map((one) => one.name)
    )
    const hint = near === null ? '"bough mcp list" lists the configured servers' : `did you mean ${near}?`
    return yield* usage(`there is no MCP server ${JSON.stringify(name)}`, hint)
  }
  const { transport } = server
  if (transport._tag !== "Http") return yield* usage(`${name} is a program: it has no login`, "")
  const logins = ServerLogins.make(settings)
  return { server, store: logins.store(server), authFetch: logins.fetch(transport) }
})
