/**
 * The language servers of a workspace. A server starts at the first question about one of its files, keeps running, is
 * restarted with back-off, and provides the capability CodeIntelligence.
 */
import { ToolError } from "@bough/protocol"
import type { CodeIntelligence, Invocation, SessionProcess, ToolContext, WorkspaceRead } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { afterWrite } from "./AfterWrite.ts"
import { installHint } from "./KnownServers.ts"
import { type ServerConfig, serverFor } from "./ServerConfig.ts"
import type { WarmServer } from "./client/WarmServer.ts"
import type { WorkspacePaths } from "./client/WorkspacePaths.ts"

type Service = CodeIntelligence.CodeIntelligence["Service"]
type Read = WorkspaceRead.WorkspaceRead["Service"]

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
    read: (invocation: Invocation.Invocation["Service"], bounds: ToolContext.Bounds | undefined) => Read
  ) => Pick<ToolContext.Provided<Service>, "afterWrite" | "make">
}

type Client = typeof import("./client/client.ts")

/** Loaded with the first server, so sessions without questions to servers do not load the client. */
const loadClient: Effect.Effect<Client> = Effect.promise(() => import("./client/client.ts"))

/** A server and its restarts, for one view of the workspace. */
interface Slot {
  readonly server: ServerConfig
  readonly withheld: ToolContext.Withheld | null
  readonly lock: Semaphore.Semaphore
  warm: WarmServer | null
  scope: Scope.Closeable | null
  /** The number of consecutive failures: the server could not be started, or ended soon after its start. */
  failures: number
  startedAtMillis: number
  lastUsed: number
  /** The reason why the server last ended, and the time from which it may be restarted. */
  lastEnd: string
  notBeforeMillis: number
}

/**
 * The maximum number of running servers. Beyond it, the least recently used server is stopped, because each may use a
 * gigabyte.
 */
const maxRunning = 4
const afterWriteMillis = 3000
const firstPauseMillis = 1000
const longestPauseMillis = 60_000
/** A server that ends within this time after its start counts as failed. */
const minLifeMillis = 10_000

/** Creates the servers of a workspace. All processes end when the scope closes. */
export const make = Effect.fnUntraced(function* (
  options: LanguageServersOptions
): Effect.fn.Return<LanguageServers, never, Scope.Scope> {
  const parent = yield* Effect.scope
  const slots = new Map<string, Slot>()
  let uses = 0

  const slotFor = (server: ServerConfig, withheld: ToolContext.Withheld | null): Slot => {
    const key = JSON.stringify([server.name, withheld?.places.map(({ path }) => path) ?? []])
    const known = slots.get(key)
    if (known !== undefined) return known
    const made: Slot = {
      server,
      withheld,
      lock: Semaphore.makeUnsafe(1),
      warm: null,
      scope: null,
      failures: 0,
      startedAtMillis: 0,
      lastUsed: 0,
      lastEnd: "",
      notBeforeMillis: 0
    }
    slots.set(key, made)
    return made
  }

  const stop = (slot: Slot): Effect.Effect<void> =>
    Effect.suspend(() => {
      const { scope } = slot
      slot.warm = null
      slot.scope = null
      return scope === null ? Effect.void : Scope.close(scope, Exit.void)
    })

  const makeRoom = (except: Slot): Effect.Effect<void> =>
    Effect.suspend(() => {
      const running = [...slots.values()].filter((slot) => slot !== except && slot.warm !== null)
      const over = running.toSorted((one, other) => other.lastUsed - one.lastUsed).slice(maxRunning - 1)
      return Effect.forEach(over, stop, { discard: true })
    })

  /** Records that a server ended; an end soon after the start counts as a failure. */
  const ended = (slot: Slot, how: string, nowMillis: number): void => {
    const isShort = slot.warm === null || nowMillis - slot.startedAtMillis < minLifeMillis
    slot.failures = isShort ? slot.failures + 1 : 0
    slot.lastEnd = how
    const pause = slot.failures === 0 ? 0 : Math.min(firstPauseMillis * 2 ** (slot.failures - 1), longestPauseMillis)
    // After the first failure, the server is restarted at once, because a bad file or a user may have ended it.
    slot.notBeforeMillis = slot.failures <= 1 ? nowMillis : nowMillis + pause
  }

  const begin = Effect.fnUntraced(function* (slot: Slot) {
    const { failures, lastEnd, notBeforeMillis, server } = slot
    const nowMillis = yield* Clock.currentTimeMillis
    if (nowMillis < notBeforeMillis) {
      const seconds = Math.ceil((notBeforeMillis - nowMillis) / 1000)
      return yield* new ToolError.ExecutionError({
        message: `the language server ${server.name} failed ${failures} times in a row and may be started again in ${seconds} s: ${lastEnd}`,
        hint: `check that this program works here: ${[server.command, ...server.args].join(" ")}`
      })
    }
    yield* makeRoom(slot)
    const client = yield* loadClient
    const scope = yield* Scope.fork(parent)
    slot.startedAtMillis = nowMillis
    const paths = client.WorkspacePaths.make(options.roots)
    const warm = yield* client.WarmServer.start(server, { start: options.start, paths, withheld: slot.withheld }).pipe(
      Effect.provideService(Scope.Scope, scope),
      Effect.onError(() => Scope.close(scope, Exit.void)),
      Effect.mapError(({ message }) => {
        ended(slot, message, nowMillis)
        return new ToolError.ExecutionError({
          message: `the language server ${server.name} did not start: ${message}`,
          hint: `check that this program works here: ${[server.command, ...server.args].join(" ")}`
        })
      })
    )
    slot.warm = warm
    slot.scope = scope
    return warm
  })

  const warmed = (slot: Slot): Effect.Effect<WarmServer, ToolError.ToolError> =>
    slot.lock.withPermit(
      Effect.gen(function* () {
        slot.lastUsed = uses += 1
        if (slot.warm !== null && !slot.warm.hasEnded()) return slot.warm
        if (slot.warm !== null) {
          ended(slot, yield* slot.warm.ended, yield* Clock.currentTimeMillis)
          yield* stop(slot)
        }
        return yield* begin(slot)
      })
    )

  /** Returns the running server for the file in this view of the workspace; null: there is none. */
  const warmFor = (path: string, withheld: ToolContext.Withheld | null): WarmServer | null => {
    const server = serverFor(options.servers, path)
    const warm = server === null ? null : slotFor(server, withheld).warm
    return warm === null || warm.hasEnded() ? null : warm
  }

  const serverOf = (path: string): Effect.Effect<ServerConfig, ToolError.ToolError> =>
    Effect.suspend(() => {
      const server = serverFor(options.servers, path)
      return server === null ? Effect.fail(noServer(path)) : Effect.succeed(server)
    })

  return {
    provided: (readOf) => ({
      make: (invocation, _mark, bounds) => {
        const withheld = bounds?.withheld ?? null
        return serviceOf({
          read: readOf(invocation, bounds),
          paths: Effect.map(loadClient, ({ WorkspacePaths }) => WorkspacePaths.make(options.roots)),
          warm: (path) => Effect.flatMap(serverOf(path), (server) => warmed(slotFor(server, withheld)))
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
                warmFor: (path) => warmFor(path, bounds.withheld ?? null)
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

interface Serving {
  readonly read: Read
  readonly paths: Effect.Effect<WorkspacePaths>
  readonly warm: (path: string) => Effect.Effect<WarmServer, ToolError.ToolError>
}

const serviceOf = ({ paths, read, warm }: Serving): Service => {
  const ask = Effect.fnUntraced(function* (
    question: { readonly method: string; readonly path: string } & Partial<{
      readonly position: CodeIntelligence.Position
      readonly more: Readonly<Record<string, unknown>>
    }>
  ) {
    const { Replies } = yield* loadClient
    const server = yield* warm(question.path)
    return { reply: yield* server.ask(read, question), paths: yield* paths, Replies }
  })
  return {
    diagnostics: (path) => Effect.flatMap(warm(path), (server) => server.diagnostics(read, path, null)),
    symbols: (path) =>
      Effect.map(ask({ method: "textDocument/documentSymbol", path }), ({ Replies, paths, reply }) =>
        Replies.symbols(paths, reply, path)
      ),
    findSymbols: (path, query) =>
      Effect.map(ask({ method: "workspace/symbol", path, more: { query } }), ({ Replies, paths, reply }) =>
        Replies.symbols(paths, reply, null)
      ),
    hover: (path, position) =>
      Effect.map(ask({ method: "textDocument/hover", path, position }), ({ Replies, reply }) => Replies.hover(reply)),
    definition: (path, position) =>
      Effect.map(ask({ method: "textDocument/definition", path, position }), ({ Replies, paths, reply }) =>
        Replies.places(paths, reply)
      ),
    references: (path, position) =>
      Effect.map(
        ask({
          method: "textDocument/references",
          path,
          position,
          more: { context: { includeDeclaration: true } }
        }),
        ({ Replies, paths, reply }) => Replies.places(paths, reply)
      ),
    rename: (path, position, newName) =>
      Effect.flatMap(
        ask({ method: "textDocument/rename", path, position, more: { newName } }),
        ({ Replies, paths, reply }) => {
          const edits = Replies.renaming(paths, reply)
          return typeof edits === "string"
            ? Effect.fail(new ToolError.ExecutionError({ message: `cannot rename: ${edits}` }))
            : Effect.succeed(edits)
        }
      )
  }
}
