/**
 * The smallest server that does the work of the gateway's streams: node:http that writes the same server-sent events at
 * the same times. `GET /?count=N&millis=M` sends N events, each with the time at which it was due, and ends.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as GatewayModel from "../gateway/GatewayModel.ts"
import * as Questions from "../gateway/Questions.ts"

/** `frame` is one of the gateway's, in which `text` is replaced. */
const { frame } = JSON.parse(process.argv[2]) as { readonly frame: { readonly text: string } }
const [before, after] = JSON.stringify({ ...frame, text: "TEXT" }).split("TEXT")

const server = createServer((request, response) => {
  const query = new URL(request.url ?? "/", "http://localhost").searchParams
  const [count, millis] = [Number(query.get("count")), Number(query.get("millis"))]
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" })
  response.write("retry: 1000\n\n")
  const startMillis = GatewayModel.nowMillis() + Math.random() * millis
  let index = 0
  const send = (): void => {
    const dueMillis = startMillis + index * millis
    response.write(`data: ${before}[${index}:${dueMillis.toFixed(2)}]${after}\n\n`)
    index += 1
    if (index === count) response.end()
    else setTimeout(send, Math.max(0, startMillis + index * millis - GatewayModel.nowMillis()))
  }
  setTimeout(send, Math.max(0, startMillis - GatewayModel.nowMillis()))
})

server.listen(0, "127.0.0.1", () => {
  Questions.serve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})
process.once("SIGTERM", () => process.exit(0))
