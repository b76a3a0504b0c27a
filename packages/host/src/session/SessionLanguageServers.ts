/** The language servers of one session and all below it: processes in its sandbox, which cannot write the workspace. */
import { LanguageServers } from "@bough/language-servers"
import type { Sandbox } from "@bough/sandbox"
import { Capability, ToolContext } from "@bough/tool"
import type { Workspace } from "@bough/workspace"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Settings } from "../config/Settings.ts"
import * as LanguageServerSettings from "../languageServers/LanguageServerSettings.ts"
import * as SessionProcesses from "./SessionProcesses.ts"

/** The servers of the sessions of a tree; null: there are none. */
export const Current = Context.Reference<LanguageServers.LanguageServers | null>("@bough/host/LanguageServers", {
  defaultValue: () => null
})

/** The servers that the settings name or that are installed. Outside of a sandbox none of the project's programs is run. */
export const choose = (settings: Settings): LanguageServerSettings.LanguageServerChoice =>
  settings.sandbox === "disabled"
    ? { servers: [], unused: [] }
    : LanguageServerSettings.choose(settings.languageServers, {
        path: settings.environment.variables["PATH"] ?? "",
        projectRoots: settings.sandbox === "host" ? [] : [...new Set([settings.workspaceRoot, settings.repositoryRoot])]
      })

/** Starts nothing before a file is asked about. Null: there is no server. */
export const make = Effect.fnUntraced(function* (
  settings: Settings,
  {
    onNotice,
    sandbox
  }: {
    readonly onNotice: (sentence: string) => void
    readonly sandbox: Effect.Effect<Sandbox.Sandbox>
  }
) {
  const { servers, unused } = choose(settings)
  for (const { name, why } of unused) onNotice(`the language server ${JSON.stringify(name)} is not used: ${why}`)
  if (servers.length === 0) return null
  const { additionalDirectories, languageServers, repositoryRoot, workspaceRoot } = settings
  return yield* LanguageServers.make({
    servers,
    roots: [workspaceRoot, repositoryRoot, ...additionalDirectories.map(({ path }) => path)],
    start: SessionProcesses.starter(settings, yield* sandbox, "language server"),
    reportsAfterWrites: languageServers.reportsAfterEdits
  })
})

/** The context with the capability, where there are servers. */
export const provide = (
  context: ToolContext.ToolContext,
  servers: LanguageServers.LanguageServers | null,
  { settings, workspace }: { readonly settings: Settings; readonly workspace: Workspace.Workspace }
): ToolContext.ToolContext =>
  servers === null
    ? context
    : ToolContext.provide(context, Capability.CodeIntelligence, {
        ...servers.provided(({ grants }, bounds) => workspace.read(grants, bounds?.withheld)),
        reach: settings.sandbox === "host" ? "Host" : "Confined",
        preconditions: []
      })
