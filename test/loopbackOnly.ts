/** No test reaches beyond this machine: a connection to anything but loopback or a socket file fails at once. */
import { Socket } from "node:net"

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/i

// Every way to open a connection (fetch, http, tls) ends in this method; its first argument is normalised beforehand.
const prototype = Socket.prototype as unknown as { connect: Connect }
type Connect = (this: Socket, ...args: Array<unknown>) => Socket

const guarded = (connect: Connect): Connect =>
  function (...args) {
    const first = Array.isArray(args[0]) ? args[0][0] : args[0]
    const host = typeof first === "object" && first !== null ? Reflect.get(first, "host") : args[1]
    const path = typeof first === "object" && first !== null ? Reflect.get(first, "path") : undefined
    if (path === undefined && typeof host === "string" && !loopback.test(host)) {
      throw new Error(`a test tried to reach ${host}: only loopback is allowed`)
    }
    return connect.apply(this, args)
  }

// This runs for every file, in a process that may have run others.
const known = Symbol.for("@bough/test/loopbackOnly")
if (!Reflect.has(prototype, known)) {
  Reflect.set(prototype, known, true)
  prototype.connect = guarded(prototype.connect)
}
