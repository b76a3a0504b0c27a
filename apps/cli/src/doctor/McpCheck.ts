/** Checks the configuration of MCP servers without starting one. */
import type { Settings } from "@bough/host/config/Settings"
import { type Check, pass, problem } from "./Check.ts"

export const checkMcp = (
  program: string,
  {
    servers: {
      mcp: { servers, unused }
    }
  }: Settings
): Check => {
  const name = "mcp"
  const wrong = unused.filter(({ isOff }) => !isOff)
  if (wrong.length > 0) {
    const sentences = wrong.map(({ from, name: server, why }) => `${server} of ${from} is not used: ${why}`)
    return problem(name, sentences.join("; "), `${program} config edit`)
  }
  if (servers.length + unused.length === 0) return pass(name, "no servers configured")
  const off = unused.length === 0 ? "" : `, ${unused.length} switched off`
  return pass(name, `${servers.length} configured${off}; "${program} mcp list" connects to them`)
}
