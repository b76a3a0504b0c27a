/**
 * The client that the conformance suite starts: connects to the URL of its last argument, and calls every tool once. It
 * logs in if the server asks for it, as a user who consents at once, three times at most.
 */
import * as Effect from "effect/Effect"
import type * as Credentials from "../../src/client/auth/Credentials.ts"
import * as Login from "../../src/client/auth/Login.ts"
import * as Servers from "../../src/client/Servers.ts"
import { noOAuth } from "../../src/ServerConfig.ts"
import { calling } from "../calling.ts"
import { ports, server } from "../World.ts"

const url = process.argv.at(-1) ?? ""
const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as Readonly<Record<string, string>>
const oauth = { ...noOAuth, clientId: context["client_id"] ?? null, clientSecret: context["client_secret"] ?? null }
const suite = server("suite", { _tag: "Http", url, headers: {}, protocol: "Streamable" }, { oauth })

const plain: typeof globalThis.fetch = (to, init) => globalThis.fetch(to, init)
let saved: string | null = null
const store: Credentials.Store = { load: () => saved, save: (text) => void (saved = text) }

const logIn = Login.login({
  server: suite,
  store,
  fetch: plain,
  authFetch: plain,
  show: (page) => void plain(page)
})

const maxLogins = 3

const connecting = (logins: number): Effect.Effect<void, { readonly message: string }> =>
  Effect.gen(function* () {
    const world = ports(new Map(), {
      // A user who accepts the prefilled values.
      elicit: () => Effect.succeed({ _tag: "Accepted", values: {} } as const),
      logins: { store: () => store, fetch: () => plain, command: () => "login" }
    })
    const servers = yield* Servers.make({ servers: [suite], workspaceRoot: "/", ports: world })
    yield* servers.settled
    if (servers.states()[0]?.status !== "connected") return yield* Effect.fail({ message: world.notices.join("\n") })
    const call = calling(servers)
    for (const name of servers.tools().keys()) {
      const { output } = yield* call(name, name.endsWith("add_numbers") ? { a: 5, b: 3 } : {})
      process.stdout.write(`${name}: ${output.text}\n`)
    }
  }).pipe(
    Effect.scoped,
    Effect.catchIf(
      ({ message }) => message.includes("it asks for a login") && logins < maxLogins,
      () => Effect.andThen(logIn, connecting(logins + 1))
    )
  )

await Effect.runPromise(connecting(0))
