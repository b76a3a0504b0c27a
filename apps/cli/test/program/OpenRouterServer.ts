/** OpenRouter on loopback as its documentation describes it: the page, the exchange of its code for a key, the API. */
import { createHash } from "node:crypto"
import * as http from "node:http"
import type { AddressInfo } from "node:net"

export interface OpenRouterServer {
  readonly env: Readonly<Record<string, string>>
  /** The authorization headers of requests to the model. */
  readonly authorizations: ReadonlyArray<string | undefined>
}

export const routedKey = "sk-or-v1-of-the-account-0815"

const chunk = (content: string): string =>
  `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`

const answer =
  chunk("Hello from the router") +
  `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`

export const withOpenRouter = async (use: (server: OpenRouterServer) => Promise<void>): Promise<void> => {
  const challenges = new Map<string, string>()
  const authorizations: Array<string | undefined> = []
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1")
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      if (url.pathname === "/auth") {
        const code = `code-${challenges.size}`
        challenges.set(code, url.searchParams.get("code_challenge") ?? "")
        const back = new URL(url.searchParams.get("callback_url") ?? "")
        back.searchParams.set("code", code)
        return response.writeHead(302, { location: back.href }).end()
      }
      const body = Buffer.concat(parts).toString("utf8")
      if (url.pathname === "/api/v1/auth/keys") {
        const { code, code_challenge_method: method, code_verifier: verifier } = JSON.parse(body)
        const isRight = createHash("sha256").update(verifier).digest("base64url") === challenges.get(code)
        challenges.delete(code)
        return isRight && method === "S256"
          ? response.end(JSON.stringify({ key: routedKey, user_id: "ada" }))
          : response.writeHead(403).end("{}")
      }
      authorizations.push(request.headers.authorization)
      response.writeHead(200, { "content-type": "text/event-stream" }).end(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    const { port } = server.address() as AddressInfo
    await use({ env: { OPENROUTER_BASE_URL: `http://127.0.0.1:${port}/api/v1` }, authorizations })
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
