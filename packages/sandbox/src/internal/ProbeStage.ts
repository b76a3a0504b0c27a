/** The directory and the server with which a sandbox is tested. */
import * as Effect from "effect/Effect"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { type AddressInfo, createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SandboxDirectories } from "../SandboxDirectories.ts"

/** A workspace with a repository, a file beside it, and a server that counts its connections. */
export interface ProbeSetup {
  readonly directory: string
  readonly outside: string
  readonly directories: SandboxDirectories
  readonly server: Server
  readonly port: number
  readonly connections: () => number
}

export const stage = Effect.gen(function* () {
  const directory = yield* Effect.promise(() =>
    mkdtemp(join(tmpdir(), "bough-probe-")).then((created) => realpath(created))
  )
  const workspace = join(directory, "workspace")
  const outside = join(directory, "outside")
  for (const name of ["", ".git", ".git/objects", ".git/refs"]) {
    yield* Effect.promise(() => mkdir(join(workspace, name)))
  }
  yield* Effect.promise(() =>
    Promise.all([
      writeFile(join(workspace, ".git/HEAD"), "ref: refs/heads/main\n"),
      writeFile(join(workspace, ".git/config"), ""),
      writeFile(outside, "outside")
    ])
  )
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  }).unref()
  yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
  const { port } = server.address() as AddressInfo
  const directories: SandboxDirectories = {
    workspace,
    start: workspace,
    roots: [{ path: workspace, writable: true }],
    protectedEntries: [".git", ".bough"],
    hiddenDirectories: [],
    readOnlyDirectories: [],
    repositories: [],
    user: null
  }
  return { directory, outside, directories, server, port, connections: () => connections } satisfies ProbeSetup
})

export const clear = ({ directory, server }: ProbeSetup) =>
  Effect.promise(() => {
    server.close()
    return rm(directory, { recursive: true, force: true })
  })
