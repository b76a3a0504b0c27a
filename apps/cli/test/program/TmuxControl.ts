/**
 * A client of tmux in control mode: it is notified of all output of the terminal, and queries without a process for
 * each query.
 */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"

export interface Control {
  /** The output of a command, line by line. */
  readonly ask: (command: string) => Promise<ReadonlyArray<string>>
  /** The next output of the terminal, or its end; after two seconds in any case. */
  readonly written: () => Promise<void>
}

/** tmux now and then does not report an output of a program that ends at once: it is looked for after this time. */
const unreportedMillis = 2000

interface Question {
  readonly answer: (lines: ReadonlyArray<string>) => void
  readonly fail: (error: Error) => void
}

/** `%begin`, `%end` or `%error` with a time, the command's number, and 1 for a command of this client. */
const boundary = /^%(begin|end|error) \d+ (\d+) (\d)$/

/** A client of the server at `socket`, which it ends when it closes. */
export const attach = (socket: string): Control => {
  const client = spawn("tmux", ["-L", socket, "-C", "attach-session"], { stdio: ["pipe", "pipe", "ignore"] })
  const questions: Array<Question> = []
  let isOver = false
  let waiting = Promise.withResolvers<void>()
  const wake = (): void => {
    waiting.resolve()
    waiting = Promise.withResolvers()
  }
  let block: { readonly number: string; readonly lines: Array<string> } | null = null
  createInterface({ input: client.stdout, crlfDelay: Infinity }).on("line", (line) => {
    const [, kind, number, isOwn] = boundary.exec(line) ?? []
    if (block === null) {
      if (kind === "begin") block = { number, lines: [] }
      else if (line.startsWith("%output ")) wake()
    } else if (number === block.number && kind !== "begin") {
      const { lines } = block
      block = null
      if (isOwn !== "1") return
      const question = questions.shift()
      if (kind === "end") question?.answer(lines)
      else question?.fail(new Error(`tmux: ${lines.join("\n")}`))
    } else {
      block.lines.push(line)
    }
  })
  const end = (): void => {
    isOver = true
    for (const { fail } of questions.splice(0)) fail(new Error("the terminal has been closed"))
    wake()
  }
  client.on("close", end)
  client.on("error", end)
  client.stdin.on("error", () => {})
  return {
    ask: (command) =>
      new Promise((answer, fail) => {
        if (isOver) return fail(new Error("the terminal has been closed"))
        questions.push({ answer, fail })
        client.stdin.write(`${command}\n`)
      }),
    written: () => (isOver ? Promise.resolve() : Promise.race([waiting.promise, sleep(unreportedMillis)]))
  }
}
