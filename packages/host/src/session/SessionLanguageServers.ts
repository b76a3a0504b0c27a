/** The language servers of a session and its children: processes in its sandbox that cannot write the workspace. */
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

/** The configured and installed servers. Programs of the project only run inside a sandbox. */
export const choose = (settings: Settings): LanguageServerSettings.LanguageServerChoice =>
  settings.sandbox.backend === "disabled"
    ? { servers: [], unused: [] }
    : LanguageServerSettings.choose(settings.servers.languages, {
        path: settings.environment.variables["PATH"] ?? "",
        projectRoots:
          settings.sandbox.backend === "host"
            ? []
            : [...new Set([settings.workspace.root, settings.workspace.repositoryRoot])]
      })

/** Starts a server at the first question about a file. Null: no server is available. */
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
  const {
    workspace: { additionalDirectories, repositoryRoot, root: workspaceRoot },
    servers: { languages: languageServers }
  } = settings
  return yield* LanguageServers.make({
    servers,
    roots: [workspaceRoot, repositoryRoot, ...additionalDirectories.map(({ path }) => path)],
    // Made with the first server: most sessions start none.
    start: SessionProcesses.starter(settings, yield* Effect.cached(sandbox), "language server"),
    reportsAfterWrites: languageServers.reportsAfterEdits
  })
})

/** Adds the capability to the context if there are servers. */
export const provide = (
  context: ToolContext.ToolContext,
  servers: LanguageServers.LanguageServers | null,
  { settings, workspace }: { readonly settings: Settings; readonly workspace: Workspace.Workspace }
): ToolContext.ToolContext =>
  servers === null
    ? context
    : ToolContext.provide(context, Capability.CodeIntelligence, {
        ...servers.provided(({ grants }, bounds) => workspace.read(grants, bounds?.withheld)),
        reach: settings.sandbox.backend === "host" ? "Host" : "Confined",
        preconditions: []
      })
