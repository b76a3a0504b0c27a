/**
 * The language servers of a workspace. A server starts at the first question about one of its files, keeps running, is
 * restarted with back-off, and provides the capability CodeIntelligence.
 */
import { ToolError } from "@bough/protocol"
import type { CodeIntelligence, Invocation, SessionProcess, ToolContext, WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { afterWrite } from "./AfterWrite.ts"
import type { WarmServer } from "./client/WarmServer.ts"
import * as CodeQuestions from "./CodeQuestions.ts"
import { installHint } from "./KnownServers.ts"
import { loadClient } from "./loadClient.ts"
import { type ServerConfig, serverFor } from "./ServerConfig.ts"
import * as ServerPool from "./ServerPool.ts"

type Service = CodeIntelligence.CodeIntelligence["Service"]
type Reader = WorkspaceRead.WorkspaceRead["Service"]

export interface LanguageServersOptions {
  readonly servers: ReadonlyArray<ServerConfig>
  /**
   * All directories of the workspace, with links resolved: first the base of relative paths, then the repository around
   * it, then others.
   */
  readonly roots: readonly [string, ...ReadonlyArray<string>]
  readonly start: SessionProcess.Start
  /** False: the result of a call that writes a file does not list the new problems in it. Default: true. */
  readonly reportsAfterWrites?: boolean
  /** The maximum time for which a call waits for the problems of a file that it wrote. Default: 3,000. */
  readonly afterWriteMillis?: number
}

export interface LanguageServers {
  /** Provides the capability to calls; `read` is their access to files. */
  readonly provided: (
    read: (invocation: Invocation.Invocation["Service"], bounds: ToolContext.Bounds | undefined) => Reader
  ) => Pick<ToolContext.ProvidedService<Service>, "afterWrite" | "make">
}

const afterWriteMillis = 3000

/** Creates the servers of a workspace. All processes end when the scope closes. */
export const make = Effect.fnUntraced(function* (
  options: LanguageServersOptions
): Effect.fn.Return<LanguageServers, never, Scope.Scope> {
  const pool = yield* ServerPool.make(options)

  const serverOf = (path: string): Effect.Effect<ServerConfig, ToolError.ToolError> =>
    Effect.suspend(() => {
      const server = serverFor(options.servers, path)
      return server === null ? Effect.fail(noServer(path)) : Effect.succeed(server)
    })

  /** Returns the running server for the file in this view of the workspace; null: there is none. */
  const runningFor = (path: string, withheld: ToolContext.WithheldLocations | null): WarmServer | null => {
    const server = serverFor(options.servers, path)
    return server === null ? null : pool.running(server, withheld)
  }

  return {
    provided: (readOf) => ({
      make: (invocation, _mark, bounds) => {
        const withheld = bounds?.withheld ?? null
        return CodeQuestions.make({
          read: readOf(invocation, bounds),
          paths: Effect.map(loadClient, ({ WorkspacePaths }) => WorkspacePaths.make(options.roots)),
          warm: (path) => Effect.flatMap(serverOf(path), (server) => pool.use(server, withheld))
        })
      },
      ...(options.reportsAfterWrites === false
        ? {}
        : {
            afterWrite: ({ bounds, invocation, paths }) =>
              afterWrite({
                paths,
                maxMillis: options.afterWriteMillis ?? afterWriteMillis,
                read: readOf(invocation, bounds),
                warmFor: (path) => runningFor(path, bounds.withheld ?? null)
              })
          })
    })
  }
})

const noServer = (path: string): ToolError.ValidationError => {
  const install = installHint(path)
  return new ToolError.ValidationError({
    message: `no language server for ${path}: ${
      install === null
        ? "none is known for such files; one can be configured under languageServers"
        : `one is used once it is installed (${install}) or configured under languageServers`
    }`,
    field: "path",
    issues: []
  })
}
