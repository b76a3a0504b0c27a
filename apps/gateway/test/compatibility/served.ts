/** A gateway that listens, whose agents ask a scripted model over HTTP. */
import type { Authorization } from "@bough/gateway-api"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Script, withModel } from "../../../cli/test/program/ModelServer.ts"
import * as Gateway from "../Gateway.ts"

export interface Served {
  readonly gateway: Gateway.Gateway
  readonly token: string
  /** A token of the same user, of another one. */
  readonly tokenOf: (name: string, scopes?: ReadonlyArray<Authorization.Scope>) => Effect.Effect<string, unknown>
  /** How often the model was asked. */
  readonly asked: () => number
}

/** Serves `acme/ada` while the body runs. */
export const serve = <A, E>(script: Script, body: (served: Served) => Effect.Effect<A, E, Scope.Scope>) =>
  Effect.promise((signal) =>
    withModel(script, ({ env, requests }) =>
      Effect.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const gateway = yield* Gateway.start({ variables: env })
            const tokenOf: Served["tokenOf"] = (name, scopes) => Gateway.user(gateway, name, scopes)
            const token = yield* tokenOf("acme/ada")
            return yield* body({ gateway, token, tokenOf, asked: () => requests.length })
          })
        ),
        { signal }
      )
    )
  )

/** A call that a person is asked about: what it writes would instruct agents. */
export const asking: Script = [
  {
    text: "I will write it.",
    calls: [{ name: "write_file", arguments: { path: "AGENTS.md", content: "Be brief" } }]
  },
  { text: "It waits for you." },
  { text: "It is written." },
  { text: "What else?" }
]
