/** Finds the model of a server if none is named: most local servers have exactly one. */
import { Model } from "@bough/runtime"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Failure from "./Failure.ts"
import type { Fetch } from "./NodeFetch.ts"
import { toStatusError } from "./toStatusError.ts"

export interface ServedModelsOptions {
  readonly fetch: Fetch
  readonly baseUrl: string
  readonly key: string | null
  readonly provider: Failure.Provider
}

const Listing = Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) })
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Listing))
const maxNames = 8

/** The statuses of a server that has no list of models. */
const withoutList: ReadonlySet<number> = new Set([404, 405, 501])

/** Returns the names of a server's models; empty if it has no list or the format is unknown. Other statuses fail. */
export const list = ({ baseUrl, fetch, key }: Omit<ServedModelsOptions, "provider">) =>
  Effect.map(
    Effect.tryPromise({
      try: (signal) =>
        fetch(`${baseUrl.replace(/\/+$/, "")}/models`, {
          headers: key === null ? {} : { authorization: `Bearer ${key}` },
          signal
        }).then((response) =>
          response.text().then((text) => {
            if (response.ok || withoutList.has(response.status)) return text
            const { headers, status, statusText } = response
            throw toStatusError({ headers, status, statusText, text })
          })
        ),
      catch: (error) => ({ error })
    }),
    (answer) => Option.match(decode(answer), { onNone: () => [], onSome: ({ data }) => data.map(({ id }) => id) })
  )

/**
 * Returns the only model of the list; "default" for a server without a list, which then accepts any name. Fails with
 * `UnknownModel` if the server has several.
 */
export const onlyModel = Effect.fnUntraced(function* ({ provider, ...server }: ServedModelsOptions) {
  const now = yield* Clock.currentTimeMillis
  const models = yield* Effect.mapError(list(server), ({ error }) => Failure.toModelError(provider, error, now))
  const [only, second] = models
  if (only === undefined) return "default"
  if (second === undefined) return only
  const names = models.slice(0, maxNames).join(", ")
  const [name] = provider.model.split("/")
  return yield* new Model.ModelError({
    reason: "UnknownModel",
    model: provider.model,
    message: `${provider.baseUrl} has ${models.length} models: ${names}${models.length > maxNames ? " …" : ""}`,
    hint: `choose one: --model ${name}/${only}`,
    retryable: false,
    retryAfterMillis: null
  })
})
