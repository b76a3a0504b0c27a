/** One connection to a server, on which tools are listed and called until its scope closes or the server ends it. */
import { SessionProcess } from "@bough/tool"
import type { Client } from "@modelcontextprotocol/sdk/client/index.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import type { HttpTransport, ServerConfig, StdioTransport } from "../ServerConfig.ts"
import * as AuthorizationServer from "./auth/AuthorizationServer.ts"
import * as AuthorizedFetch from "./auth/AuthorizedFetch.ts"
import * as BoundedFetch from "./BoundedFetch.ts"
import * as CallResult from "./CallResult.ts"
import * as Definition from "./Definition.ts"
import * as Elicitation from "./Elicitation.ts"
import type { ServerCall } from "./External.ts"
import { PipeTransport } from "./PipeTransport.ts"
import { type Ports, ServerFailed } from "./Ports.ts"
import * as Prompts from "./Prompts.ts"
import { request, sentenceOf } from "./Request.ts"
import * as Resources from "./Resources.ts"
import * as RunningCalls from "./RunningCalls.ts"
import * as Sampling from "./Sampling.ts"

export interface Connection {
  /** The tools that the server lists now. */
  readonly list: Effect.Effect<ReadonlyArray<Definition.Definition>, ServerFailed>
  readonly call: (call: ServerCall) => Effect.Effect<CallResult.CallResult, ServerFailed>
  /** The prompts that the server lists now; none if listing fails. */
  readonly prompts: Effect.Effect<ReadonlyArray<Prompts.Prompt>>
  readonly prompt: (query: Prompts.PromptRequest) => Effect.Effect<CallResult.CallResult, ServerFailed>
  readonly resource: (uri: string) => Effect.Effect<CallResult.CallResult, ServerFailed>
  /** Completes with the reason when the connection has ended. */
  readonly ended: Effect.Effect<string>
  /** The name and version that the server gives itself. */
  readonly serverVersion: string
}

export interface ConnectionOptions {
  readonly ports: Ports
  readonly workspaceRoot: string
  readonly onToolsChanged: () => void
  readonly onPromptsChanged: () => void
  /** Called when the server lists more tools than the limit; the rest is left out. */
  readonly onCut: (limit: number) => void
  /** Called as soon as the connection has ended. */
  readonly onEnded: () => void
  /** Receives sentences for the user about requests of the server that were refused. */
  readonly onRefusal: (sentence: string) => void
  /** Counts the server's requests for answers of the model. */
  readonly samplingMeter: Sampling.Meter
}

type Sdk = typeof import("./sdk.ts")

/** Loaded with the first connection, so that programs without servers never load it. */
const loadSdk: Effect.Effect<Sdk> = Effect.promise(() => import("./sdk.ts"))

/** The longest time that the responses to the first request and to a list of tools may take, by default. */
const connectMillis = 30_000
const refusalMillis = 20
const endedByClient = "it ended"
/** The longest time that tools wait for the first list of prompts. */
const promptsMillis = 5000
const maxTools = 1000
const maxPages = 100

/** Opens the connection until the scope closes. */
export const open = Effect.fnUntraced(function* (server: ServerConfig, options: ConnectionOptions) {
  const sdk = yield* loadSdk
  const ended = yield* Deferred.make<string>()
  const { transport } = server
  const calls = RunningCalls.none()
  const opening = { sdk, server, calls, ended, options }
  const { authorized, client } = yield* transport._tag === "Stdio"
    ? Effect.map(overPipes(opening, transport), (piped) => ({ client: piped, authorized: null }))
    : overHttp(opening, transport)
  const runCall = (work: Effect.Effect<CallResult.CallResult, ServerFailed>) =>
    Effect.map(withExplanation(opening, authorized, RunningCalls.countWhile(calls, work)), (result) =>
      authorized === null ? result : CallResult.redactResult(result, authorized.hide)
    )
  let offeredTools: ReadonlySet<string> = new Set()
  const connection: Connection = {
    list: Effect.map(withExplanation(opening, authorized, list(opening, client)), (definitions) => {
      offeredTools = new Set(definitions.map(({ tool }) => tool))
      return [...definitions, ...Resources.definitionsFor(client, offeredTools)]
    }),
    call: (call) =>
      runCall(
        offeredTools.has(call.tool)
          ? RunningCalls.withSampling(calls, call, callTool(sdk, client, call))
          : request((signal) => Resources.call(client, call, { signal, timeout: callMillis }))
      ),
    prompts: Effect.orElseSucceed(Prompts.list(client, promptsMillis), () => []),
    prompt: (query) =>
      runCall(request((signal) => Prompts.get(client, query, { signal, timeout: server.timeoutMillis }))),
    resource: (uri) =>
      runCall(request((signal) => Resources.read(client, uri, { signal, timeout: server.timeoutMillis }))),
    ended: Deferred.await(ended),
    serverVersion: versionOf(client)
  }
  return connection
})

interface OpenContext {
  readonly server: ServerConfig
  /** The running requests to the server. */
  readonly calls: RunningCalls.RunningCalls
  readonly sdk: Sdk
  readonly ended: Deferred.Deferred<string>
  readonly options: ConnectionOptions
}

const clientOf = ({ calls, options, sdk, server }: OpenContext): Client => {
  const client = new sdk.Client(
    { name: "bough", version: "0.0.0" },
    {
      capabilities: {
        roots: {},
        elicitation: { form: { applyDefaults: true }, url: {} },
        ...(server.sampling === null ? {} : { sampling: {} })
      }
    }
  )
  const { elicit = null } = options.ports
  const answer = Elicitation.answerElicitations({
    server: server.name,
    ask: elicit,
    calls,
    onNotice: options.onRefusal
  })
  client.setRequestHandler(sdk.ElicitRequestSchema, ({ params }, { signal }) =>
    Effect.runPromise(answer(params), { signal })
  )
  if (server.sampling !== null) {
    const sample = Sampling.answerSamplings({
      server: server.name,
      limits: server.sampling,
      meter: options.samplingMeter,
      newestCall: () => calls.withSampling.at(-1) ?? null,
      onNotice: options.onRefusal
    })
    client.setRequestHandler(sdk.CreateMessageRequestSchema, ({ params }, { signal }) => sample(params, signal))
  }
  client.setRequestHandler(sdk.ListRootsRequestSchema, () => ({
    roots: [{ uri: `file://${encodeURI(options.workspaceRoot)}` }]
  }))
  client.setNotificationHandler(sdk.ToolListChangedNotificationSchema, () => options.onToolsChanged())
  client.setNotificationHandler(sdk.PromptListChangedNotificationSchema, () => options.onPromptsChanged())
  // A message that belongs to no request is dropped.
  return Object.assign(client, { onerror: () => {} })
}

const overPipes = Effect.fnUntraced(function* (opening: OpenContext, stdio: StdioTransport) {
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
  const onEnd = (reason: string): void => {
    const errorLine = SessionProcess.findErrorLine(Definition.plainText(transport.errorOutput))
    // This runs before the calls fail, so that the next call waits for a new connection.
    options.onEnded()
    Deferred.doneUnsafe(ended, Effect.succeed(errorLine === "" ? reason : `${reason}: ${errorLine.slice(0, 300)}`))
    transport.ended()
  }
  const started = options.ports.start(stdio, {
    onOutput: (stream, text) => transport.took(stream, text),
    onEnd
  })
  ;({ write } = yield* started.pipe(
    Effect.mapError(({ message }) => new ServerFailed({ message })),
    Effect.provideService(Scope.Scope, scope)
  ))
  const client = clientOf(opening)
  whenClosed(client, () => onEnd(endedByClient))
  const connecting = connect(opening, client, transport)
  const serverEnd = Deferred.await(ended).pipe(
    // If the client refuses the server, it ends the process and fails with the reason.
    Effect.tap((reason) => (reason === endedByClient ? Effect.sleep(refusalMillis) : Effect.void)),
    Effect.flatMap((reason) => Effect.fail(new ServerFailed({ message: reason })))
  )
  yield* Effect.raceFirst(connecting, serverEnd)
  return client
})

/**
 * Connects over HTTP. If the response to the first request shows that the server does not support this transport, the
 * older one is tried.
 */
const overHttp = Effect.fnUntraced(function* (opening: OpenContext, http: HttpTransport) {
  const { ended, options, sdk } = opening
  const url = URL.parse(http.url)
  if (url === null || !/^https?:$/u.test(url.protocol)) {
    return yield* new ServerFailed({ message: `${http.url} is not an http or https URL` })
  }
  const authorized = authorizedFor(opening, http, url)
  const fetch = authorized?.fetch ?? options.ports.fetch
  let endReason = "the connection was closed"
  let close = Effect.void
  const bounded = BoundedFetch.make(fetch ?? ((to, init) => globalThis.fetch(to, init)), (reason) => {
    endReason = reason
    Effect.runFork(close)
  })
  const shared = { requestInit: { headers: { ...http.headers } }, fetch: bounded }
  const withLogin = (failure: ConnectFailed): ConnectFailed =>
    authorized?.needsLogin() === true
      ? new ConnectFailed({ message: loginNeeded(opening), isOtherTransport: false })
      : failure
  const attempt = (transport: Transport, end: Effect.Effect<void> = Effect.void) =>
    Effect.gen(function* () {
      const client = clientOf(opening)
      close = closeClient(client)
      yield* connect(opening, client, transport).pipe(
        Effect.tapError(() => closeClient(client)),
        Effect.mapError(withLogin)
      )
      whenClosed(client, () => {
        options.onEnded()
        Deferred.doneUnsafe(ended, Effect.succeed(endReason))
      })
      yield* Effect.addFinalizer(() => Effect.andThen(end, closeClient(client)))
      return { client, authorized }
    })
  const streamable = Effect.suspend(() => {
    const transport = new sdk.StreamableHTTPClientTransport(url, shared)
    return attempt(transport, sessionEnded(transport))
  })
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

/** Adds the login to requests; null: the configuration has the credentials, or logins are not stored here. */
const authorizedFor = (
  { options: { ports }, sdk, server }: OpenContext,
  http: HttpTransport,
  url: URL
): AuthorizedFetch.AuthorizedClient | null => {
  const { fetch: send = (to, init) => globalThis.fetch(to, init), logins } = ports
  const isConfigured = Object.keys(http.headers).some((name) => name.toLowerCase() === "authorization")
  if (logins === undefined || isConfigured || AuthorizationServer.refusal(url) !== null) return null
  return AuthorizedFetch.make({
    sdk,
    url,
    oauth: server.oauth,
    store: logins.store(server),
    fetch: send,
    authFetch: logins.fetch(http)
  })
}

/** Removes secrets from a failure, and names a missing login. */
const withExplanation = <A>(
  opening: OpenContext,
  authorized: AuthorizedFetch.AuthorizedClient | null,
  work: Effect.Effect<A, ServerFailed>
): Effect.Effect<A, ServerFailed> =>
  authorized === null
    ? work
    : Effect.mapError(
        work,
        ({ message }) =>
          new ServerFailed({ message: authorized.needsLogin() ? loginNeeded(opening) : authorized.hide(message) })
      )

const loginNeeded = ({ options: { ports }, server }: OpenContext): string =>
  `it asks for a login: run "${ports.logins?.command(server.name) ?? ""}"`

/** Calls the listener when the connection closes. The SDK has one listener, which is a property. */
const whenClosed = (client: Client, listener: () => void): void => void Object.assign(client, { onclose: listener })

const closeClient = (client: Client) => Effect.ignore(Effect.promise(() => client.close()))

/** The time within which the server has to confirm the end of its session. */
const endMillis = 1000

/** Reports to the server that its session is over; otherwise the server keeps the session until it expires. */
const sessionEnded = (transport: { readonly terminateSession: () => Promise<void> }): Effect.Effect<void> =>
  Effect.tryPromise(() => transport.terminateSession()).pipe(
    Effect.interruptible,
    Effect.timeout(endMillis),
    Effect.ignore
  )

/** Connects; failures of the SDK become a sentence. */
const connect = ({ server }: OpenContext, client: Client, transport: Transport) =>
  Effect.tryPromise({
    try: (signal) => client.connect(transport, { timeout: server.startMillis ?? connectMillis, signal }),
    catch: (cause) => new ConnectFailed({ message: sentenceOf(cause), isOtherTransport: isOtherTransport(cause) })
  })

class ConnectFailed extends ServerFailed.extend<ConnectFailed>("ConnectFailed")({
  isOtherTransport: Schema.Boolean
}) {}

/**
 * True if the failure shows another transport: any 4xx other than for missing credentials means that the server does
 * not accept messages by POST.
 */
const isOtherTransport = (cause: unknown): boolean => {
  const code: unknown = cause !== null && typeof cause === "object" ? (cause as { readonly code?: unknown }).code : null
  return typeof code === "number" && code >= 400 && code < 500 && code !== 401 && code !== 403
}

const versionOf = (client: Client): string => {
  const version = client.getServerVersion()
  return version === undefined ? "" : Definition.plainText(`${version.name} ${version.version}`).slice(0, 200)
}

/**
 * Lists page by page; a server without tools has none. Invalid entries are left out; the others are used.
 */
const list = Effect.fnUntraced(function* ({ options, sdk: { ResultSchema }, server }: OpenContext, client: Client) {
  if (client.getServerCapabilities()?.tools === undefined) return []
  const found: Array<Definition.Definition> = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor }
    const { nextCursor, tools } = yield* request((signal) =>
      client.request({ method: "tools/list", params }, ResultSchema, {
        signal,
        timeout: server.startMillis ?? connectMillis
      })
    )
    if (!Array.isArray(tools)) return yield* new ServerFailed({ message: "its list of tools is not a list" })
    for (const tool of tools) {
      if (found.length > maxTools) break
      found.push(...[Definition.read(tool)].filter((read) => read !== null))
    }
    if (found.length > maxTools || typeof nextCursor !== "string" || nextCursor === cursor) break
    cursor = nextCursor
  }
  if (found.length > maxTools) options.onCut(maxTools)
  return found.slice(0, maxTools)
})

/**
 * The time limit of the SDK, which is longer than any limit of the dispatcher, so that the dispatcher's limit applies.
 */
const callMillis = 24 * 60 * 60 * 1000

const callTool = (
  { CallToolResultSchema }: Sdk,
  client: Client,
  { arguments: input, onProgress, tool }: ServerCall
): Effect.Effect<CallResult.CallResult, ServerFailed> =>
  Effect.map(
    request((signal) =>
      client.request({ method: "tools/call", params: { name: tool, arguments: { ...input } } }, CallToolResultSchema, {
        signal,
        timeout: callMillis,
        onprogress: onProgress
      })
    ),
    CallResult.read
  )
