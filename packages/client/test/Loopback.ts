/** A server on loopback that answers as a test says, and records its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface ReceivedRequest {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

export type Respond = (request: ReceivedRequest, response: ServerResponse, index: number) => void

/** Serves while `use` runs. */
export const withServer = async <A>(
  respond: Respond,
  use: (baseUrl: string, asked: ReadonlyArray<ReceivedRequest>) => Promise<A>
): Promise<A> => {
  const all: Array<ReceivedRequest> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const received = {
        method: request.method ?? "",
        url: new URL(request.url ?? "", "http://loopback"),
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8")
      }
      respond(received, response, all.push(received) - 1)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, all)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

export const json = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(JSON.stringify(body))
}
