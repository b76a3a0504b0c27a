/** Makes requests of the SDK as effects, which fail with a sentence. */
import * as Effect from "effect/Effect"
import * as Definition from "./Definition.ts"
import { ServerFailed } from "./Ports.ts"

/** Returns a failure of the SDK as a sentence. */
export const sentenceOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return Definition.plainText(String(cause)).slice(0, 500)
  const inner = cause.cause instanceof Error ? `: ${cause.cause.message}` : ""
  return Definition.plainText(`${cause.message}${inner}`).replaceAll("\n", " ").slice(0, 500)
}

/** Sends a request; an interruption cancels it at the server. */
export const request = <A>(send: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, ServerFailed> =>
  Effect.tryPromise({ try: send, catch: (cause) => new ServerFailed({ message: sentenceOf(cause) }) })
