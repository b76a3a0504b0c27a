/**
 * Checks the request headers that a call may set, and prepares them for sending. A call may not set headers of the
 * connection, headers that claim the origin of a request, or headers with a credential, which only the operator
 * configures.
 */
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { isCredential } from "./CredentialHeader.ts"
import * as Refusal from "./Refusal.ts"

export type Headers = Readonly<Record<string, string>>

/** Headers that only state the requested form of a response. */
const harmless: ReadonlySet<string> = new Set(["accept", "accept-language"])

/** Headers that refer to one address: they are dropped if a redirect leads to another one. */
const conditional: ReadonlySet<string> = new Set(["if-none-match", "if-modified-since"])

/** Headers of the connection, or between it and its next hop. */
const connections: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via"
])

/** Headers that are trusted by servers behind a proxy or by metadata services. */
const claim =
  /^(?:forwarded|x-(?:forwarded|original|rewrite|envoy|aws-ec2-metadata|google)-.*|x-(?:real|client|cluster-client|originating|remote)-(?:ip|addr|host)|(?:cf|true|fastly)-(?:client|connecting)-ip|metadata(?:-flavor)?|proxy-.*|sec-.*)$/u

const maxHeaders = 64
const maxBytes = 16_384

type CheckedHeaders = Effect.Effect<Headers, ToolError.PermissionDenied>

export const forRead = (headers: Headers): CheckedHeaders =>
  checkHeaders(headers, (name) =>
    harmless.has(name) || conditional.has(name)
      ? null
      : `${Refusal.quote(name)} may not be set here, where it is not shown for approval; http_request may set it`
  )

export const forWrite = (headers: Headers): CheckedHeaders => checkHeaders(headers, faultOfWritten)

/** Checks the headers that the operator configured, including credentials. */
export const fromOperator = (headers: Headers): CheckedHeaders =>
  checkHeaders(headers, (name) => (connections.has(name) || claim.test(name) ? faultOfWritten(name) : null))

const faultOfWritten = (name: string): string | null => {
  if (connections.has(name) || claim.test(name)) return `${Refusal.quote(name)} may not be set`
  return isCredential(name)
    ? `${Refusal.quote(name)} carries a credential; the operator sets it for a host, as network.headers of the configuration`
    : null
}

/** Returns the headers that may also go to another origin. */
export const harmlessHeaders = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => harmless.has(name)))

/**
 * Checks headers. `fault` returns the reason why a header, named in lower case, may not be set; null: it may be set.
 */
const checkHeaders = (headers: Headers, fault: (name: string) => string | null): CheckedHeaders =>
  Effect.gen(function* () {
    const sent: Record<string, string> = {}
    let bytes = 0
    for (const [spelt, value] of Object.entries(headers)) {
      const name = spelt.toLowerCase()
      if (!/^[!#$%&'*+.^_`|~0-9a-z-]{1,256}$/u.test(name)) {
        return yield* Refusal.deny("Header", `${Refusal.quote(spelt)} is not a header name`)
      }
      const wrong = fault(name)
      if (wrong !== null) return yield* Refusal.deny("Header", wrong)
      if (Object.hasOwn(sent, name)) return yield* Refusal.deny("Header", `${name} appears twice`)
      if (!/^[\t\x20-\x7E\x80-\xFF]*$/.test(value)) {
        return yield* Refusal.deny("Header", `the value of ${name} contains a control character`)
      }
      sent[name] = value
      bytes += name.length + value.length
    }
    return bytes > maxBytes || Object.keys(sent).length > maxHeaders
      ? yield* Refusal.deny("Header", `more than ${maxHeaders} headers, or ${maxBytes} bytes of them`)
      : sent
  })
