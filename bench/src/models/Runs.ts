/**
 * The built command with a provider's server: the time until it sends a request, and the memory of a conversation with
 * the server.
 */
import { setTimeout as sleep } from "node:timers/promises"
import * as Bough from "../Bough.ts"
import { check } from "../Check.ts"
import * as Memory from "../Memory.ts"
import * as ProgramRun from "../ProgramRun.ts"
import * as TerminalRun from "../TerminalRun.ts"
import { inPieces, piece } from "./Answer.ts"
import type { DialectServer } from "./DialectServer.ts"
import { dialectOf, key, type Name } from "./Providers.ts"

const idleMillis = 1000
const prompt = "›"
const controlD = "\u0004"

export interface Runs {
  /** Measures the time from before the process was started to its request, whose answer must be printed. */
  readonly startMillis: () => Promise<number>
  /** Measures the memory a second after one question and its answer. */
  readonly waiting: () => Promise<Memory.Memory>
}

/** `folder` is for this provider only. */
export const make = (server: DialectServer, name: Name, folder: string): Runs => {
  const dialect = dialectOf(name)
  const bough = Bough.make(folder, { model: dialect.model, variables: dialect.environment(server.origin, key) })
  const play = () => server.play(dialect.contentType, inPieces(dialect, 1))
  return {
    startMillis: async () => {
      const arrivals = play()
      const run = ProgramRun.start(bough.run("hi"), false)
      const { stdout } = ProgramRun.requireSuccess(await run.ended)
      check(stdout.trim() === piece.trim(), `it printed ${JSON.stringify(stdout.slice(0, 500))}`)
      check(arrivals.length === 1, `${arrivals.length} requests came`)
      return arrivals[0] - run.startedAtMillis
    },
    waiting: async () => {
      play()
      const run = TerminalRun.start(bough.converse())
      await run.shows(prompt)
      const answered = run.shows(piece.trim())
      run.press("hi\r")
      await answered
      await sleep(idleMillis)
      const memory = Memory.read(run.pid())
      run.press(controlD)
      await run.ended
      check(memory !== null, "this system does not tell what memory a process holds")
      return memory
    }
  }
}
