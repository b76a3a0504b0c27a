/** Sends random requests to a gateway with sessions, approvals, notes and people in it, and holds each answer to the document. */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import * as Effect from "effect/Effect"
import { untilApprovalIsAsked } from "../Approving.ts"
import * as Gateway from "../Gateway.ts"
import { departure } from "./Document.ts"
import * as RandomRequests from "./RandomRequests.ts"

export interface Fuzzing {
  readonly seed: number
  readonly requests: number
}

export interface Fuzzed {
  /** What departs from the document, with the request; each is to be fixed. */
  readonly departures: ReadonlyArray<string>
  /** How many answers had each status. */
  readonly statuses: ReadonlyMap<number, number>
  /** Operations that were carried out at least once. */
  readonly succeeded: ReadonlySet<string>
}

const unlimited = { burst: 1e9, perSecond: 1e9 }

/** The bytes of an answer; of one that does not end, the first. */
const read = async (response: Response): Promise<string> => {
  if (response.headers.get("content-type") !== "text/event-stream" || response.body === null) return response.text()
  const reader = response.body.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return Buffer.from(value ?? new Uint8Array()).toString()
}

/** The parameter that takes the id of what an operation makes, and where its answer has it. */
const made: Readonly<Record<string, readonly [parameter: string, path: ReadonlyArray<string>]>> = {
  "sessions.create": ["sessionId", ["id"]],
  "sessions.fork": ["sessionId", ["id"]],
  "notes.create": ["noteId", ["noteId"]],
  "attachments.upload": ["attachmentId", ["id"]],
  "workspaces.upload": ["workspaceId", ["id"]],
  "webhooks.create": ["webhookId", ["webhook", "id"]],
  "tokens.create": ["tokenId", ["credential", "tokenId"]],
  "tenants.create": ["tenant", ["tenant"]],
  "tenants.addUser": ["user", ["user"]]
}

/** The newest of them, before the one that was there first: only the newest of all is deleted. */
const maxKnown = 3

const remember = (known: Record<string, Array<string>>, operationId: string, body: unknown): void => {
  const found = made[operationId]
  if (found === undefined) return
  const [parameter, path] = found
  const id = path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], body)
  if (typeof id !== "string") return
  const lasting = known[parameter]?.slice(-1) ?? []
  const newest = known[parameter]?.slice(0, -1).slice(0, maxKnown) ?? []
  known[parameter] = [id, ...newest, ...lasting]
}

export const fuzz = Effect.fnUntraced(function* ({ requests, seed }: Fuzzing) {
  const scripted = yield* ScriptedModel.make([
    Reply.toolCall("write_file", { path: "AGENTS.md", content: "be kind" }),
    ...Array.from({ length: requests }, () => Reply.text("Yes."))
  ])
  const gateway = yield* Gateway.start({
    model: () => scripted.model,
    // Each request comes from an address of its own: a rejected credential makes its address wait.
    access: { trustedProxies: ["127.0.0.1"], rateLimits: { perToken: unlimited, perAddress: unlimited } }
  })
  let token = yield* Gateway.operator(gateway)
  const { approvalId, sessionId, workspaceId } = yield* untilApprovalIsAsked(gateway, token)
  const note = yield* gateway.request("/api/v1/notes", { token, body: { text: "The lake is deep.", kind: "fact" } })
  yield* Gateway.user(gateway, "acme/ada")
  const others = yield* gateway.request("/api/v1/sessions", { token, body: {} })
  const known: Record<string, Array<string>> = {
    sessionId: [others.json.id, sessionId],
    approvalId: [approvalId],
    workspaceId: [workspaceId],
    noteId: [note.json.noteId],
    tenant: ["acme", "operators"],
    user: ["ada"]
  }
  const departures: Array<string> = []
  const statuses = new Map<number, number>()
  const succeeded = new Set<string>()
  const all = RandomRequests.make(seed, known)
  for (let index = 0; index < requests; index++) {
    const { body, headers, operation, path } = all.next().value
    const { method, operationId } = operation
    const answer = yield* Effect.promise(async () => {
      const response = await fetch(`${gateway.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          "x-forwarded-for": `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
          ...headers
        },
        ...(body === null ? {} : { body }),
        redirect: "manual"
      })
      return { status: response.status, contentType: response.headers.get("content-type"), text: await read(response) }
    })
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.status < 300) succeeded.add(operationId)
    if (answer.status === 201) remember(known, operationId, JSON.parse(answer.text))
    const why = answer.status >= 500 ? `a fault of the server: ${answer.text}` : departure(operation, answer)
    if (why !== null) {
      const sent = body === null ? "" : Buffer.from(body).toString().slice(0, 300)
      departures.push(
        `seed ${seed}, request ${index}: ${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${sent}\n  ${why}`
      )
    }
    // It may have signed itself out, or removed its user.
    if (answer.status === 401 || operationId === "signIn.signOut" || operationId.startsWith("tenants.")) {
      token = yield* Gateway.operator(gateway)
    }
  }
  return { departures, statuses, succeeded } satisfies Fuzzed
})
