/** Makes requests of the SDK as effects, which fail with a sentence. */
import * as Effect from "effect/Effect"
import * as Definition from "./Definition.ts"
import { ServerFailed } from "./Ports.ts"

/** Returns a failure of the SDK as a sentence. */
export const sentenceOf = (cause: unknown): string => {
  const issues = issuesOf(cause)
  if (issues !== null) return `its answer does not follow the protocol: ${issues}`
  if (!(cause instanceof Error)) return Definition.plainText(String(cause)).slice(0, 500)
  const inner = cause.cause instanceof Error ? `: ${cause.cause.message}` : ""
  return Definition.plainText(`${cause.message}${inner}`).replaceAll("\n", " ").slice(0, 500)
}

/** Formats what the SDK finds wrong with a message, first; null: it is another failure. */
const issuesOf = (cause: unknown): string | null => {
  if (typeof cause !== "object" || cause === null || !("issues" in cause) || !Array.isArray(cause.issues)) return null
  const [first] = cause.issues as ReadonlyArray<{ readonly path?: ReadonlyArray<unknown>; readonly message?: string }>
  const fieldPath = (first?.path ?? []).map(String).join(".")
  return Definition.plainText(
    `${fieldPath === "" ? "" : `${fieldPath}: `}${first?.message ?? "it is malformed"}`
  ).slice(0, 300)
}

/** Sends a request; an interruption cancels it at the server. */
export const request = <A>(send: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, ServerFailed> =>
  Effect.tryPromise({ try: send, catch: (cause) => new ServerFailed({ message: sentenceOf(cause) }) })
