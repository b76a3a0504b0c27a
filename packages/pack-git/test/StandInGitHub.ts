/**
 * A stand-in for the API of GitHub, over TLS on loopback. A proxy leads the connections of a program to it, by the names
 * of the hosts, so that the program is told nothing but its user's variables.
 */
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { type AddressInfo, connect, type Server, type Socket } from "node:net"
import * as path from "node:path"
import { text } from "node:stream/consumers"

export interface Received {
  readonly host: string
  readonly method: string
  readonly path: string
  readonly authorization: string
  readonly body: unknown
}

export interface Reply {
  readonly status: number
  readonly body: unknown
}

/** Makes a certificate for the hosts, which its own file proves; returns the files of both parts. */
const certify = (
  folder: string,
  hosts: ReadonlyArray<string>
): { readonly certificate: string; readonly key: string } => {
  const [certificate, key] = [path.join(folder, "certificate.pem"), path.join(folder, "key.pem")]
  const names = hosts.map((host) => `DNS:${host}`).join(",")
  const request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
  const files = ["-keyout", key, "-out", certificate]
  const { status, stderr } = spawnSync(
    "openssl",
    [...request, "-subj", "/CN=stand-in", "-addext", `subjectAltName=${names}`, ...files],
    { encoding: "utf8" }
  )
  if (status !== 0) throw new Error(`openssl: ${stderr}`)
  return { certificate, key }
}

const listening = (server: Server): Effect.Effect<number> =>
  Effect.callback((resume) => {
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
  })

/** Closes the server and its connections, those of CONNECT included. */
const closingWithAll = (server: Server): Effect.Effect<void> => {
  const sockets = new Set<Socket>()
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
  })
  return Effect.callback((resume) => {
    server.close(() => resume(Effect.void))
    for (const socket of sockets) socket.destroy()
  })
}

/** Serves until the scope closes. `reply` answers each request. */
export const serve = Effect.fnUntraced(function* (
  folder: string,
  hosts: ReadonlyArray<string>,
  reply: (received: Received) => Reply
) {
  const { certificate, key } = certify(folder, hosts)
  const received: Array<Received> = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, method = "", url = "" } = request
    const sent = await text(request)
    const one: Received = {
      host: headers.host ?? "",
      method,
      path: url,
      authorization: headers.authorization ?? "",
      body: sent === "" ? null : JSON.parse(sent)
    }
    received.push(one)
    const { body, status } = reply(one)
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", connection: "close" })
    response.end(JSON.stringify(body))
  }
  const secure = createSecureServer(
    { cert: fs.readFileSync(certificate), key: fs.readFileSync(key) },
    (request, response) => void answer(request, response)
  )
  const port = yield* listening(secure)
  const closeSecure = closingWithAll(secure)
  yield* Effect.addFinalizer(() => closeSecure)
  const proxy = createServer((_, response) => response.writeHead(405).end())
  proxy.on("connect", ({ url = "" }: IncomingMessage, socket: Socket) => {
    if (!hosts.some((host) => url === `${host}:443`)) return void socket.destroy()
    const onward = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n")
      socket.pipe(onward).pipe(socket)
    })
    for (const end of [socket, onward]) end.on("error", () => [socket, onward].forEach((one) => one.destroy()))
  })
  const proxyPort = yield* listening(proxy)
  const closeProxy = closingWithAll(proxy)
  yield* Effect.addFinalizer(() => closeProxy)
  return {
    received,
    /** The variables of a user behind the proxy, who trusts the certificate. */
    variables: { HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`, SSL_CERT_FILE: certificate }
  }
})
