/**
 * The configured servers of a workspace: connected in the background, reconnected with back-off, with their current
 * tools. A server that cannot be reached causes one notice and no failure.
 */
import { ToolError } from "@bough/protocol"
import { Capability, type Tool } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import type { ServerConfig } from "../ServerConfig.ts"
import type { CallResult } from "./CallResult.ts"
import * as Connection from "./Connection.ts"
import type { Definition } from "./Definition.ts"
import { all, type ExternalService, type ServerCall } from "./External.ts"
import * as KnownDefinitions from "./KnownDefinitions.ts"
import { type Ports, ServerFailed } from "./Ports.ts"
import * as Prompts from "./Prompts.ts"
import * as Sampling from "./Sampling.ts"
import * as ServerTool from "./ServerTool.ts"
import * as ToolNames from "./ToolNames.ts"

export type Status = "connecting" | "connected" | "failed"

export interface ServerState {
  readonly server: ServerConfig
  readonly status: Status
  /** The reason why the server is not connected, or the name that it reports. */
  readonly detail: string
  /** Its tools, by Bough's names. */
  readonly tools: ReadonlyMap<string, Tool.Any>
}

/** A prompt of a server, as a slash command. */
export interface PromptCommand extends Prompts.Prompt {
  /** `server:prompt`. */
  readonly command: string
  readonly server: string
}

export interface Servers {
  /**
   * Returns the name of the configured server, which may be given in the form of `ToolNames.shortName`; null: there is
   * none.
   */
  readonly find: (written: string) => string | null
  /** The prompts of the connected servers. */
  readonly prompts: () => ReadonlyArray<PromptCommand>
  /** Calls the listener whenever the prompts change, until the returned function is called. */
  readonly onPrompts: (listener: () => void) => () => void
  /** Fills a prompt; the text comes from the server. */
  readonly prompt: (
    server: string,
    promptRequest: Prompts.PromptRequest
  ) => Effect.Effect<CallResult, ToolError.ToolError>
  /** Reads a resource; the text comes from the server. */
  readonly resource: (server: string, uri: string) => Effect.Effect<CallResult, ToolError.ToolError>
  readonly states: () => ReadonlyArray<ServerState>
  /**
   * Returns the reason why a tool by this name is missing: its server is not connected. Null: the name belongs to no
   * server, or to a connected one.
   */
  readonly missing: (tool: string) => string | null
  /** Waits for the first list of the server to which a tool of this name belongs, for as long as its start may take. */
  readonly listed: (tool: string) => Effect.Effect<void>
  /** The tools of all servers, and a number that changes with them. */
  readonly tools: () => ReadonlyMap<string, Tool.Any>
  readonly revision: () => number
  /** The capabilities of the tools. */
  readonly provisions: ReadonlyArray<Capability.Provision>
  /** Completes once each server has connected or failed. */
  readonly settled: Effect.Effect<void>
  /** Waits briefly for the servers whose tools are not cached. */
  readonly known: Effect.Effect<void>
}

export interface ServersOptions {
  readonly servers: ReadonlyArray<ServerConfig>
  readonly workspaceRoot: string
  readonly ports: Ports
}

interface Entry {
  readonly server: ServerConfig
  /** The name of the server in the names of its tools. */
  readonly label: string
  /** The tools of the server's last list, and the notices about them. */
  listed: string
  readonly notices: Set<string>
  status: Status
  detail: string
  tools: ReadonlyMap<string, Tool.Any>
  prompts: ReadonlyArray<PromptCommand>
  readonly samplingMeter: Sampling.Meter
  connection: Connection.Connection | null
  /** The number of consecutive times that the server ended soon after connecting. */
  shortLives: number
  /** The last notice about the server; null: there was none. */
  reportedFailure: string | null
  /** Completed at the end of an attempt to connect; replaced with each attempt. */
  attempt: Deferred.Deferred<void>
  readonly settled: Deferred.Deferred<void>
}

/** The back-off: it doubles from half a second up to a minute. */
const backOff = Schedule.min([Schedule.exponential("500 millis"), Schedule.spaced("1 minute")]).pipe(Schedule.jittered)

/** The maximum time that a call waits for a server that is being connected, by default. */
const timeoutMillis = 15_000

/** Starts to connect, until the scope closes. */
export const make = Effect.fnUntraced(function* (
  options: ServersOptions
): Effect.fn.Return<Servers, never, Scope.Scope> {
  const { ports, servers } = options
  const known = KnownDefinitions.make(ports.memory)
  const entries = new Map<string, Entry>()
  const labels = ToolNames.labelsOf(servers.map(({ name }) => name))
  for (const server of servers) {
    entries.set(server.name, {
      server,
      label: labels.get(server.name) ?? server.name,
      listed: "",
      notices: new Set(),
      samplingMeter: Sampling.meter(),
      status: "connecting",
      detail: "",
      tools: new Map(),
      prompts: [],
      connection: null,
      reportedFailure: null,
      shortLives: 0,
      attempt: yield* Deferred.make<void>(),
      settled: yield* Deferred.make<void>()
    })
  }
  const world: ServersState = { ...options, known, entries, revision: 0, all: new Map(), listeners: new Set() }
  for (const entry of entries.values()) {
    addServer(world, entry, known.listed(entry.server))
    yield* Effect.forkScoped(keepConnected(world, entry))
  }
  const unknown = [...entries.values()].filter(({ tools }) => tools.size === 0)
  const ownerOf = (tool: string) =>
    [...entries.values()].find(({ label }) => tool.startsWith(ToolNames.prefixOf(label)))
  const service: ExternalService = { call: (call) => callServer(world, call) }
  return {
    states: () => [...entries.values()].map(({ detail, server, status, tools }) => ({ server, status, detail, tools })),
    find: (written) => {
      const found = [...entries.values()].find(({ label }) => ToolNames.shortName(label) === written)
      return entries.has(written) ? written : (found?.server.name ?? null)
    },
    prompts: () => [...entries.values()].flatMap(({ prompts }) => prompts),
    onPrompts: (listener) => {
      world.listeners.add(listener)
      return () => void world.listeners.delete(listener)
    },
    prompt: (server, promptRequest) => request(world, server, (connection) => connection.prompt(promptRequest)),
    resource: (server, uri) => request(world, server, (connection) => connection.resource(uri)),
    missing: (tool) => {
      const entry = ownerOf(tool)
      return entry === undefined || entry.status === "connected" ? null : notConnected(entry)
    },
    listed: (tool) => {
      const entry = ownerOf(tool)
      return entry === undefined || entry.tools.has(tool)
        ? Effect.void
        : Effect.asVoid(awaitStart(entry, timeoutMillis))
    },
    tools: () => world.all,
    revision: () => world.revision,
    provisions: all.map((capability) => Capability.provide(capability, { service })),
    settled: Effect.forEach(entries.values(), ({ settled }) => Deferred.await(settled), { discard: true }),
    known: Effect.forEach(unknown, (entry) => awaitStart(entry, firstMillis), {
      concurrency: "unbounded",
      discard: true
    })
  }
})

/** Waits until the server has connected or failed, for as long as its start may take. */
const awaitStart = ({ server, settled }: Entry, defaultMillis: number) =>
  Effect.timeoutOption(Deferred.await(settled), server.startMillis ?? defaultMillis)

/** The maximum time that the first message of a session waits for servers that were never listed, by default. */
const firstMillis = 5000

interface ServersState extends ServersOptions {
  readonly known: KnownDefinitions.KnownDefinitions
  readonly entries: ReadonlyMap<string, Entry>
  revision: number
  all: ReadonlyMap<string, Tool.Any>
  /** Called when prompts change. */
  readonly listeners: Set<() => void>
}

/** Replaces the prompts of the server. */
const holdPrompts = ({ listeners }: ServersState, entry: Entry, prompts: ReadonlyArray<Prompts.Prompt>): void => {
  const server = entry.server.name
  const byName = new Map(prompts.map((prompt) => [prompt.name, prompt]))
  entry.prompts = ToolNames.commandsOf(entry.label, [...byName.keys()]).flatMap(({ name: command, tool }) => {
    const prompt = byName.get(tool)
    return prompt === undefined ? [] : [{ ...prompt, command, server }]
  })
  for (const listener of listeners) listener()
}

/** Sets the tools of the server; nothing changes if it lists the same again. */
const addServer = (state: ServersState, entry: Entry, definitions: ReadonlyArray<Definition>): void => {
  const { server } = entry
  const listed = JSON.stringify(definitions)
  if (entry.listed === listed) return
  entry.listed = listed
  const byTool = new Map(definitions.map((definition) => [definition.tool, definition]))
  const { collisions, named } = ToolNames.namesOf(entry.label, [...byTool.keys()])
  if (collisions.length > 0) {
    noticeOnce(
      state,
      entry,
      `MCP server ${server.name}: ${collisions.map((tool) => JSON.stringify(tool)).join(", ")} would have the same name and got longer ones`
    )
  }
  entry.tools = new Map(
    named.flatMap(({ name, tool }): ReadonlyArray<readonly [string, Tool.Any]> => {
      const definition = byTool.get(tool)
      if (definition === undefined) return []
      const isChanged = () => state.known.isChanged(server, definition)
      return [[name, ServerTool.make(server, definition, { name, isChanged })]]
    })
  )
  state.all = new Map([...state.entries.values()].flatMap(({ tools }) => [...tools]))
  state.revision += 1
}

/** Gives a notice about a server once, however often the server gives cause for it. */
const noticeOnce = ({ ports }: ServersState, { notices }: Entry, sentence: string): void => {
  if (notices.has(sentence) || notices.size >= maxNotices) return
  notices.add(sentence)
  ports.onNotice(sentence)
}

const maxNotices = 10

/** Reconnects the server whenever its connection ends. A connection that lasts resets the back-off. */
const keepConnected = (state: ServersState, entry: Entry): Effect.Effect<never> =>
  Effect.scoped(connected(state, entry)).pipe(
    Effect.tapError(({ message }) => failed(state, entry, message)),
    Effect.retry(backOff),
    Effect.ignore,
    Effect.forever
  )

const failed = (state: ServersState, entry: Entry, message: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { server } = entry
    if (entry.reportedFailure !== message) {
      state.ports.onNotice(`MCP server ${server.name} is unavailable and will be retried: ${message}`)
    }
    entry.reportedFailure = message
    entry.status = "failed"
    entry.detail = message
    entry.connection = null
    return Effect.andThen(Deferred.succeed(entry.attempt, undefined), Deferred.succeed(entry.settled, undefined))
  })

/** Completes when a working connection has ended, so that the next attempt follows at once. */
const connected = Effect.fnUntraced(function* (state: ServersState, entry: Entry) {
  if (yield* Deferred.isDone(entry.attempt)) entry.attempt = Deferred.makeUnsafe()
  const { ports, workspaceRoot } = state
  const { server } = entry
  const changes = yield* Queue.sliding<void>(1)
  const promptChanges = yield* Queue.sliding<void>(1)
  const connection = yield* Connection.open(server, {
    ports,
    workspaceRoot,
    onToolsChanged: () => void Queue.offerUnsafe(changes, undefined),
    onPromptsChanged: () => void Queue.offerUnsafe(promptChanges, undefined),
    onCut: (limit) =>
      noticeOnce(
        state,
        entry,
        `MCP server ${server.name} lists more than ${limit} tools: only the first ${limit} are offered`
      ),
    onRefusal: (sentence) => noticeOnce(state, entry, sentence),
    samplingMeter: entry.samplingMeter,
    onEnded: () => {
      if (entry.connection === null) return
      entry.connection = null
      entry.status = "connecting"
      entry.attempt = Deferred.makeUnsafe()
    }
  })
  const list = Effect.map(connection.list, (definitions) => {
    state.known.remember(server, definitions)
    addServer(state, entry, definitions)
  })
  const listPrompts = Effect.map(connection.prompts, (prompts) => holdPrompts(state, entry, prompts))
  yield* list
  yield* listPrompts
  entry.connection = connection
  entry.status = "connected"
  entry.detail = connection.serverVersion
  yield* Deferred.succeed(entry.attempt, undefined)
  yield* Deferred.succeed(entry.settled, undefined)
  const listening = Effect.raceFirst(afterEach(changes, list), afterEach(promptChanges, listPrompts))
  const sinceMillis = yield* Clock.currentTimeMillis
  const endReason = yield* Effect.raceFirst(connection.ended, listening)
  entry.detail = endReason
  holdPrompts(state, entry, [])
  const isShort = (yield* Clock.currentTimeMillis) - sinceMillis < minLifeMillis
  entry.shortLives = isShort ? entry.shortLives + 1 : 0
  // The pause grows each time the server ends right after its start.
  if (entry.shortLives > 1) return yield* new ServerFailed({ message: endReason })
})

const minLifeMillis = 10_000

/** Lists the tools again after each change, with a pause, because a server may report a change after every list. */
const afterEach = <E>(changes: Queue.Dequeue<void>, list: Effect.Effect<void, E>): Effect.Effect<never, E> =>
  Queue.take(changes).pipe(Effect.andThen(list), Effect.andThen(Effect.sleep(listPauseMillis)), Effect.forever)

const listPauseMillis = 1000

const callServer = (state: ServersState, call: ServerCall): Effect.Effect<CallResult, ToolError.ToolError> =>
  request(state, call.server, (connection, { server }) => {
    // Until it is connected, a session has the tools that the server listed last.
    const listed = state.known.listed(server).find(({ tool }) => tool === call.tool)
    if (listed?.digest !== call.digest) {
      const message = `the definition of ${call.tool} is not the one by which this call was decided, so it was not run; call it again`
      return Effect.fail(new ServerFailed({ message }))
    }
    // The call was allowed, so this definition of the tool counts as approved.
    state.known.approve(server, call)
    return connection.call(call)
  })

/** Sends to a server, after a short wait if it is still connecting. */
const request = Effect.fnUntraced(function* <A>(
  { entries }: ServersState,
  name: string,
  send: (connection: Connection.Connection, entry: Entry) => Effect.Effect<A, ServerFailed>
): Effect.fn.Return<A, ToolError.ToolError> {
  const entry = entries.get(name)
  if (entry === undefined) return yield* serverMissing(name, "it is not configured")
  if (entry.connection === null) {
    yield* Effect.timeoutOption(Deferred.await(entry.attempt), entry.server.startMillis ?? timeoutMillis)
  }
  const { connection } = entry
  if (connection === null) return yield* new ToolError.ExecutionError({ message: notConnected(entry) })
  const result = send(connection, entry).pipe(
    Effect.mapError(({ message }) => new ToolError.ExecutionError({ message: `${name}: ${message}` }))
  )
  return yield* Effect.raceFirst(
    result,
    Effect.flatMap(connection.ended, (endReason) =>
      serverMissing(name, `${endReason}; whether the call had an effect is not known`)
    )
  )
})

const serverMissing = (server: string, reason: string) =>
  Effect.fail(new ToolError.ExecutionError({ message: unavailable(server, reason) }))

const notConnected = ({ detail, server, status }: Entry): string =>
  unavailable(server.name, detail || (status === "connecting" ? "it is still being started" : "it does not answer"))

const unavailable = (server: string, reason: string): string => `the MCP server ${server} is unavailable: ${reason}`
