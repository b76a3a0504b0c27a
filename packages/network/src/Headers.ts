/** Request headers that a call may set, and how they are sent. The connection's own are never anybody's to set. */
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Refusal from "./Refusal.ts"

export type Headers = Readonly<Record<string, string>>

/** They say what form of an answer is wanted, and nothing of who asks. */
const harmless: ReadonlySet<string> = new Set(["accept", "accept-language"])

/** Of one place only: dropped where a redirect leads to another. */
const conditional: ReadonlySet<string> = new Set(["if-none-match", "if-modified-since"])

/** What a request that a person looked at may also say. */
const approved: ReadonlySet<string> = new Set([
  "authorization",
  "content-type",
  "content-language",
  "idempotency-key",
  "if-match",
  "if-unmodified-since",
  "prefer",
  "x-api-key",
  "x-requested-with"
])

export const forRead = (headers: Headers): Effect.Effect<Headers, ToolError.PermissionDenied> =>
  checked(headers, (name) => harmless.has(name) || conditional.has(name))

export const forWrite = (headers: Headers): Effect.Effect<Headers, ToolError.PermissionDenied> =>
  checked(headers, (name) => harmless.has(name) || conditional.has(name) || approved.has(name))

/** What is left of them at another origin. */
export const elsewhere = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => harmless.has(name)))

const checked = (headers: Headers, mayPass: (name: string) => boolean) =>
  Effect.gen(function* () {
    const sent: Record<string, string> = {}
    for (const [spelt, value] of Object.entries(headers)) {
      const name = spelt.toLowerCase()
      if (!mayPass(name)) return yield* Refusal.deny("Header", `${Refusal.quote(spelt)} may not be set`)
      if (Object.hasOwn(sent, name)) return yield* Refusal.deny("Header", `${name} is there twice`)
      if (!/^[\t\x20-\x7E\x80-\xFF]*$/.test(value)) {
        return yield* Refusal.deny("Header", `the value of ${name} holds a control character`)
      }
      sent[name] = value
    }
    return sent
  })
