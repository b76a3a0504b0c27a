/**
 * The ports of one tree's background commands: each is reachable on this machine's loopback, and on the loopback of
 * every other running command of the tree, so that all commands can use one command's server:
 * adr/0080-ports-of-commands.md.
 */
import type { CommandPort } from "@bough/tool/Execution"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { createServer, type Server, type Socket } from "node:net"
import * as Proxy from "../Proxy.ts"
import type { ListeningPort, SandboxSockets } from "./SandboxSockets.ts"
import { outsidePort } from "./ServicePorts.ts"

interface SharedPort {
  readonly outside: Server
  readonly outsidePort: number
  readonly at: ListeningPort
}

/** One running command. */
export interface Member {
  readonly inside: SandboxSockets
  /** True for a background command, whose ports other commands can also reach. */
  readonly serves: boolean
  /** Its ports, by number. */
  readonly shared: Map<number, SharedPort>
  /** The ports of other commands that are shared here, by number. */
  readonly mirrored: Map<number, { readonly origin: Member; readonly server: Server }>
}

export interface PortHub {
  readonly join: (inside: SandboxSockets, serves: boolean) => Effect.Effect<Member>
  readonly leave: (member: Member) => Effect.Effect<void>
  /** Checks which ports commands have opened and closed since the last check. */
  readonly refresh: Effect.Effect<void>
}

const maxPorts = 16

/** The maximum number of connections to one port at a time; further ones end at once. */
const maxConnections = 128

export const portsOf = ({ shared }: Member): ReadonlyArray<CommandPort> =>
  [...shared].map(([port, { outsidePort }]) => ({ port, outsidePort }))

export const make = (): PortHub => {
  const members = new Set<Member>()
  const oneAtATime = Semaphore.makeUnsafe(1)
  const refresh = oneAtATime.withPermit(
    Effect.suspend(() =>
      Effect.andThen(
        Effect.forEach(
          [...members].filter(({ serves }) => serves),
          update,
          { discard: true }
        ),
        Effect.suspend(() => mirrorAll(members))
      )
    )
  )
  return {
    refresh,
    join: (inside, serves) =>
      Effect.suspend(() => {
        const member: Member = { inside, serves, shared: new Map(), mirrored: new Map() }
        members.add(member)
        return Effect.as(refresh, member)
      }),
    leave: (member) =>
      oneAtATime.withPermit(
        Effect.sync(() => {
          members.delete(member)
          for (const port of member.shared.keys()) unshare(member, port)
          for (const { server } of member.mirrored.values()) server.close()
          for (const other of members) unmirror(other, member)
        })
      )
  }
}

/** Shares the ports that the command has opened, and withdraws those that it has closed. */
const update = Effect.fnUntraced(function* (member: Member) {
  const found = member.inside.listening().filter(({ port }) => port !== Proxy.port && !member.mirrored.has(port))
  for (const port of member.shared.keys()) if (!found.some((one) => one.port === port)) unshare(member, port)
  for (const at of found) {
    if (member.shared.has(at.port) || member.shared.size >= maxPorts) continue
    const outside = yield* openOutside(member, at)
    const address = outside?.address()
    if (outside === null || address === null || typeof address !== "object") continue
    member.shared.set(at.port, { outside, outsidePort: address.port, at })
  }
})

const unshare = ({ shared }: Member, port: number): void => {
  shared.get(port)?.outside.close()
  shared.delete(port)
}

/** Opens the same port on this machine's loopback if it is free and not a known service's; otherwise any free port. */
const openOutside = (member: Member, at: ListeningPort): Effect.Effect<Server | null> => {
  const relay = (socket: Socket) => passOn(socket, member, at)
  const outsidePortNumber = outsidePort(at.port)
  return Effect.flatMap(listen(relay, outsidePortNumber), (server) =>
    server !== null || outsidePortNumber === 0 ? Effect.succeed(server) : listen(relay, 0)
  )
}

const listen = (onConnection: (socket: Socket) => void, port: number): Effect.Effect<Server | null> =>
  Effect.callback((resume) => {
    const server = Object.assign(createServer({ allowHalfOpen: true }, onConnection), { maxConnections })
    server.once("error", () => resume(Effect.succeed(null)))
    server.listen({ port, host: "127.0.0.1" }, () => resume(Effect.succeed(server)))
    server.unref()
  })

const mirrorAll = (members: ReadonlySet<Member>): Effect.Effect<void> =>
  Effect.forEach(
    members,
    (member) => {
      for (const [port, { origin }] of member.mirrored) if (!origin.shared.has(port)) close(member, port)
      const missing = [...members].flatMap((origin) =>
        origin === member ? [] : [...origin.shared.values()].map(({ at }) => ({ at, origin }))
      )
      return Effect.forEach(missing, ({ at, origin }) => mirror(member, origin, at), { discard: true })
    },
    { discard: true }
  )

/** Mirrors a port of another command; a port that the command itself uses remains its own. */
const mirror = (member: Member, origin: Member, at: ListeningPort): Effect.Effect<void> => {
  if (member.mirrored.has(at.port) || member.shared.has(at.port)) return Effect.void
  return member.inside
    .listen(at.port, (socket) => passOn(socket, origin, at))
    .pipe(
      Effect.map(
        (server) => void member.mirrored.set(at.port, { origin, server: Object.assign(server, { maxConnections }) })
      ),
      Effect.ignore
    )
}

const close = ({ mirrored }: Member, port: number): void => {
  mirrored.get(port)?.server.close()
  mirrored.delete(port)
}

const unmirror = (member: Member, removedMember: Member): void => {
  for (const [port, { origin }] of member.mirrored) if (origin === removedMember) close(member, port)
}

/** Forwards a connection to the port of the command that serves it. */
const passOn = (socket: Socket, { inside }: Member, at: ListeningPort): void => {
  socket.on("error", () => socket.destroy())
  Effect.runFork(
    Effect.match(inside.connect(at), {
      onFailure: () => socket.destroy(),
      onSuccess: (server) => {
        server.on("error", () => server.destroy())
        server.once("close", () => socket.destroy())
        socket.once("close", () => server.destroy())
        socket.pipe(server).pipe(socket)
      }
    })
  )
}
