/**
 * Model servers on this machine: at configured addresses, and at their default ports. Each is sent a request for its
 * list of models, without a key. No other machine is contacted.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ollama from "./Ollama.ts"
import * as OpenAiCompatible from "./OpenAiCompatible.ts"
import type { Environment } from "./Provider.ts"

export interface Server {
  readonly provider: "ollama" | "openai-compatible"
  readonly baseUrl: string
  /**
   * True if the configuration names the server; a discovered server has to be configured before it is used.
   */
  readonly isConfigured: boolean
  /** The names that the server uses. */
  readonly models: ReadonlyArray<string>
}

type ServerAddress = Omit<Server, "models">

/** The default ports of llama.cpp, LM Studio and vLLM. */
const usualPorts = [8080, 1234, 8000]

/**
 * A server that does not answer in this time counts as absent. A configured server gets more time, because its models
 * are unknown without its list; a port without a listener refuses at once.
 */
const configuredWait = Duration.seconds(5)
const usualWait = Duration.millis(300)

/** The servers that answer, in order of preference; each once, under the first name that leads to it. */
export const findRunning = (
  environment: Environment,
  ports: ReadonlyArray<number> = usualPorts,
  waitAtPorts: Duration.Duration = usualWait
): Effect.Effect<ReadonlyArray<Server>> =>
  Effect.forEach(
    places(environment, ports),
    (server) => ask(server, server.isConfigured ? configuredWait : waitAtPorts),
    {
      concurrency: "unbounded"
    }
  ).pipe(Effect.map((servers) => servers.filter((server) => server !== null)))

/** True if the address is on this machine. */
export const isLoopback = (address: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(URL.parse(address)?.hostname ?? "")

const places = (environment: Environment, ports: ReadonlyArray<number>): ReadonlyArray<ServerAddress> => {
  const named = OpenAiCompatible.configuredBaseUrl(environment)
  const all: ReadonlyArray<ServerAddress> = [
    ...(named === null ? [] : [{ provider: "openai-compatible", baseUrl: named, isConfigured: true } as const]),
    { provider: "ollama", baseUrl: Ollama.baseUrl(environment), isConfigured: true },
    ...ports.map((port) => ({
      provider: "openai-compatible" as const,
      baseUrl: `http://127.0.0.1:${port}/v1`,
      isConfigured: false
    }))
  ]
  const seen = new Set<string>()
  return all.filter(({ baseUrl }) => {
    const socket = socketOf(baseUrl)
    if (!isLoopback(baseUrl) || seen.has(socket)) return false
    seen.add(socket)
    return true
  })
}

/** The names and addresses of this machine. */
const socketOf = (baseUrl: string): string => URL.parse(baseUrl)?.port ?? ""

const ask = Effect.fnUntraced(function* (
  server: ServerAddress,
  wait: Duration.Duration
): Effect.fn.Return<Server | null> {
  const [{ list }, NodeFetch] = yield* Effect.promise(() =>
    Promise.all([import("./ServedModels.ts"), import("./NodeFetch.ts")])
  )
  const fetch = NodeFetch.make(NodeFetch.sender({ idleMillis: Duration.toMillis(wait) }))
  // Loaded first, so that loading does not count as the server's time.
  const models = yield* list({ fetch, baseUrl: server.baseUrl, key: null }).pipe(
    Effect.timeoutOption(wait),
    Effect.map(Option.getOrElse(() => [])),
    Effect.catch(() => Effect.succeed([]))
  )
  return models.length === 0 ? null : { ...server, models }
})
