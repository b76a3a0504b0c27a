/** One connection to a server: opened, listed, called, until its scope closes or the server ends it. */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import type { HttpTransport, ServerConfig, StdioTransport } from "../ServerConfig.ts"
import * as CallResult from "./CallResult.ts"
import * as Definition from "./Definition.ts"
import { PipeTransport } from "./PipeTransport.ts"
import { type Ports, ServerFailed } from "./Ports.ts"
import * as Resources from "./Resources.ts"
import type { ServerCall } from "./External.ts"

export interface Connection {
  /** The tools that the server lists now. */
  readonly list: Effect.Effect<ReadonlyArray<Definition.Definition>, ServerFailed>
  readonly call: (call: ServerCall) => Effect.Effect<CallResult.CallResult, ServerFailed>
  /** Why the connection has ended, once it has. */
  readonly ended: Effect.Effect<string>
  /** The name and version that the server gives itself. */
  readonly serverVersion: string
}

export interface ConnectionOptions {
  readonly ports: Ports
  readonly workspaceRoot: string
  readonly onToolsChanged: () => void
  /** Called at once when the connection has ended. */
  readonly onEnded: () => void
}

type Sdk = typeof import("./sdk.ts")

/** Loaded with the first connection: a program without servers never pays for it. */
const loadSdk: Effect.Effect<Sdk> = Effect.promise(() => import("./sdk.ts"))

const connectMillis = 30_000
const maxTools = 1000
const maxPages = 100

/** Opens the connection until the scope closes. */
export const open = Effect.fnUntraced(function* (server: ServerConfig, options: ConnectionOptions) {
  const sdk = yield* loadSdk
  const ended = yield* Deferred.make<string>()
  const { transport } = server
  const opening = { sdk, ended, options }
  const client = yield* transport._tag === "Stdio" ? overPipes(opening, transport) : overHttp(opening, transport)
  let own: ReadonlySet<string> = new Set()
  const connection: Connection = {
    list: Effect.map(list(sdk, client), (definitions) => {
      own = new Set(definitions.map(({ tool }) => tool))
      return [...definitions, ...Resources.definitionsFor(client, own)]
    }),
    call: (call) =>
      own.has(call.tool)
        ? callTool(sdk, client, call)
        : request((signal) => Resources.call(client, call, { signal, timeout: callMillis })),
    ended: Deferred.await(ended),
    serverVersion: versionOf(client)
  }
  return connection
})

interface Opening {
  readonly sdk: Sdk
  readonly ended: Deferred.Deferred<string>
  readonly options: ConnectionOptions
}

const clientOf = ({ options, sdk }: Opening): Client => {
  const client = new sdk.Client({ name: "bough", version: "0.0.0" }, { capabilities: { roots: {} } })
  client.setRequestHandler(sdk.ListRootsRequestSchema, () => ({
    roots: [{ uri: `file://${encodeURI(options.workspaceRoot)}` }]
  }))
  client.setNotificationHandler(sdk.ToolListChangedNotificationSchema, () => options.onToolsChanged())
  // A message that fits no request is dropped.
  return Object.assign(client, { onerror: () => {} })
}

const overPipes = Effect.fnUntraced(function* (opening: Opening, stdio: StdioTransport) {
  const { ended, options, sdk } = opening
  const scope = yield* Scope.make()
  const end = Scope.close(scope, yield* Effect.exit(Effect.void))
  yield* Effect.addFinalizer(() => end)
  let write: (text: string) => void = () => {}
  const transport = new PipeTransport({
    write: (text) => write(text),
    end: () => void Effect.runFork(end),
    parse: (value) => sdk.JSONRPCMessageSchema.safeParse(value).data ?? null
  })
  const onEnd = (how: string): void => {
    const said = Definition.plainText(transport.complaint).trim().split("\n").at(-1) ?? ""
    // Before the calls learn of it: the next call is to wait for another connection.
    options.onEnded()
    Deferred.doneUnsafe(ended, Effect.succeed(said === "" ? how : `${how}: ${said.slice(0, 300)}`))
    transport.ended()
  }
  const started = options.ports.start(stdio, {
    onOutput: (stream, text) => transport.took(stream, text),
    onEnd
  })
  ;({ write } = yield* Effect.provideService(started, Scope.Scope, scope))
  const client = clientOf(opening)
  whenClosed(client, () => onEnd("it ended"))
  const connecting = connect(client, transport)
  const gone = Effect.flatMap(Deferred.await(ended), (how) => Effect.fail(new ServerFailed({ message: how })))
  yield* Effect.raceFirst(connecting, gone)
  return client
})

/** A transport that the server does not speak is told by its answer to the first request; then the older one is tried. */
const overHttp = Effect.fnUntraced(function* (opening: Opening, http: HttpTransport) {
  const { ended, options, sdk } = opening
  const url = URL.parse(http.url)
  if (url === null || !/^https?:$/u.test(url.protocol)) {
    return yield* new ServerFailed({ message: `${http.url} is no URL of http or https` })
  }
  const { fetch } = options.ports
  const shared = { requestInit: { headers: { ...http.headers } }, ...(fetch === undefined ? {} : { fetch }) }
  const attempt = (transport: Transport) =>
    Effect.gen(function* () {
      const client = clientOf(opening)
      yield* connect(client, transport).pipe(Effect.tapError(() => closed(client)))
      whenClosed(client, () => {
        options.onEnded()
        Deferred.doneUnsafe(ended, Effect.succeed("the connection was closed"))
      })
      yield* Effect.addFinalizer(() => closed(client))
      return client
    })
  const streamable = attempt(new sdk.StreamableHTTPClientTransport(url, shared))
  const older = Effect.suspend(() => attempt(new sdk.SSEClientTransport(url, shared)))
  switch (http.protocol) {
    case "Sse":
      return yield* older
    case "Streamable":
      return yield* streamable
    case "Any":
      return yield* streamable.pipe(
        Effect.catchIf(
          ({ isOtherTransport }) => isOtherTransport,
          (failed) => Effect.mapError(older, () => failed)
        )
      )
  }
})

/** The SDK has one listener, which is a property. */
const whenClosed = (client: Client, listener: () => void): void => void Object.assign(client, { onclose: listener })

const closed = (client: Client) => Effect.ignore(Effect.promise(() => client.close()))

/** The SDK's own failures in a sentence. */
const connect = (client: Client, transport: Transport) =>
  Effect.tryPromise({
    try: (signal) => client.connect(transport, { timeout: connectMillis, signal }),
    catch: (cause) => new ConnectFailed({ message: sentenceOf(cause), isOtherTransport: isOtherTransport(cause) })
  })

class ConnectFailed extends ServerFailed.extend<ConnectFailed>("ConnectFailed")({
  isOtherTransport: Schema.Boolean
}) {}

/** Any 4xx but a lack of credentials means that the server does not take messages by POST. */
const isOtherTransport = (cause: unknown): boolean => {
  const code: unknown = cause !== null && typeof cause === "object" ? (cause as { readonly code?: unknown }).code : null
  return typeof code === "number" && code >= 400 && code < 500 && code !== 401 && code !== 403
}

const sentenceOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return Definition.plainText(String(cause)).slice(0, 500)
  const inner = cause.cause instanceof Error ? `: ${cause.cause.message}` : ""
  return Definition.plainText(`${cause.message}${inner}`).replaceAll("\n", " ").slice(0, 500)
}

const versionOf = (client: Client): string => {
  const version = client.getServerVersion()
  return version === undefined ? "" : Definition.plainText(`${version.name} ${version.version}`).slice(0, 200)
}

const request = <A>(send: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, ServerFailed> =>
  Effect.tryPromise({ try: send, catch: (cause) => new ServerFailed({ message: sentenceOf(cause) }) })

/** Lists page by page; a server without tools has none. */
const list = Effect.fnUntraced(function* ({ ListToolsResultSchema }: Sdk, client: Client) {
  if (client.getServerCapabilities()?.tools === undefined) return []
  const found: Array<Definition.Definition> = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages && found.length < maxTools; page += 1) {
    const params = cursor === undefined ? {} : { cursor }
    const listed = yield* request((signal) =>
      client.request({ method: "tools/list", params }, ListToolsResultSchema, { signal, timeout: connectMillis })
    )
    found.push(...listed.tools.flatMap((tool) => Definition.read(tool) ?? []))
    if (listed.nextCursor === undefined || listed.nextCursor === cursor) break
    cursor = listed.nextCursor
  }
  return found.slice(0, maxTools)
})

/** The dispatcher's own limit ends a call; this one is only that the SDK does not. */
const callMillis = 24 * 60 * 60 * 1000

const callTool = (
  { CallToolResultSchema }: Sdk,
  client: Client,
  { arguments: given, onProgress, tool }: ServerCall
): Effect.Effect<CallResult.CallResult, ServerFailed> =>
  Effect.map(
    request((signal) =>
      client.request({ method: "tools/call", params: { name: tool, arguments: { ...given } } }, CallToolResultSchema, {
        signal,
        timeout: callMillis,
        onprogress: (progress) => onProgress(progressText(progress))
      })
    ),
    CallResult.read
  )

const progressText = ({
  message,
  progress,
  total
}: {
  readonly message?: string | undefined
  readonly progress: number
  readonly total?: number | undefined
}): string => {
  const share = total === undefined || total <= 0 ? `${progress}` : `${Math.round((100 * progress) / total)} %`
  return message === undefined ? share : `${share} ${Definition.plainText(message).replaceAll("\n", " ").slice(0, 500)}`
}
