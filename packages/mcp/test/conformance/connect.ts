/** The client that the conformance suite starts: connects to the URL of its last argument, and calls every tool once. */
import * as Effect from "effect/Effect"
import * as Servers from "../../src/client/Servers.ts"
import { calling } from "../calling.ts"
import { ports, server } from "../World.ts"

const url = process.argv.at(-1) ?? ""

const connecting = Effect.gen(function* () {
  const suite = server("suite", { _tag: "Http", url, headers: {}, protocol: "Streamable" })
  const world = ports()
  const servers = yield* Servers.make({ servers: [suite], workspaceRoot: "/", ports: world })
  yield* servers.settled
  if (servers.states()[0]?.status !== "connected") throw new Error(world.notices.join("\n"))
  const call = calling(servers)
  for (const name of servers.tools().keys()) {
    const { output } = yield* call(name, name.endsWith("add_numbers") ? { a: 5, b: 3 } : {})
    process.stdout.write(`${name}: ${output.text}\n`)
  }
})

await Effect.runPromise(Effect.scoped(connecting))
