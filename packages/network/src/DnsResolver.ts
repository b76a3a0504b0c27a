/** Resolves names through the machine's own resolver, or through name servers that the operator chose. */
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as dns from "node:dns/promises"
import * as Refusal from "./Refusal.ts"

/** Returns all addresses of a name, IPv4 first. */
export type Lookup = (host: string) => Effect.Effect<ReadonlyArray<string>, ToolError.ToolError>

/** Resolves a name like other programs on the machine, including its hosts file. */
export const system: Lookup = (host) =>
  found(
    host,
    Effect.tryPromise(() => dns.lookup(host, { all: true, order: "ipv4first" })).pipe(
      Effect.map((answers) => answers.map(({ address }) => address))
    )
  )

/** Makes a lookup that asks only these servers (`address` or `address:port`). */
export const servers = (addresses: ReadonlyArray<string>): Lookup => {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 })
  resolver.setServers([...addresses])
  const orNone = (asked: () => Promise<ReadonlyArray<string>>) =>
    Effect.orElseSucceed(Effect.tryPromise(asked), (): ReadonlyArray<string> => [])
  return (host) =>
    found(
      host,
      Effect.map(
        Effect.all([orNone(() => resolver.resolve4(host)), orNone(() => resolver.resolve6(host))], { concurrency: 2 }),
        ([four, six]) => [...four, ...six]
      )
    )
}

const found = <E>(host: string, lookup: Effect.Effect<ReadonlyArray<string>, E>) =>
  Effect.flatMap(
    Effect.orElseSucceed(lookup, (): ReadonlyArray<string> => []),
    (addresses) =>
      addresses.length > 0
        ? Effect.succeed(addresses)
        : Effect.fail(Refusal.fail("NameNotFound", `${host} has no address`))
  )
