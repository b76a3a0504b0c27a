/** A gateway that listens, whose agents ask a scripted model over HTTP. */
import type { Authorization } from "@bough/gateway-api"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Script, withModel } from "../../../cli/test/program/ModelServer.ts"
import { commandLine } from "../../src/accounts/AuditLog.ts"
import { TenantId } from "../../src/accounts/Principal.ts"
import type { QuotaLimits } from "../../src/accounts/Quota.ts"
import { Quotas } from "../../src/accounts/Quotas.ts"
import * as Gateway from "../Gateway.ts"

export interface ServedGateway {
  readonly gateway: Gateway.Gateway
  readonly token: string
  /** A token of the same user, of another one. */
  readonly tokenOf: (name: string, scopes?: ReadonlyArray<Authorization.Scope>) => Effect.Effect<string, unknown>
  /** Sets quotas of the tenant. */
  readonly limit: (limits: QuotaLimits) => Promise<void>
  /** The number of requests to the model. */
  readonly asked: () => number
}

/** Serves `acme/ada` while the body runs. */
export const serve = <A, E>(script: Script, body: (served: ServedGateway) => Effect.Effect<A, E, Scope.Scope>) =>
  Effect.promise((signal) =>
    withModel(script, ({ env, requests }) =>
      Effect.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const gateway = yield* Gateway.start({ variables: env })
            const tokenOf: ServedGateway["tokenOf"] = (name, scopes) => Gateway.user(gateway, name, scopes)
            const token = yield* tokenOf("acme/ada")
            const quotas = Context.get(gateway.context, Quotas)
            const limit = (limits: QuotaLimits) =>
              Effect.runPromise(quotas.setLimits(TenantId.make("acme"), limits, commandLine))
            return yield* body({ gateway, token, tokenOf, limit, asked: () => requests.length })
          })
        ),
        { signal }
      )
    )
  )

/** A model that calls a tool which needs an approval: the file that it writes would instruct agents. */
export const approvalScript: Extract<Script, ReadonlyArray<unknown>> = [
  {
    text: "I will write it.",
    calls: [{ name: "write_file", arguments: { path: "AGENTS.md", content: "Be brief" } }]
  },
  { text: "It waits for you." },
  { text: "It is written." },
  { text: "What else?" }
]

/** A branch whose call needs an approval, below a Main that is told of its end. */
export const branchApprovalScript: Script = ({ messages }) => {
  const text = JSON.stringify(messages)
  const hasCalled = messages.some(({ role }) => role === "tool")
  if (!text.includes("Start a branch")) {
    return hasCalled
      ? { text: "The branch is done." }
      : { text: "", calls: [{ name: "write_file", arguments: { path: "AGENTS.md", content: "Be brief" } }] }
  }
  if (text.includes("The branch is done.")) return { text: "All is done." }
  return hasCalled
    ? { text: "It works." }
    : { text: "", calls: [{ name: "spawn_branch", arguments: { task: "Write it" } }] }
}
