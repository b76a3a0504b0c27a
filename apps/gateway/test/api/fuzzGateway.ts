/**
 * Sends random requests to a gateway with sessions, approvals, notes and users, and checks each answer against the
 * OpenAPI document of the gateway.
 */
import * as Effect from "effect/Effect"
import { rawRequest } from "../auth/rawRequest.ts"
import * as Gateway from "../Gateway.ts"
import { departure } from "./Document.ts"
import * as RandomRequests from "./RandomRequests.ts"
import { startFuzzedGateway } from "./startFuzzedGateway.ts"

export interface Fuzzing {
  readonly seed: number
  readonly requests: number
}

export interface Fuzzed {
  /** Departures from the OpenAPI document, with the request; each needs a fix. */
  readonly departures: ReadonlyArray<string>
  /** The number of answers by status. */
  readonly statuses: ReadonlyMap<number, number>
  /** Operations that succeeded at least once. */
  readonly succeeded: ReadonlySet<string>
}

/** Reads an answer as text; of an answer that does not end, its first part. */
const read = async (response: Response): Promise<string> => {
  if (response.headers.get("content-type") !== "text/event-stream" || response.body === null) return response.text()
  const reader = response.body.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return Buffer.from(value ?? new Uint8Array()).toString()
}

/** The headers of a WebSocket request. */
const upgrade = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA=="
}

interface Answer {
  readonly status: number
  readonly contentType: string | null
  readonly text: string
}

/** Sends a request; the socket of a journal by an upgrade, which `fetch` cannot send. */
const send = (
  url: string,
  { body, operation: { method, operationId }, path }: RandomRequests.RandomRequest,
  headers: Readonly<Record<string, string>>
): Effect.Effect<Answer> =>
  operationId === "journal.socket"
    ? Effect.map(rawRequest(url, { path, headers: { ...upgrade, ...headers } }), (answer) => ({
        status: answer.status,
        contentType: answer.headers["content-type"]?.toString() ?? null,
        text: answer.text
      }))
    : Effect.tryPromise(async () => {
        const response = await fetch(`${url}${path}`, {
          method,
          headers,
          ...(body === null ? {} : { body }),
          redirect: "manual"
        })
        const contentType = response.headers.get("content-type")
        return { status: response.status, contentType, text: await read(response) }
      }).pipe(
        // The server may close a connection whose body it does not read to its end.
        Effect.retry({ times: 3 }),
        Effect.orDie
      )

/** Describes a departure of an answer, with its request; null: there is none. */
const departureOf = (
  { body, headers, operation, path }: RandomRequests.RandomRequest,
  answer: Answer
): string | null => {
  const why = answer.status >= 500 ? `a fault of the server: ${answer.text}` : departure(operation, answer)
  const sent = body === null ? "" : Buffer.from(body).toString().slice(0, 300)
  return why === null ? null : `${operation.method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${sent}\n  ${why}`
}

/** Returns an address for each request: a rejected credential delays further requests of its address. */
const addressOf = (index: number): string => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`

export const fuzz = Effect.fnUntraced(function* ({ requests, seed }: Fuzzing) {
  const { gateway, known, learn, token: firstToken } = yield* startFuzzedGateway(requests)
  let token = firstToken
  const departures: Array<string> = []
  const statuses = new Map<number, number>()
  const succeeded = new Set<string>()
  const randomRequests = RandomRequests.make(seed, known)
  for (let index = 0; index < requests; index++) {
    const request = randomRequests.next().value
    const { operationId } = request.operation
    const answer = yield* send(gateway.url, request, {
      authorization: `Bearer ${token}`,
      "x-forwarded-for": addressOf(index),
      ...request.headers
    })
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.status < 300) {
      succeeded.add(operationId)
      learn(request, answer.text, answer.contentType === "application/json")
    }
    const departed = departureOf(request, answer)
    if (departed !== null) departures.push(`seed ${seed}, request ${index}: ${departed}`)
    // The request may have signed the user out, or removed the user.
    if (answer.status === 401 || operationId === "signIn.signOut" || operationId.startsWith("tenants.")) {
      token = yield* Gateway.operator(gateway)
    }
  }
  return { departures, statuses, succeeded } satisfies Fuzzed
})
