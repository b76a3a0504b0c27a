/** The requirements of tools under these settings: which ones are not met, and which tools remain. Pure. */
import { Network } from "@bough/network"
import { Requirement, type SessionKind, type Tool, ToolContext } from "@bough/tool"
import { Workspace } from "@bough/workspace"
import type { Settings } from "../config/Settings.ts"
import * as SessionLanguageServers from "./SessionLanguageServers.ts"

/** The requirements that no session with these settings meets, each with the reason and the fix. */
export const unmetRequirements = (settings: Settings): ReadonlyMap<string, string> =>
  new Map([
    ...Object.entries(Network.lacksOf(settings.network)).map(
      ([feature, reason]) => [`NetworkRead.${feature}`, reason] as const
    ),
    ...Object.entries(
      Workspace.lacksOf({
        root: settings.workspace.repositoryRoot,
        writable: [
          settings.workspace.repositoryRoot,
          ...settings.workspace.additionalDirectories.map(({ path }) => path)
        ],
        variables: settings.environment.variables
      })
    ).map(([feature, reason]) => [`RepositoryPush.${feature}`, reason] as const),
    ...(SessionLanguageServers.choose(settings).servers.length === 0
      ? [["CodeIntelligence", withoutServers(settings)] as const]
      : [])
  ])

const withoutServers = ({ sandbox: { backend: sandbox } }: Settings): string =>
  sandbox === "disabled"
    ? "language servers run in a sandbox, and execution is disabled"
    : "no language server is installed: install one, such as typescript-language-server, or name it in languageServers"

/** Returns the reason why the tool is unavailable with these settings; null if they meet its requirements. */
export const missingReason = (
  { requires }: Pick<Tool.Any, "requires">,
  known: ReadonlyMap<string, string>
): string | null => requires.map((requirement) => known.get(requirement)).find((reason) => reason !== undefined) ?? null

/** The tools whose backends a session of this context has. */
export const narrow = (tools: SessionKind.KindTools, context: ToolContext.ToolContext): SessionKind.KindTools => {
  const all = Object.entries<Tool.Any>(tools.pack.tools)
  const available = all.filter(([, tool]) => tool.requires.length === 0 || Requirement.missing(tool, context) === null)
  return available.length === all.length
    ? tools
    : { ...tools, pack: { ...tools.pack, tools: Object.fromEntries(available) } }
}
