// A server without an SDK that tells where it runs.
import { existsSync, readFileSync } from "node:fs"
import { get } from "node:http"
import { createInterface } from "node:readline"

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] }
const definition = () => (existsSync("definition.txt") ? readFileSync("definition.txt", "utf8") : "Looks around")

const look = async ({ text }) => {
  switch (text) {
    case "secret":
      return process.env.PROBE_TOKEN ?? "none"
    case "cmdline":
      return readFileSync("/proc/self/cmdline", "utf8")
    case "inherited":
      return process.env.OPERATORS_OWN ?? "none"
    case "limit":
      return /Max open files\s+(\d+)/.exec(readFileSync("/proc/self/limits", "utf8"))[1]
    case "sandbox":
      return readFileSync("/proc/sys/kernel/hostname", "utf8").trim()
    case "proxy":
      return process.env.HTTP_PROXY ?? "none"
    default:
      if (text.startsWith("through the proxy ")) return throughProxy(text.slice("through the proxy ".length))
      return fetch(text).then(
        async (response) => `${response.status} ${await response.text()}`,
        (error) => `no network: ${error.cause?.code ?? error.cause?.message ?? error.message}`
      )
  }
}

// Programs leave localhost out of their proxies.
const throughProxy = (url) =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(process.env.HTTP_PROXY)
    get({ hostname, port, path: url, headers: { host: new URL(url).host } }, async (response) => {
      let body = ""
      for await (const piece of response) body += piece
      resolve(`${response.statusCode} ${body}`)
    })
  })

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  const serverInfo = { name: "probe", version: "1" }
  if (method === "initialize") {
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } })
  } else if (method === "tools/list") {
    const peek = { name: "peek", description: "Looks once", inputSchema: text }
    send({ id, result: { tools: [{ name: "look", description: definition(), inputSchema: text }, peek] } })
  } else if (method === "tools/call") {
    send({ id, result: { content: [{ type: "text", text: await look(params.arguments) }] } })
  }
}
