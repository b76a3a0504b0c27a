/**
 * The configured servers of a workspace: connected in the background, connected again with back-off, their tools held as they
 * are now. A server that is not there is one notice and no failure.
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
import * as ServerTool from "./ServerTool.ts"
import * as ToolNames from "./ToolNames.ts"

export type Status = "connecting" | "connected" | "failed"

export interface ServerState {
  readonly server: ServerConfig
  readonly status: Status
  /** Why it is not connected, or what the server calls itself. */
  readonly detail: string
  /** Its tools, by Bough's names. */
  readonly tools: ReadonlyMap<string, Tool.Any>
}

export interface Servers {
  readonly states: () => ReadonlyArray<ServerState>
  /** The tools of all servers, and a number that changes when they do. */
  readonly tools: () => ReadonlyMap<string, Tool.Any>
  readonly revision: () => number
  /** The capabilities of the tools. */
  readonly provisions: ReadonlyArray<Capability.Provision>
  /** Each server has connected or failed once. */
  readonly settled: Effect.Effect<void>
  /** The same of servers whose tools are not known from an earlier time, and for a short while at most. */
  readonly known: Effect.Effect<void>
}

export interface ServersOptions {
  readonly servers: ReadonlyArray<ServerConfig>
  readonly workspaceRoot: string
  readonly ports: Ports
}

interface Entry {
  readonly server: ServerConfig
  status: Status
  detail: string
  tools: ReadonlyMap<string, Tool.Any>
  connection: Connection.Connection | null
  /** How often in a row it ended soon after it was connected. */
  shortLives: number
  /** The last notice about it; null: there was none. */
  told: string | null
  /** Replaced with each attempt to connect: done when it came to an end. */
  attempt: Deferred.Deferred<void>
  readonly settled: Deferred.Deferred<void>
}

/** Doubles from half a second up to a minute. */
const backOff = Schedule.min([Schedule.exponential("500 millis"), Schedule.spaced("1 minute")]).pipe(Schedule.jittered)

/** A call waits this long for a server that is being connected. */
const patienceMillis = 15_000

/** Starts to connect, until the scope closes. */
export const make = Effect.fnUntraced(function* (
  options: ServersOptions
): Effect.fn.Return<Servers, never, Scope.Scope> {
  const { ports, servers } = options
  const known = KnownDefinitions.make(ports.memory)
  const entries = new Map<string, Entry>()
  for (const server of servers) {
    entries.set(server.name, {
      server,
      status: "connecting",
      detail: "",
      tools: new Map(),
      connection: null,
      told: null,
      shortLives: 0,
      attempt: yield* Deferred.make<void>(),
      settled: yield* Deferred.make<void>()
    })
  }
  const world: World = { ...options, known, entries, revision: 0, all: new Map() }
  for (const entry of entries.values()) {
    hold(world, entry, known.listed(entry.server))
    yield* Effect.forkScoped(keepConnected(world, entry))
  }
  const unknown = [...entries.values()].filter(({ tools }) => tools.size === 0)
  const service: ExternalService = { call: (call) => callServer(world, call) }
  return {
    states: () => [...entries.values()].map(({ detail, server, status, tools }) => ({ server, status, detail, tools })),
    tools: () => world.all,
    revision: () => world.revision,
    provisions: all.map((capability) => Capability.provide(capability, { service })),
    settled: settledOf(entries.values()),
    known: Effect.ignore(Effect.timeoutOption(settledOf(unknown), firstMillis))
  }
})

const settledOf = (entries: Iterable<Entry>): Effect.Effect<void> =>
  Effect.forEach(entries, ({ settled }) => Deferred.await(settled), { discard: true })

/** The first message of a session waits this long for servers that were never listed. */
const firstMillis = 5000

interface World extends ServersOptions {
  readonly known: KnownDefinitions.KnownDefinitions
  readonly entries: ReadonlyMap<string, Entry>
  revision: number
  all: ReadonlyMap<string, Tool.Any>
}

/** Makes these the tools of the server. */
const hold = (world: World, entry: Entry, definitions: ReadonlyArray<Definition>): void => {
  const { server } = entry
  const byTool = new Map(definitions.map((definition) => [definition.tool, definition]))
  const { collisions, named } = ToolNames.namesOf(server.name, [...byTool.keys()])
  if (collisions.length > 0) {
    world.ports.onNotice(
      `MCP server ${server.name}: ${collisions.map((tool) => JSON.stringify(tool)).join(", ")} would have the same name and got longer ones`
    )
  }
  entry.tools = new Map(
    named.flatMap(({ name, tool }): ReadonlyArray<readonly [string, Tool.Any]> => {
      const definition = byTool.get(tool)
      if (definition === undefined) return []
      const isChanged = () => world.known.isChanged(server, definition)
      return [[name, ServerTool.make(server, definition, { name, isChanged })]]
    })
  )
  world.all = new Map([...world.entries.values()].flatMap(({ tools }) => [...tools]))
  world.revision += 1
}

/** Keeps one connection after the other. A connection that lasts resets the back-off. */
const keepConnected = (world: World, entry: Entry): Effect.Effect<never> =>
  Effect.scoped(connected(world, entry)).pipe(
    Effect.tapError(({ message }) => failed(world, entry, message)),
    Effect.retry(backOff),
    Effect.ignore,
    Effect.forever
  )

const failed = (world: World, entry: Entry, message: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { server } = entry
    if (entry.told !== message) {
      world.ports.onNotice(`MCP server ${server.name} is not there and is tried again: ${message}`)
    }
    entry.told = message
    entry.status = "failed"
    entry.detail = message
    entry.connection = null
    return Effect.andThen(Deferred.succeed(entry.attempt, undefined), Deferred.succeed(entry.settled, undefined))
  })

/** Succeeds when a connection that worked has ended, so that the next attempt comes at once. */
const connected = Effect.fnUntraced(function* (world: World, entry: Entry) {
  if (yield* Deferred.isDone(entry.attempt)) entry.attempt = Deferred.makeUnsafe()
  const { ports, workspaceRoot } = world
  const { server } = entry
  const changes = yield* Queue.sliding<void>(1)
  const connection = yield* Connection.open(server, {
    ports,
    workspaceRoot,
    onToolsChanged: () => void Queue.offerUnsafe(changes, undefined),
    onEnded: () => {
      if (entry.connection === null) return
      entry.connection = null
      entry.status = "connecting"
      entry.attempt = Deferred.makeUnsafe()
    }
  })
  const list = Effect.map(connection.list, (definitions) => {
    world.known.remember(server, definitions)
    hold(world, entry, definitions)
  })
  yield* list
  entry.connection = connection
  entry.status = "connected"
  entry.detail = connection.serverVersion
  yield* Deferred.succeed(entry.attempt, undefined)
  yield* Deferred.succeed(entry.settled, undefined)
  const listening = Queue.take(changes).pipe(Effect.andThen(list), Effect.forever)
  const sinceMillis = yield* Clock.currentTimeMillis
  const why = yield* Effect.raceFirst(connection.ended, listening)
  entry.detail = why
  const isShort = (yield* Clock.currentTimeMillis) - sinceMillis < leastLifeMillis
  entry.shortLives = isShort ? entry.shortLives + 1 : 0
  // A server that ends as soon as it has started, again and again, is waited for longer each time.
  if (entry.shortLives > 1) return yield* new ServerFailed({ message: why })
})

const leastLifeMillis = 10_000

const callServer = Effect.fnUntraced(function* (
  { entries, known }: World,
  call: ServerCall
): Effect.fn.Return<CallResult, ToolError.ToolError> {
  const entry = entries.get(call.server)
  if (entry === undefined) return yield* notThere(call.server, "it is not configured")
  if (entry.connection === null) {
    yield* Effect.timeoutOption(Deferred.await(entry.attempt), patienceMillis)
  }
  const { connection } = entry
  if (connection === null) return yield* notThere(call.server, entry.detail || "it does not answer")
  // It is decided by now: this is the definition that was approved.
  known.approve(entry.server, call)
  const result = connection
    .call(call)
    .pipe(Effect.mapError(({ message }) => new ToolError.ExecutionError({ message: `${call.server}: ${message}` })))
  return yield* Effect.raceFirst(
    result,
    Effect.flatMap(connection.ended, (how) =>
      notThere(call.server, `${how}; whether the call had an effect is not known`)
    )
  )
})

const notThere = (server: string, why: string) =>
  Effect.fail(new ToolError.ExecutionError({ message: `the MCP server ${server} is not there: ${why}` }))
