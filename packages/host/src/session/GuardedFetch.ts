/**
 * Requests to the authorization servers that an MCP server names: only https and public addresses, which is checked on
 * the connection itself. Addresses of this machine, also over plain http, are allowed only for a server that runs on
 * this machine.
 */
import type { Fetch } from "@bough/mcp/ports"
import * as Addresses from "@bough/network/Addresses"
import { lookup, type LookupAddress, type LookupAllOptions } from "node:dns"
import { type IncomingMessage, request as requestPlain } from "node:http"
import { request as requestSecure } from "node:https"
import { isIP, type LookupFunction } from "node:net"

const maxBytes = 1024 * 1024
const timeoutMillis = 20_000

/** Resolves a name to all of its addresses, as `node:dns` does. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: ReadonlyArray<LookupAddress>) => void
) => void

/** Returns the `fetch` for logins at this server. Default of `resolve`: the machine's own resolver. */
export const make = (server: URL | null, resolve: Resolve = lookup): Fetch => {
  const near = server !== null && isLoopback(server)
  return (to, init = {}) => {
    const url = new URL(to)
    const refused = refusal(url, near)
    return refused === null ? send(url, init, guardedInit(near, resolve)) : Promise.reject(new Error(refused))
  }
}

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" || Addresses.kindOf(withoutBrackets(hostname)) === "loopback"

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/gu, "")

const mayReach = (address: string, near: boolean): boolean => {
  const kind = Addresses.kindOf(address)
  return kind === "public" || (near && kind === "loopback")
}

const refusal = (url: URL, near: boolean): string | null => {
  const { hostname, origin, protocol } = url
  if (protocol !== "https:" && !(protocol === "http:" && near && isLoopback(url))) return `${origin} is not https`
  const address = withoutBrackets(hostname)
  if (isIP(address) !== 0 && !mayReach(address, near)) return `${origin} is an address of a private network`
  return hostname === "localhost" && !near ? `${origin} is this machine` : null
}

const guardedInit =
  (near: boolean, resolve: Resolve): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, "")
      const open = addresses.filter(({ address }) => mayReach(address, near))
      const [first] = open
      if (first === undefined || open.length < addresses.length) {
        return callback(new Error(`${hostname} leads to an address of a private network`), "")
      }
      return options.all === true ? callback(null, open) : callback(null, first.address, first.family)
    })

const send = (url: URL, init: RequestInit, connectTo: LookupFunction): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? requestSecure : requestPlain
    const { body } = init
    const outgoing = request(
      url,
      {
        method: init.method ?? "GET",
        headers: Object.fromEntries(new Headers(init.headers)),
        lookup: connectTo,
        // Connections are not reused: an earlier one was checked for another server, or leads to an old address of the
        // name.
        agent: false,
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMillis), ...(init.signal ? [init.signal] : [])])
      },
      (incoming) => void collect(incoming).then(resolve, reject)
    )
    outgoing.on("error", reject)
    if (body === undefined || body === null) outgoing.end()
    else if (typeof body === "string" || body instanceof URLSearchParams) outgoing.end(body.toString())
    else outgoing.destroy(new Error("only a text or URLSearchParams can be the body of a request"))
  })

/** A redirect is returned like any other answer: this module does not follow it. */
const collect = (incoming: IncomingMessage): Promise<Response> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    let length = 0
    incoming.on("data", (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBytes) incoming.destroy(new Error(`the answer has more than ${maxBytes} bytes`))
      else chunks.push(chunk)
    })
    incoming.on("error", reject)
    incoming.on("end", () => {
      const status = incoming.statusCode ?? 0
      const headers = new Headers()
      for (const [name, value] of Object.entries(incoming.headers)) {
        for (const one of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, one)
      }
      const hasBody = status !== 204 && status !== 205 && status !== 304
      resolve(new Response(hasBody ? Buffer.concat(chunks) : null, { status, headers }))
    })
  })
