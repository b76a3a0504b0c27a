/** An editor that has started `bough acp`: it sends requests, collects updates, and answers requests for permission. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { binary, type TestFolder } from "./Bough.ts"

type Fields = Readonly<Record<string, unknown>>

export interface Update extends Fields {
  readonly sessionUpdate: string
}

export interface Permission {
  readonly toolCall: Fields
  readonly options: ReadonlyArray<{ readonly optionId: string; readonly kind: string; readonly name: string }>
}

export interface Editor {
  /** Rejects with the message of an error. */
  readonly request: (method: string, params: Fields) => Promise<Fields>
  readonly notify: (method: string, params: Fields) => void
  readonly updates: ReadonlyArray<Update>
  readonly permissions: ReadonlyArray<Permission>
  /** The text of all updates of a kind. */
  readonly textOf: (sessionUpdate: string) => string
  /** Waits until an update fits. */
  readonly shows: (fits: (update: Update) => boolean) => Promise<void>
  /** Writes a line as it is. */
  readonly write: (line: string) => void
  readonly lines: ReadonlyArray<string>
}

export interface EditorOptions {
  readonly env: Readonly<Record<string, string>>
  /** The option that the user chooses; null: the request is cancelled. */
  readonly choose?: (permission: Permission) => string | null
}

interface Incoming extends Fields {
  readonly id?: number
  readonly method?: string
  readonly params?: Fields
  readonly result?: Fields
  readonly error?: { readonly message: string }
}

export const withEditor = async <A>(
  place: TestFolder,
  { choose = () => "allow", env }: EditorOptions,
  use: (editor: Editor) => Promise<A>
): Promise<A> => {
  const child = spawn(process.execPath, [binary, "acp"], {
    cwd: place.root,
    env: { ...place.env, ...env },
    stdio: ["pipe", "pipe", "inherit"]
  })
  const closed = new Promise<number | null>((resolve) => void child.once("close", resolve))
  const waiting = new Map<number, PromiseWithResolvers<Fields>>()
  const updates: Array<Update> = []
  const permissions: Array<Permission> = []
  const lines: Array<string> = []
  let last = 0
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const receive = ({ error, id, method, params, result }: Incoming): void => {
    if (method === "session/update") return void updates.push(params?.["update"] as Update)
    if (method === "session/request_permission") {
      const permission = params as unknown as Permission
      permissions.push(permission)
      const optionId = choose(permission)
      const outcome = optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId }
      return send({ id, result: { outcome } })
    }
    const asked = id === undefined ? undefined : waiting.get(id)
    if (error === undefined) asked?.resolve(result ?? {})
    else asked?.reject(new Error(error.message))
  }
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line)
    receive(JSON.parse(line) as Incoming)
  })
  const textOf = (kind: string): string =>
    updates
      .filter(({ sessionUpdate }) => sessionUpdate === kind)
      .map(({ content }) => (content as { readonly text: string }).text)
      .join("")
  try {
    return await use({
      updates,
      permissions,
      lines,
      textOf,
      write: (line) => void child.stdin.write(`${line}\n`),
      notify: (method, params) => send({ method, params }),
      request: (method, params) => {
        const id = ++last
        const asked = Promise.withResolvers<Fields>()
        waiting.set(id, asked)
        send({ id, method, params })
        return asked.promise
      },
      shows: async (fits) => {
        while (!updates.some(fits)) await sleep(10)
      }
    })
  } finally {
    child.stdin.end()
    await closed
  }
}
