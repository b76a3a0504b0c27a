/** `mcp list`: connects to every configured server once, and lists its tools. */
import * as SettingsFile from "@bough/host/config/Settings"
import * as SessionServers from "@bough/host/session/SessionServers"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import type { Program } from "../../Program.ts"

export const parameters = { format: ListFlags.format }

/** Limits the wait for all servers; each server has a shorter limit of its own for connecting. */
const timeoutMillis = 35_000

export const list = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { format }: CommandOptions<typeof parameters>
) {
  const { output } = program
  const settings = yield* SettingsFile.load(program.environment, { ...SettingsFile.noOverrides, cwd: common.cwd }, null)
  for (const notice of settings.notices) output.note(notice)
  const connected = yield* Effect.scoped(
    Effect.gen(function* () {
      const servers = yield* SessionServers.make(settings, { onNotice: () => {} })
      if (servers === null) return []
      yield* Effect.timeoutOption(servers.settled, timeoutMillis)
      return servers.states().map(({ detail, server: { from, name }, status, tools }) => ({
        name,
        status,
        from,
        detail,
        tools: [...tools.values()].map((tool) => ({ name: tool.name, tier: tool.tier }))
      }))
    })
  )
  const unused = settings.servers.mcp.unused.map(({ from, name, why }) => ({
    name,
    status: "unused",
    from,
    detail: why,
    tools: []
  }))
  const all = [...connected, ...unused]
  if (format === "json") return output.json(all, 2)
  if (all.length === 0) {
    return output.note(
      `no servers configured: put them under mcpServers of your configuration ("${program.name} config edit") or in .mcp.json`
    )
  }
  const width = Math.max(...all.map(({ name }) => name.length))
  for (const { detail, from, name, status, tools } of all) {
    const count = tools.length === 1 ? "1 tool" : `${tools.length} tools`
    output.answerEscaped(
      text`${Escape.line(`${name.padEnd(width)}  ${status.padEnd(10)}  ${count.padEnd(9)}  ${from}  ${detail}`.trimEnd())}\n`
    )
    for (const tool of tools) output.answerEscaped(text`  ${Escape.line(`${tool.name}  ${tool.tier}`)}\n`)
  }
})

export const command = declare({ parameters, run: list })
