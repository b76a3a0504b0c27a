/**
 * Sends random requests to a gateway with sessions, approvals, notes and users, and checks each answer against the
 * document.
 */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { ChildProcess } from "@bough/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../../src/accounts/Accounts.ts"
import { commandLine } from "../../src/accounts/AuditLog.ts"
import { TenantId, UserId } from "../../src/accounts/Principal.ts"
import { untilApprovalIsAsked } from "../Approving.ts"
import { rawRequest } from "../auth/rawRequest.ts"
import { untilSaid } from "../Events.ts"
import * as Gateway from "../Gateway.ts"
import * as Receiver from "../Receiver.ts"
import { departure } from "./Document.ts"
import * as RandomRequests from "./RandomRequests.ts"

export interface Fuzzing {
  readonly seed: number
  readonly requests: number
}

export interface Fuzzed {
  /** Departures from the document, with the request; each needs a fix. */
  readonly departures: ReadonlyArray<string>
  /** The number of answers by status. */
  readonly statuses: ReadonlyMap<number, number>
  /** Operations that succeeded at least once. */
  readonly succeeded: ReadonlySet<string>
}

const unlimited = { burst: 1e9, perSecond: 1e9 }

/** The bytes of an answer; the first ones of an endless answer. */
const read = async (response: Response): Promise<string> => {
  if (response.headers.get("content-type") !== "text/event-stream" || response.body === null) return response.text()
  const reader = response.body.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return Buffer.from(value ?? new Uint8Array()).toString()
}

/** The parameter that takes the id of a created resource, and its position in the answer. */
const made: Readonly<Record<string, readonly [parameter: string, path: ReadonlyArray<string>]>> = {
  "sessions.create": ["sessionId", ["id"]],
  "sessions.fork": ["sessionId", ["id"]],
  "notes.create": ["noteId", ["noteId"]],
  "attachments.upload": ["attachmentId", ["id"]],
  "workspaces.upload": ["workspaceId", ["id"]],
  "webhooks.create": ["webhookId", ["webhook", "id"]],
  "tokens.create": ["tokenId", ["credential", "tokenId"]],
  "tenants.create": ["tenant", ["tenant"]],
  "tenants.addUser": ["user", ["user", "user"]]
}

/** Learns the values of the first item of a list. */
const listed: Readonly<Record<string, readonly [parameter: string, path: ReadonlyArray<string>]>> = {
  "approvals.list": ["approvalId", ["request", "approvalId"]],
  "artifacts.list": ["artifactId", ["id"]],
  "attachments.list": ["attachmentId", ["id"]],
  "rules.list": ["ruleId", ["id"]]
}

const at = (value: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((found, key) => (found as Record<string, unknown>)[key], value)

/** Ids that belong to a created resource, and are in no path of it. */
const beside: Readonly<Record<string, Readonly<Record<string, string>>>> = { "tokens.create": { tenant: "operators" } }

/** The number of known resources with the same parameters. */
const maxAlike = 4

const namesOf = ({ ids }: RandomRequests.KnownThing): string => Object.keys(ids).toSorted().join()

/** The values that the fuzzing knows, and how an answer adds or removes some. */
const memory = (things: ReadonlyArray<RandomRequests.KnownThing>, values: Record<string, ReadonlyArray<string>>) => {
  const known = { things: [...things], values }

  const add = (ids: Readonly<Record<string, string>>): void => {
    const thing = { ids, isKept: false }
    const alike = known.things.filter((other) => !other.isKept && namesOf(other) === namesOf(thing))
    const dropped = new Set(alike.slice(maxAlike - 1))
    known.things = [thing, ...known.things.filter((other) => !dropped.has(other))]
  }

  const learn = ({ ids, operation }: RandomRequests.RandomRequest, text: string, isJson: boolean): void => {
    const { method, operationId } = operation
    if (method === "DELETE") {
      // The last parameter names the deleted resource.
      const [name, gone] = Object.entries(ids).at(-1) ?? ["", ""]
      known.things = known.things.filter((thing) => thing.isKept || thing.ids[name] !== gone)
    }
    if (!isJson) return
    const body = JSON.parse(text) as Readonly<Record<string, unknown>>
    if (typeof body["next"] === "string") known.values[`${operationId}.cursor`] = [body["next"]]
    const [item] = (body["items"] ?? []) as ReadonlyArray<unknown>
    const [parameter, id] =
      operationId in made
        ? [made[operationId][0], at(body, made[operationId][1])]
        : operationId in listed && item !== undefined
          ? [listed[operationId][0], at(item, listed[operationId][1])]
          : ["", null]
    if (typeof id === "string") add({ ...ids, ...beside[operationId], [parameter]: id })
  }
  return { known, learn }
}

/** The data before the first request: an example of every kind of resource in the document. */
const furnish = Effect.fnUntraced(function* (requests: number) {
  const scripted = yield* ScriptedModel.make([
    Reply.toolCall("write_file", { path: "AGENTS.md", content: "be kind" }),
    Reply.text("I wait"),
    Reply.text("It is written"),
    Reply.toolCall("write_file", { path: "docs/AGENTS.md", content: "be brief" }),
    ...Array.from({ length: requests }, (_, index) =>
      index % 2 === 1
        ? Reply.toolCall("write_file", { path: `docs/${index}/AGENTS.md`, content: "be brief" })
        : Reply.text("Yes.")
    )
  ])
  const receiver = yield* Receiver.listen()
  const issuer = yield* (yield* ChildProcess.startBeside(import.meta.url)("../../auth/programs/provider", [
    "http://127.0.0.1:1/"
  ])).line
  const gateway = yield* Gateway.start({
    model: () => scripted.model,
    webhooks: { allow: [{ host: "127.0.0.1", port: receiver.port }] },
    // Each request comes from an address of its own: a rejected credential delays its address.
    access: {
      trustedProxies: ["127.0.0.1"],
      rateLimits: { perToken: unlimited, perAddress: unlimited },
      openid: {
        issuer: issuer ?? "",
        clientId: "bough",
        tenant: TenantId.make("acme"),
        scopes: ["read"],
        clientSecretVariable: "PROVIDER_SECRET"
      }
    },
    variables: { PROVIDER_SECRET: "a secret of the client" }
  })
  const token = yield* Gateway.operator(gateway)
  const first = yield* untilApprovalIsAsked(gateway, token)
  const approval = `/api/v1/approvals/${first.approvalId}`
  const { rule } = (yield* gateway.request(approval, { token })).json
  const always = { rule, scope: "user" }
  yield* gateway.request(`${approval}/decision`, { token, body: { decision: "approve", always } })
  yield* untilSaid(gateway, { token, sessionId: first.sessionId }, "It is written")
  const rules = yield* gateway.request("/api/v1/rules", { token })
  const artifacts = yield* gateway.request(`/api/v1/sessions/${first.sessionId}/artifacts`, { token })
  const second = yield* untilApprovalIsAsked(gateway, token)
  const note = yield* gateway.request("/api/v1/notes", { token, body: { text: "The lake is deep.", kind: "fact" } })
  const ada = yield* Gateway.user(gateway, "acme/ada")
  const accounts = Context.get(gateway.context, Accounts)
  const link = { tenant: TenantId.make("acme"), user: UserId.make("ada"), scopes: ["read"] as const, label: "" }
  const links = yield* Effect.forEach(Array.from({ length: 20 }), () =>
    accounts.issueLink({ ...link, lifetimeMillis: 3_600_000 }, commandLine)
  )
  const kept = (ids: Readonly<Record<string, string>>): RandomRequests.KnownThing => ({ ids, isKept: true })
  const { known, learn } = memory(
    [
      { ids: { ruleId: rules.json.items[0].id }, isKept: false },
      { ids: { noteId: note.json.noteId }, isKept: false },
      kept({ sessionId: first.sessionId, artifactId: artifacts.json.items[0].id }),
      kept({ sessionId: second.sessionId }),
      kept({ approvalId: second.approvalId }),
      kept({ workspaceId: second.workspaceId }),
      kept({ tenant: "acme", user: "ada" }),
      kept({ tenant: "operators" })
    ],
    {
      url: [receiver.url],
      secret: links.map(({ secret }) => Redacted.value(secret)),
      token: [ada],
      workspaceId: [second.workspaceId]
    }
  )
  return { gateway, token, known, learn }
})

const upgrade = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA=="
}

export const fuzz = Effect.fnUntraced(function* ({ requests, seed }: Fuzzing) {
  const { gateway, known, learn, token: given } = yield* furnish(requests)
  let token = given
  const departures: Array<string> = []
  const statuses = new Map<number, number>()
  const succeeded = new Set<string>()
  const all = RandomRequests.make(seed, known)
  for (let index = 0; index < requests; index++) {
    const request = all.next().value
    const { body, headers, operation, path } = request
    const { method, operationId } = operation
    const sent = {
      authorization: `Bearer ${token}`,
      "x-forwarded-for": `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
      ...headers
    }
    const answer =
      operationId === "journal.socket"
        ? yield* Effect.map(
            rawRequest(gateway.url, { path, headers: { ...upgrade, ...sent } }),
            ({ headers, status, text }) => ({
              status,
              contentType: headers["content-type"]?.toString() ?? null,
              text
            })
          )
        : yield* Effect.tryPromise(async () => {
            const response = await fetch(`${gateway.url}${path}`, {
              method,
              headers: sent,
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
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.status < 300) succeeded.add(operationId)
    if (answer.status < 300) learn(request, answer.text, answer.contentType === "application/json")
    const why = answer.status >= 500 ? `a fault of the server: ${answer.text}` : departure(operation, answer)
    if (why !== null) {
      const shown = body === null ? "" : Buffer.from(body).toString().slice(0, 300)
      departures.push(
        `seed ${seed}, request ${index}: ${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${shown}\n  ${why}`
      )
    }
    // The request may have signed the user out, or removed the user.
    if (answer.status === 401 || operationId === "signIn.signOut" || operationId.startsWith("tenants.")) {
      token = yield* Gateway.operator(gateway)
    }
  }
  return { departures, statuses, succeeded } satisfies Fuzzed
})
