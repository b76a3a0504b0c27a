/** Starts the gateway that random requests are sent to, with an example of every kind of resource in its API. */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { ChildProcess } from "@bough/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../../src/accounts/Accounts.ts"
import { commandLine } from "../../src/accounts/AuditLog.ts"
import { TenantId, UserId } from "../../src/accounts/Principal.ts"
import { untilApprovalIsAsked } from "../Approving.ts"
import { untilSaid } from "../Events.ts"
import * as Gateway from "../Gateway.ts"
import * as Receiver from "../Receiver.ts"
import * as LearnedIds from "./LearnedIds.ts"
import type * as RandomRequests from "./RandomRequests.ts"

const unlimited = { burst: 1e9, perSecond: 1e9 }

/** Makes a model that asks for an approval, ends, asks for a second one, and then answers any number of requests. */
const scriptModel = (requests: number) =>
  ScriptedModel.make([
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

/** Starts the gateway with a webhook receiver that it may call and an identity provider that it trusts. */
const startGateway = Effect.fnUntraced(function* (requests: number) {
  const scripted = yield* scriptModel(requests)
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
  return { gateway, receiver }
})

/** Makes a session with a saved rule and an artifact, and a second one that waits for its approval. */
const makeSessions = Effect.fnUntraced(function* (gateway: Gateway.Gateway, token: string) {
  const first = yield* untilApprovalIsAsked(gateway, token)
  const approval = `/api/v1/approvals/${first.approvalId}`
  const { rule } = (yield* gateway.request(approval, { token })).json
  const always = { rule, scope: "user" }
  yield* gateway.request(`${approval}/decision`, { token, body: { decision: "approve", always } })
  yield* untilSaid(gateway, { token, sessionId: first.sessionId }, "It is written")
  const rules = yield* gateway.request("/api/v1/rules", { token })
  const artifacts = yield* gateway.request(`/api/v1/sessions/${first.sessionId}/artifacts`, { token })
  const second = yield* untilApprovalIsAsked(gateway, token)
  return { first, second, rules, artifacts }
})

/** Makes twenty sign-in links of a user: each can be used once. */
const makeLinks = Effect.fnUntraced(function* (gateway: Gateway.Gateway) {
  const accounts = Context.get(gateway.context, Accounts)
  const link = { tenant: TenantId.make("acme"), user: UserId.make("ada"), scopes: ["read"] as const, label: "" }
  const links = yield* Effect.forEach(Array.from({ length: 20 }), () =>
    accounts.issueLink({ ...link, lifetimeMillis: 3_600_000 }, commandLine)
  )
  return links.map(({ secret }) => Redacted.value(secret))
})

/** A resource that no request may delete. */
const kept = (ids: Readonly<Record<string, string>>): RandomRequests.KnownThing => ({ ids, isKept: true })

export const startFuzzedGateway = Effect.fnUntraced(function* (requests: number) {
  const { gateway, receiver } = yield* startGateway(requests)
  const token = yield* Gateway.operator(gateway)
  const { artifacts, first, rules, second } = yield* makeSessions(gateway, token)
  const note = yield* gateway.request("/api/v1/notes", { token, body: { text: "The lake is deep.", kind: "fact" } })
  const ada = yield* Gateway.user(gateway, "acme/ada")
  const { known, learn } = LearnedIds.make(
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
      secret: yield* makeLinks(gateway),
      token: [ada],
      workspaceId: [second.workspaceId]
    }
  )
  return { gateway, token, known, learn }
})
