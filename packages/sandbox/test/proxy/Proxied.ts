/**
 * Commands in a real sandbox that reach the network through the real proxy: `open.test` is approved, no other host is.
 */
import type { Execution, ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { RequestListener } from "node:http"
import { dirname, join } from "node:path"
import * as CommandProxy from "../../../network/src/proxy/CommandProxy.ts"
import { nameServer, serve } from "../../../network/test/World.ts"
import { Sandbox } from "../../src/index.ts"
import { environment, nodeDirectory, place } from "../Places.ts"

export interface Setting {
  readonly listener?: RequestListener
  readonly owner?: number
  readonly admit?: ToolContext.AdmitHost
  /** Directories of programs that the test needs, beside those of the system. */
  readonly programs?: ReadonlyArray<string>
}

export const proxied = Effect.fnUntraced(function* ({ admit, listener, owner, programs = [] }: Setting = {}) {
  const where = yield* place(owner)
  const site = yield* serve(listener ?? ((request, response) => response.end(`site ${request.method} ${request.url}`)))
  const hidden = yield* serve((_, response) => response.end("hidden"))
  const names = yield* nameServer({ "open.test": ["127.0.0.1"] })
  const requested: Array<string> = []
  const marked = new Set<string>()
  const proxy = CommandProxy.make({ nameServers: [names], allow: [{ host: "open.test", port: site.port }] })
  const path = [environment.PATH, ...programs].join(":")
  const readOnlyPaths = [nodeDirectory, ...programs.map((program) => dirname(program))]
  const sandbox = yield* Sandbox.make({ readOnlyPaths }, { ...environment, PATH: path }, { proxy })
  const provided = sandbox.provided({ root: where.workspace, writable: true })
  const { run } = provided.make({} as never, (label) => marked.add(label), {
    admitHost: (host) => {
      requested.push(`${host.host}:${host.port}`)
      return admit?.(host) ?? Effect.succeed(host.host === "open.test" ? null : "no rule names it")
    }
  })
  return {
    ...where,
    site,
    hidden,
    nameServerPort: Number(names.split(":")[1]),
    asked: requested,
    marked,
    run: (command: Execution.Invoke | string, options: Execution.RunOptions = {}) =>
      run(command, { timeoutMillis: 240_000, ...options }),
    /** The same session without a decision of the dispatcher about hosts. */
    runWithout: provided.make({} as never, () => {}).run,
    node: join(nodeDirectory, "node")
  }
})
