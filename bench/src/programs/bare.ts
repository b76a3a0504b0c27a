/**
 * The smallest program that does the measured work: opens the database, sends the request, does what the answer asks
 * for with Node's own functions, sends the next one. Keeps no journal, checks no permission, confines nothing.
 * Arguments: the database, the port, a file with the first request's body, the folder to work in.
 */
import { readFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"

const [databaseFile, port, bodyFile, folder] = process.argv.slice(2)

const database = new DatabaseSync(databaseFile)
database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
const { sessions } = database.prepare("SELECT count(*) AS sessions FROM sessions").get() as {
  readonly sessions: number
}
if (sessions < 1) throw new Error("this is not the database that is measured")

const agent = new Agent({ keepAlive: true })
const headers = { "content-type": "application/json", authorization: "Bearer none" }

const post = (body: string | Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { agent, headers, host: "127.0.0.1", method: "POST", path: "/v1/chat/completions", port }
    const sent = request(options, (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (chunk: string) => (text += chunk))
      response.on("end", () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))))
    })
    sent.on("error", reject)
    sent.end(body)
  })

interface Call {
  id: string
  type: "function"
  function: { name: string; arguments: string }
}

interface Delta {
  readonly content?: string
  readonly tool_calls?: ReadonlyArray<Partial<Call> & { readonly index: number }>
}

const parse = (events: string): { readonly text: string; readonly calls: ReadonlyArray<Call> } => {
  let text = ""
  const calls: Array<Call> = []
  for (const line of events.split("\n\n")) {
    if (!line.startsWith("data: {")) continue
    const event = JSON.parse(line.slice(6)) as { readonly choices: ReadonlyArray<{ readonly delta: Delta }> }
    const delta: Delta = event.choices[0]?.delta ?? {}
    text += delta.content ?? ""
    for (const { index, ...part } of delta.tool_calls ?? []) {
      const call = calls[index]
      if (call === undefined) calls[index] = part as Call
      else call.function.arguments += part.function?.arguments ?? ""
    }
  }
  return { text, calls }
}

const run = async (argv: ReadonlyArray<string>): Promise<string> => {
  const { spawn } = await import("node:child_process")
  const child = spawn(argv[0], argv.slice(1), { cwd: folder, stdio: ["ignore", "pipe", "pipe"] })
  let stdout = ""
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk))
  const exitCode = await new Promise((resolve) => child.on("close", resolve))
  return JSON.stringify({ exitCode, stdout })
}

const perform = async ({ function: { arguments: text, name } }: Call): Promise<string> => {
  const parameters = JSON.parse(text) as { readonly path: string; readonly argv: ReadonlyArray<string> }
  return name === "read_file"
    ? JSON.stringify({ text: readFileSync(join(folder, parameters.path), "utf8") })
    : run(parameters.argv)
}

const first = readFileSync(bodyFile)
let answer = parse(await post(first))
if (answer.calls.length > 0) {
  const body = JSON.parse(first.toString()) as { readonly messages: Array<unknown> }
  while (answer.calls.length > 0) {
    const { calls } = answer
    body.messages.push({ role: "assistant", content: "", tool_calls: calls })
    for (const call of calls) body.messages.push({ role: "tool", tool_call_id: call.id, content: await perform(call) })
    answer = parse(await post(JSON.stringify(body)))
  }
}
process.stdout.write(`${answer.text}\n`)
agent.destroy()
database.close()
