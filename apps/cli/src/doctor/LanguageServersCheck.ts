/** Checks which language servers are installed; starts none. */
import type { Settings } from "@bough/host/config/Settings"
import { choose } from "@bough/host/session/SessionLanguageServers"
import { type Check, pass, problem } from "./Check.ts"

export const checkLanguageServers = (program: string, settings: Settings): Check => {
  const name = "language servers"
  if (settings.sandbox.backend === "disabled") return pass(name, 'off because "sandbox" is "disabled"')
  const { servers, unused } = choose(settings)
  if (unused.length > 0) {
    const sentences = unused.map(({ name: server, why }) => `${server} is not used: ${why}`)
    return problem(name, sentences.join("; "), `${program} config edit`)
  }
  return servers.length === 0
    ? pass(name, "none installed; one such as typescript-language-server, pyright or gopls enables the tools lsp_*")
    : pass(name, servers.map(({ command, name: server }) => `${server} (${command})`).join(", "))
}
