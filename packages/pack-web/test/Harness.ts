/**
 * The web tools over the real adapter and a server on loopback, one call at a time, as a dispatcher would make them.
 */
import { Network } from "@bough/network"
import { ToolError } from "@bough/protocol"
import { Capability, type Grant, Invocation, Progress, type Tool } from "@bough/tool"
import { SampleInvocation } from "@bough/tool/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"

/** A server until the scope ends; its port. */
export const serve = (listener: RequestListener) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(
        () =>
          new Promise<Server>((resolve) => {
            const server = createServer(listener)
            server.listen(0, "127.0.0.1", () => resolve(server))
          })
      ),
      (server) =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
    ),
    (server) => (server.address() as AddressInfo).port
  )

/** One tool's call, with its arguments decoded. `listed`: the ports of loopback that the operator opened. */
export const caller = (listed: ReadonlyArray<number>, options: Network.NetworkOptions = {}) => {
  const network = Network.make({ allow: listed.map((port) => ({ host: "127.0.0.1", port })), ...options })
  const using = <A>(effect: Effect.Effect<A, ToolError.ToolError, unknown>, grants: ReadonlyArray<Grant.Grant>) =>
    Effect.scoped(
      Effect.flatMap(Effect.scope, (scope) =>
        Effect.setContext(
          effect,
          Context.make(Capability.NetworkRead, network.read(grants)).pipe(
            Context.add(Capability.NetworkWrite, network.write(grants)),
            Context.add(Invocation.Invocation, SampleInvocation.make({ grants })),
            Context.add(Progress.Progress, { report: () => Effect.void }),
            Context.add(Scope.Scope, scope)
          ) as Context.Context<unknown>
        )
      )
    )
  const decode = <P extends Tool.Codec>({ parameters }: { readonly parameters: P }, input: P["Encoded"]): P["Type"] =>
    Schema.decodeUnknownSync(parameters)(input)
  return {
    call: <P extends Tool.Codec, O extends Tool.Codec>(
      tool: Tool.Tool<string, P, O, unknown>,
      input: P["Encoded"],
      grants: ReadonlyArray<Grant.Grant> = []
    ) => using<Tool.ToolResult<O["Type"]>>(tool.execute(decode(tool, input)), grants),
    classify: <P extends Tool.Codec>(tool: Tool.Tool<string, P, Tool.Codec, unknown>, input: P["Encoded"]) =>
      using<Tool.Classification>(tool.classify?.(decode(tool, input)) ?? Effect.succeed({ tier: tool.tier }), []),
    preview: <P extends Tool.Codec>(tool: Tool.Tool<string, P, Tool.Codec, unknown>, input: P["Encoded"]) =>
      Effect.map(using(tool.preview?.(decode(tool, input)) ?? Effect.die("no preview"), []), ({ render }) => render)
  }
}

/** The full text of a failure as its reader sees it. */
export const refusal = <A, R>(effect: Effect.Effect<A, ToolError.ToolError, R>): Effect.Effect<string, never, R> =>
  Effect.match(effect, {
    onSuccess: (answer) => `went through: ${JSON.stringify(answer)}`,
    onFailure: (error) => `${error._tag} ${ToolError.describe(ToolError.toData(error))}`
  })
