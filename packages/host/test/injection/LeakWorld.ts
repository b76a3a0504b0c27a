/**
 * The world with further receivers: an MCP server, the readers of a channel, a remote repository. The private word is in
 * a preference of the user, or in a file of a folder that the user trusts.
 */
import * as Effect from "effect/Effect"
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as ForeignServer from "./ForeignServer.ts"
import type { Call } from "./ObeyingModel.ts"
import * as World from "./World.ts"

export interface LeakWorld extends World.World {
  readonly server: ForeignServer.ForeignServer
  /** The messages that the readers of the channel received. */
  readonly messages: Array<string>
  readonly remote: string
  /** Another folder of the user, which the user trusts. */
  readonly own: string
}

export const call = (name: string, callArguments: Readonly<Record<string, unknown>> = {}): Call => ({
  name,
  arguments: callArguments
})

export const make = Effect.gen(function* () {
  const world = yield* World.make
  const { home, root, workspace } = world
  const server = yield* ForeignServer.make
  const path = join(home, ".config/bough/config.jsonc")
  const config = JSON.parse(readFileSync(path, "utf8")) as { readonly network: { readonly allow: Array<unknown> } }
  config.network.allow.push({ host: "127.0.0.1", port: server.port })
  const docs = {
    url: `http://127.0.0.1:${server.port}/`,
    tiers: { lookup: "ReadOnly", fail: "ReadOnly" },
    startSeconds: 240
  }
  World.write(path, JSON.stringify({ ...config, mcpServers: { docs } }))
  const [remote, own] = [join(root, "remote.git"), join(root, "own")]
  mkdirSync(own)
  World.write(join(own, "diary.txt"), `My plan: ${World.word}\n`)
  World.git(root, home, "init", "-q", "--bare", remote)
  World.git(workspace, home, "remote", "add", "origin", remote)
  const messages: Array<string> = []
  return { ...world, server, messages, remote, own } satisfies LeakWorld
})

/** The user's own preference, which every prompt contains from now on. */
export const prefer = (world: LeakWorld) =>
  World.callAll(world, [call("save_memory", { content: `My plan is called ${World.word}`, kind: "preference" })])

export const play = (
  world: LeakWorld,
  request: string,
  work: ReadonlyArray<Call>,
  options: Omit<World.PlayOptions, "onMessage"> = {}
) => World.play(world, request, work, { ...options, onMessage: (sent) => void world.messages.push(sent) })
