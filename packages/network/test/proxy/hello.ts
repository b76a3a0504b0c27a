/** The first message of Node's own TLS to a host. */
import * as Effect from "effect/Effect"
import { Duplex } from "node:stream"
import { connect } from "node:tls"

/** `name` null: it names no host. */
export const hello = (name: string | null): Effect.Effect<Uint8Array> =>
  Effect.callback((resume) => {
    const wire = new Duplex({
      read: () => undefined,
      write: (bytes: Uint8Array, _encoding, done) => {
        resume(Effect.succeed(bytes))
        done()
      }
    })
    const socket = connect({ socket: wire, servername: name ?? "" })
    socket.on("error", () => socket.destroy())
    return Effect.sync(() => socket.destroy())
  })

/** The greeting with one more, empty extension, in one record. */
export const withExtension = (greeting: Uint8Array, type: number): Uint8Array => {
  const bytes = Buffer.concat([greeting, Buffer.from([type >> 8, type & 0xff, 0, 0])])
  const grow = (at: number) => bytes.writeUInt16BE(bytes.readUInt16BE(at) + 4, at)
  grow(3)
  grow(7)
  let at = 5 + 4 + 34
  at += 1 + (bytes[at] ?? 0)
  at += 2 + bytes.readUInt16BE(at)
  at += 1 + (bytes[at] ?? 0)
  grow(at)
  return bytes
}
