/**
 * Chooses the language servers of a session: those of the operator's configuration, then installed servers that Bough
 * knows.
 */
import { KnownServers, ServerConfig } from "@bough/language-servers"
import * as Result from "effect/Result"
import { readFileSync, realpathSync, statSync } from "node:fs"
import { delimiter, dirname, isAbsolute, join } from "node:path"
import type { LanguageServer } from "./LanguageServerSchema.ts"

export interface LanguageServerSettings {
  readonly configured: Readonly<Record<string, LanguageServer>>
  /** True: the result of a call that writes a file lists the new problems in it. */
  readonly reportsAfterEdits: boolean
}

export interface LanguageServerChoice {
  readonly servers: ReadonlyArray<ServerConfig.ServerConfig>
  /** Misconfigured servers, each with the reason. */
  readonly unused: ReadonlyArray<{ readonly name: string; readonly why: string }>
}

export interface SearchPaths {
  /** The operator's PATH. */
  readonly path: string
  /**
   * Folders whose `node_modules/.bin` is searched too. Their programs belong to the project: only a sandbox may run them.
   */
  readonly projectRoots: ReadonlyArray<string>
}

/** Finds the installed known servers, and puts the configured ones before them. */
export const choose = ({ configured }: LanguageServerSettings, surroundings: SearchPaths): LanguageServerChoice => {
  const installed = KnownServers.find({
    directories: directoriesIn(surroundings),
    isProgram: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
    majorOf
  })
  const configuredServers = Object.entries(configured).flatMap(([name, server]) =>
    server.enabled === false
      ? []
      : [{ name, server: toServer(name, server, installed.find((known) => known.name === name) ?? null) }]
  )
  const named = new Set(Object.keys(configured))
  return {
    servers: [
      ...configuredServers.flatMap(({ server }) => (typeof server === "string" ? [] : [server])),
      ...installed.filter(({ name }) => !named.has(name))
    ],
    unused: configuredServers.flatMap(({ name, server }) => (typeof server === "string" ? [{ name, why: server }] : []))
  }
}

/** Returns the server, or the reason why it cannot be used. */
const toServer = (
  name: string,
  server: LanguageServer,
  installed: ServerConfig.ServerConfig | null
): ServerConfig.ServerConfig | string => {
  const known = KnownServers.knownServers.find((one) => one.name === name)
  const command = server.command ?? installed?.command
  if (command === undefined) {
    return known === undefined ? "it has no command" : `it has no command, and is not installed: ${known.install}`
  }
  const extensions = server.extensions ?? known?.extensions ?? []
  if (extensions.length === 0) return 'it has no extensions, such as ["go"]'
  return {
    name,
    command,
    args: server.args ?? (server.command === undefined ? (installed?.args ?? []) : []),
    extensions: extensions.map((extension) => extension.toLowerCase()),
    env: {},
    initializationOptions: server.initializationOptions ?? null,
    settings: server.settings ?? null,
    limits: { ...ServerConfig.defaultLimits, ...server.limits }
  }
}

/** Returns the directories with links resolved, as a sandbox shows them. */
const directoriesIn = ({ path, projectRoots }: SearchPaths): ReadonlyArray<string> => {
  const named = [
    ...projectRoots.map((root) => join(root, "node_modules/.bin")),
    ...path.split(delimiter).filter((entry) => isAbsolute(entry))
  ]
  const found = named.flatMap((directory) =>
    Result.match(
      Result.try(() => realpathSync.native(directory)),
      { onFailure: () => [], onSuccess: (real) => [real] }
    )
  )
  return [...new Set(found)]
}

/** Looks beside `node_modules/.bin`, and in the package folder of a global npm installation. */
const majorOf = (directory: string, npmPackage: string): number | null => {
  for (const modules of [dirname(directory), join(dirname(directory), "lib/node_modules")]) {
    const read = Result.try((): unknown => JSON.parse(readFileSync(join(modules, npmPackage, "package.json"), "utf8")))
    const version = Result.isSuccess(read) ? (Object(read.success) as { readonly version?: unknown }).version : null
    if (typeof version === "string") return Number.parseInt(version, 10)
  }
  return null
}
