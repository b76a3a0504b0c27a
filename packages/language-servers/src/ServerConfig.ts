/** The configuration of a language server for the client. Pure data. */
import type { SessionProcess } from "@bough/tool"
import type * as Schema from "effect/Schema"

export interface ServerConfig {
  /** The name of the server in the configuration or in the table of known servers. */
  readonly name: string
  /** The program: a path, or a name that is searched for on the PATH of commands. */
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** The file extensions that the server handles, without the dot. */
  readonly extensions: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  /** The value that is sent with `initialize`, as the server's documentation describes; null: none is sent. */
  readonly initializationOptions: Schema.Json
  /** The answers to the server's configuration requests, by section; null: the server gets no settings. */
  readonly settings: Schema.Json
  readonly limits: SessionProcess.Limits
}

export const defaultLimits: SessionProcess.Limits = {
  memoryBytes: 4 * 1024 ** 3,
  processes: 256,
  openFiles: 4096,
  cpuSeconds: null
}

/** Returns the extension of a file name in lower case; "": the name has none. */
export const extensionOf = (path: string): string => {
  const name = path.slice(path.lastIndexOf("/") + 1)
  const dot = name.lastIndexOf(".")
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase()
}

/** Returns the first server that handles the file; null: none does. */
export const serverFor = (servers: ReadonlyArray<ServerConfig>, path: string): ServerConfig | null => {
  const extension = extensionOf(path)
  return servers.find(({ extensions }) => extensions.includes(extension)) ?? null
}

/** The language names of the protocol that differ from the file extension. */
const languageIds: Readonly<Record<string, string>> = {
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "typescriptreact",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascriptreact",
  py: "python",
  pyi: "python",
  rs: "rust",
  rb: "ruby",
  cc: "cpp",
  cxx: "cpp",
  hh: "cpp",
  hpp: "cpp",
  h: "c",
  cs: "csharp",
  sh: "shellscript",
  bash: "shellscript",
  kt: "kotlin",
  md: "markdown",
  yml: "yaml"
}

export const languageIdOf = (path: string): string => {
  const extension = extensionOf(path)
  return languageIds[extension] ?? extension
}
