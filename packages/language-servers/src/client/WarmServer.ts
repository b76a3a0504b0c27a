/** An initialised server. Documents are synchronised before each question, and answers are decoded. */
import { ToolError } from "@bough/protocol"
import type { CodeIntelligence, SessionProcess, ToolContext, WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ServerConfig } from "../ServerConfig.ts"
import * as OpenDocuments from "./OpenDocuments.ts"
import * as ProjectLoading from "./ProjectLoading.ts"
import * as PublishedProblems from "./PublishedProblems.ts"
import * as Replies from "./Replies.ts"
import * as Rpc from "./Rpc.ts"
import * as TsserverProblems from "./TsserverProblems.ts"
import type { WorkspacePaths } from "./WorkspacePaths.ts"

type Reader = WorkspaceRead.WorkspaceRead["Service"]

export interface WarmServer {
  /** Sends a question about a file, and returns the undecoded answer. */
  readonly ask: (read: Reader, question: Question) => Effect.Effect<unknown, ToolError.ToolError>
  /**
   * Returns the problems of a file. `maxMillis` null: waits as long as this server usually needs for a new file.
   */
  readonly diagnostics: (
    read: Reader,
    path: string,
    maxMillis: number | null
  ) => Effect.Effect<CodeIntelligence.Problems, ToolError.ToolError>
  readonly written: (read: Reader, paths: ReadonlyArray<string>) => Effect.Effect<void>
  /** Returns the problems of a file that the model may have seen; null: the file was not checked. */
  readonly knownProblems: (path: string) => ReadonlyArray<CodeIntelligence.Problem> | null
  readonly ended: Effect.Effect<string>
  readonly hasEnded: () => boolean
}

export interface Question {
  readonly method: string
  readonly path: string
  /** The position; absent: the question is about the whole file. */
  readonly position?: CodeIntelligence.Position
  readonly more?: Readonly<Record<string, unknown>>
}

export interface StartOptions {
  readonly start: SessionProcess.Start
  readonly paths: WorkspacePaths
  /** Paths that the process cannot see; null: it sees all paths. */
  readonly withheld: ToolContext.WithheldLocations | null
}

/** The maximum time for the first answer, which may include loading the project. */
const initializeMillis = 60_000

/** Starts the server, which runs until the scope closes. */
export const start = Effect.fnUntraced(function* (server: ServerConfig, { paths, start, withheld }: StartOptions) {
  const published = PublishedProblems.make()
  const loading = ProjectLoading.make()
  const rpc = yield* Rpc.open(
    start,
    {
      command: server.command,
      args: server.args,
      env: server.env,
      network: false,
      isUnconfined: false,
      isReadOnly: true,
      ...(withheld === null ? {} : { withheld }),
      limits: server.limits
    },
    {
      onNotification: (method, params) => {
        if (method === "textDocument/publishDiagnostics") take(published, paths, params)
        if (method === "window/logMessage") loading.log(String(recordOf(params)["message"]))
      },
      answers: answersFor(server, paths)
    }
  )
  const reply = yield* Effect.timeoutOrElse(rpc.request("initialize", introduction(server, paths)), {
    duration: initializeMillis,
    orElse: () =>
      Effect.fail(new Rpc.RequestFailed({ message: `it did not start within ${initializeMillis / 1000} s` }))
  })
  const { passesOnToTsserver, pullsProblems } = capabilitiesOf(reply)
  rpc.notify("initialized", {})
  if (server.settings !== null) rpc.notify("workspace/didChangeConfiguration", { settings: server.settings })
  /** The number of reports on each file when the server was last sent a new text of the file. */
  const reportsBefore = new Map<string, number>()
  // A server that answers requests responds when it is ready. Others publish problems by themselves, or send nothing.
  const usualMillis = pullsProblems || passesOnToTsserver ? 60_000 : 15_000
  const documents = OpenDocuments.make({
    rpc,
    paths,
    onChange: (path) => void reportsBefore.set(path, published.countOf(path))
  })
  const failing = (failed: Rpc.RequestFailed) =>
    new ToolError.ExecutionError({ message: `the language server ${server.name}: ${failed.message}` })
  const known = new Map<string, ReadonlyArray<CodeIntelligence.Problem>>()

  const pulled = Effect.fnUntraced(function* (uri: string) {
    const answer = yield* rpc.request("textDocument/diagnostic", { textDocument: { uri } })
    const report = Option.getOrNull(Replies.decodeReport(answer))
    return report === null ? null : Replies.problems(report.items)
  })

  const pushed = Effect.fnUntraced(function* (
    path: string,
    { count, uri, version }: { readonly count: number; readonly uri: string; readonly version: number }
  ) {
    const barrier = Effect.ignore(rpc.request("textDocument/documentSymbol", { textDocument: { uri } }))
    yield* PublishedProblems.settled(published, { path, count, version, barrier })
    return published.problemsOf(path)
  })

  const warm: WarmServer = {
    ask: (read, { method, more, path, position }) =>
      Effect.flatMap(documents.sync(read, path), ({ uri }) =>
        Effect.mapError(
          Effect.andThen(
            ProjectLoading.concernsProject(method) ? Effect.raceFirst(loading.found, rpc.ended) : Effect.void,
            rpc.request(method, {
              textDocument: { uri },
              ...(position === undefined
                ? {}
                : { position: { line: position.line - 1, character: position.column - 1 } }),
              ...more
            })
          ),
          failing
        )
      ),
    diagnostics: Effect.fnUntraced(function* (read, path, maxMillis) {
      const { uri, version } = yield* documents.sync(read, path)
      const count = reportsBefore.get(path) ?? 0
      const asking = pullsProblems
        ? pulled(uri)
        : passesOnToTsserver
          ? TsserverProblems.read(rpc, paths.toFile(path))
          : pushed(path, { count, uri, version })
      const answer = yield* Effect.timeoutOption(Effect.mapError(asking, failing), maxMillis ?? usualMillis)
      const problems = Option.getOrNull(answer) ?? published.problemsOf(path)
      if (Option.isSome(answer) && problems !== null) known.set(path, problems)
      return { server: server.name, problems: problems ?? [], isComplete: Option.isSome(answer) }
    }),
    written: documents.written,
    knownProblems: (path) => known.get(path) ?? null,
    ended: rpc.ended,
    hasEnded: rpc.hasEnded
  }
  return warm
})

const take = (published: PublishedProblems.PublishedProblems, paths: WorkspacePaths, params: unknown): void => {
  const report = Option.getOrNull(Replies.decodePublished(params))
  const path = report === null ? null : paths.fromUri(report.uri)
  if (report === null || path === null) return
  published.publish(path, { problems: Replies.problems(report.diagnostics), version: report.version ?? null })
}

const capabilitiesOf = (reply: unknown): { readonly pullsProblems: boolean; readonly passesOnToTsserver: boolean } => {
  const capabilities = recordOf(recordOf(reply)["capabilities"])
  const { commands } = recordOf(capabilities["executeCommandProvider"])
  return {
    pullsProblems: capabilities["diagnosticProvider"] !== undefined,
    passesOnToTsserver: Array.isArray(commands) && commands.includes(TsserverProblems.command)
  }
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  value !== null && typeof value === "object" ? (value as Readonly<Record<string, unknown>>) : {}

/** Returns the responses to the server's requests. None of them changes or shows anything. */
const answersFor = (server: ServerConfig, paths: WorkspacePaths): Rpc.RpcHandlers["answers"] => ({
  "workspace/configuration": (params) => {
    const { items } = recordOf(params)
    return (Array.isArray(items) ? items.slice(0, 100) : []).map((item) => sectionOf(server, recordOf(item)["section"]))
  },
  "workspace/workspaceFolders": () => foldersOf(paths),
  "workspace/applyEdit": () => ({ applied: false, failureReason: "edits are made by calls of the agent alone" }),
  "client/registerCapability": () => null,
  "client/unregisterCapability": () => null,
  "window/workDoneProgress/create": () => null,
  "window/showMessageRequest": () => null,
  "window/showDocument": () => ({ success: false })
})

/** Returns the part of the settings for a section such as "python.analysis"; null: none is configured. */
const sectionOf = ({ settings }: ServerConfig, section: unknown): unknown => {
  if (typeof section !== "string" || section === "") return settings
  let found: unknown = settings
  for (const name of section.split(".")) found = Object.hasOwn(recordOf(found), name) ? recordOf(found)[name] : null
  return found
}

const foldersOf = ({ rootUri }: WorkspacePaths) => [{ uri: rootUri, name: "workspace" }]

/**
 * Returns the parameters of `initialize`. They contain no process id: inside its sandbox, the server would find no
 * process or another process with that id, and exit.
 */
const introduction = (server: ServerConfig, paths: WorkspacePaths) => ({
  processId: null,
  clientInfo: { name: "bough" },
  rootUri: paths.rootUri,
  rootPath: paths.root,
  workspaceFolders: foldersOf(paths),
  initializationOptions: server.initializationOptions,
  capabilities: {
    general: { positionEncodings: ["utf-16"] },
    workspace: {
      workspaceFolders: true,
      configuration: true,
      didChangeConfiguration: {},
      // The server watches files itself, because a command may change files without a notification to this program.
      didChangeWatchedFiles: { dynamicRegistration: false },
      workspaceEdit: { documentChanges: true },
      symbol: {}
    },
    textDocument: {
      synchronization: { didSave: true },
      hover: { contentFormat: ["markdown", "plaintext"] },
      definition: { linkSupport: true },
      references: {},
      documentSymbol: { hierarchicalDocumentSymbolSupport: true },
      rename: { prepareSupport: false },
      publishDiagnostics: { versionSupport: true },
      diagnostic: {}
    },
    window: { workDoneProgress: false }
  }
})
