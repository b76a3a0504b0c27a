/** Any provider's server on this machine: one answer to every request, with the time at which each request arrived. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface DialectServer {
  readonly origin: string
  /**
   * Sets the answer to later requests. Their times on the clock of `performance.now()` are added to the returned list.
   */
  readonly play: (contentType: string, answer: Buffer) => ReadonlyArray<number>
  readonly close: () => void
}

export const open = async (): Promise<DialectServer> => {
  let played: { readonly contentType: string; readonly answer: Buffer; readonly arrivals: Array<number> } | null = null
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    played?.arrivals.push(performance.now())
    request.resume()
    request.on("end", () => {
      response.writeHead(200, { "content-type": played?.contentType ?? "text/plain" })
      response.end(played?.answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    play: (contentType, answer) => {
      played = { contentType, answer, arrivals: [] }
      return played.arrivals
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
