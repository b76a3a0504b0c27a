// A language server that misbehaves as its first argument says.
import { appendFileSync } from "node:fs"

const [, , manner, log] = process.argv
const send = (message) => {
  const text = JSON.stringify({ jsonrpc: "2.0", ...message })
  process.stdout.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
}
const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } }
const inside = (params) => ({ uri: params.textDocument.uri, range })

if (manner === "refuses") {
  process.stderr.write("no licence for \u001b[31mthis\u001b[0m machine\n")
  process.exit(3)
}

/** Messages that cost a client memory if it keeps them. */
const notifications = ["$/progress", "window/logMessage", "$/cancelRequest", "telemetry/event"]
  .map((method, id) => JSON.stringify({ jsonrpc: "2.0", method, params: { id, token: method } }))
  .map((text) => `Content-Length: ${text.length}\r\n\r\n${text}`)
  .join("")

let rest = () => {}
const replies = {
  initialize: () => ({ capabilities: manner === "pushes" ? {} : { diagnosticProvider: {} } }),
  "textDocument/diagnostic": () => ({ kind: "full", items: [] }),
  "textDocument/definition": (params) => [
    inside(params),
    { uri: "file:///etc/passwd", range },
    { uri: `${params.textDocument.uri}/../../../../etc/passwd`, range },
    { uri: "file://elsewhere/share/a.txt", range },
    { uri: "https://elsewhere.example/a.txt", range },
    { uri: "file:///%00", range },
    { uri: "not a uri", range },
    { uri: params.textDocument.uri, range: { start: { line: -1, character: 0 }, end: { line: 1e99, character: "x" } } },
    null,
    "text"
  ],
  "textDocument/references": (params) => Array.from({ length: 5000 }, () => inside(params)),
  "textDocument/hover": () => ({
    contents: { kind: "plaintext", value: `\u001b]0;title\u0007seen${"x".repeat(100_000)}` }
  }),
  "textDocument/documentSymbol": () => {
    rest()
    rest = () => {}
    let symbol = { name: "deepest", kind: 12, range, selectionRange: range }
    for (let depth = 0; depth < 500; depth += 1)
      symbol = { name: `s${depth}`, kind: 99, range, selectionRange: range, children: [symbol] }
    return [symbol, { name: 7 }]
  },
  "textDocument/rename": (params) => {
    const edit = { range, newText: params.newName }
    if (params.newName === "outside")
      return { changes: { [params.textDocument.uri]: [edit], "file:///etc/passwd": [edit] } }
    if (params.newName === "overlap") return { changes: { [params.textDocument.uri]: [edit, edit] } }
    if (params.newName === "moves")
      return { documentChanges: [{ kind: "rename", oldUri: "file:///a", newUri: "file:///b" }] }
    return null
  }
}

const handle = (message) => {
  if (log !== undefined && log !== "") appendFileSync(log, `${JSON.stringify(message)}\n`)
  if (message.method === "initialized") {
    if (manner === "noise") process.stdout.write("loading\n".repeat(1000))
    if (manner === "huge") process.stdout.write("Content-Length: 99999999999\r\n\r\n{")
    if (manner === "floods") {
      // As much as the pipe takes, until the process ends.
      const piece = notifications.repeat(500)
      const more = () => process.stdout.write(piece, () => setImmediate(more))
      more()
    }
    if (manner === "wrong") {
      for (const text of ["null", "5", '"x"', "[]", "[{}]"])
        process.stdout.write(`Content-Length: ${text.length}\r\n\r\n${text}`)
      for (const wrong of [{}, { id: null }, { id: "1" }, { id: 999, result: 1 }, { method: 5 }]) send(wrong)
      send({ id: {}, method: "workspace/configuration", params: { items: 7 } })
      send({ id: 7, method: "__proto__" })
      send({ id: 8, method: "constructor" })
      send({ method: "textDocument/publishDiagnostics", params: null })
    }
    if (manner === "asks") {
      send({
        id: "a",
        method: "workspace/configuration",
        params: { items: [{ section: "python.analysis" }, { section: "__proto__" }] }
      })
      send({ id: "b", method: "workspace/applyEdit", params: { edit: {} } })
      send({ id: "c", method: "no/such", params: {} })
      send({ method: "textDocument/publishDiagnostics", params: { uri: "file:///etc/passwd", diagnostics: [{}] } })
      process.stdout.write("Content-Length: 3\r\n\r\n{{{")
    }
  }
  if (manner === "pushes" && /did(Open|Change)$/u.test(message.method)) {
    const { uri, version } = message.params.textDocument
    const problem = { range, severity: 1, code: 1, message: `problem of version ${version}` }
    const publish = (of, diagnostics) =>
      send({ method: "textDocument/publishDiagnostics", params: { uri, version: of, diagnostics } })
    publish(version - 1, [{ ...problem, message: "stale" }])
    publish(version, [])
    // The rest is computed before anything else is answered.
    rest = () => publish(version, [problem])
  }
  if (manner === "dies" && message.method?.startsWith("textDocument/hover")) process.exit(7)
  const reply = replies[message.method]
  if (manner === "wrong" && message.id !== undefined) {
    // The answer of another request, the same answer as text, then the answer, twice.
    for (const id of [message.id + 1, String(message.id)]) send({ id, result: { contents: "another" } })
    send({ id: message.id, result: reply?.(message.params) })
    send({ id: message.id, result: { contents: "again" } })
    return
  }
  if (message.id !== undefined && reply !== undefined) send({ id: message.id, result: reply(message.params) })
}

let buffer = Buffer.alloc(0)
process.stdin.on("data", (data) => {
  buffer = Buffer.concat([buffer, data])
  while (true) {
    const end = buffer.indexOf("\r\n\r\n")
    if (end === -1) return
    const length = Number(/content-length: (\d+)/iu.exec(buffer.toString("latin1", 0, end))?.[1])
    if (buffer.length < end + 4 + length) return
    const text = buffer.toString("utf8", end + 4, end + 4 + length)
    buffer = buffer.subarray(end + 4 + length)
    handle(JSON.parse(text))
  }
})
process.stdin.on("end", () => process.exit(0))
