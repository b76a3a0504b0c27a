/** Models of an Ollama server, by default on this machine, through its chat completions API. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as OpenAiCompatible from "./OpenAiCompatible.ts"
import { type Environment, describeSet, type Provider, variable } from "./Provider.ts"

const port = 11434

/** If no model is named, the server's only one is used. */
export const provider: Provider = {
  name: "ollama",
  defaultModel: "default",
  configured: (environment) => describeSet(environment, ["OLLAMA_BASE_URL", "OLLAMA_HOST"]),
  secretNames: ["OLLAMA_API_KEY"],
  make: ({ model, ...request }) =>
    OpenAiCompatible.make({
      ...request,
      model: model === provider.defaultModel ? null : model,
      baseUrl: baseUrl(request.environment),
      key: variable(request.environment, ["OLLAMA_API_KEY"])?.value ?? null,
      keyName: "OLLAMA_API_KEY",
      baseUrlName: variable(request.environment, ["OLLAMA_BASE_URL"])?.name ?? "OLLAMA_HOST"
    })
}

const maxWait = Duration.millis(500)

/**
 * The models of the server, each as `ollama/model`; null: no server answers in half a second. For the search at a first
 * start.
 */
export const running = Effect.fnUntraced(function* (
  environment: Environment
): Effect.fn.Return<ReadonlyArray<string> | null> {
  const [{ list }, NodeFetch] = yield* Effect.promise(() =>
    Promise.all([import("./ServedModels.ts"), import("./NodeFetch.ts")])
  )
  const fetch = NodeFetch.make(NodeFetch.sender({ idleMillis: Duration.toMillis(maxWait) }))
  const key = variable(environment, ["OLLAMA_API_KEY"])?.value ?? null
  // Loaded first, so that loading does not count as the server's time.
  const models = yield* list({ fetch, baseUrl: baseUrl(environment), key }).pipe(
    Effect.timeoutOption(maxWait),
    Effect.map(Option.getOrNull),
    Effect.catch(() => Effect.succeed(null))
  )
  return models?.map((model) => `${provider.name}/${model}`) ?? null
})

/**
 * `OLLAMA_HOST` is written as its server reads it: a host, host and port, or an address; "0.0.0.0" is an address to
 * listen on, and is replaced for requests.
 */
export const baseUrl = (environment: Environment): string => {
  const written = variable(environment, ["OLLAMA_BASE_URL", "OLLAMA_HOST"])?.value ?? "127.0.0.1"
  const hasScheme = /^[a-z][a-z+.-]*:\/\//i.test(written)
  const url = URL.parse(hasScheme ? written : `http://${written}`)
  if (url === null) return written
  if (url.port === "" && !hasScheme) url.port = String(port)
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1"
  const path = url.pathname.replace(/\/+$/, "")
  return `${url.origin}${path.endsWith("/v1") ? path : `${path}/v1`}`
}
