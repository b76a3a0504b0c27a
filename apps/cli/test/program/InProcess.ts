/**
 * A command line of Bough's packs inside the process of the test: the code of the program from its arguments to its
 * exit code, without another start of Node. It serves tests of output and stored data; tests of processes, signals,
 * terminals or the bundle start the built program.
 */
import * as AnswerGuard from "@bough/tui/keys/AnswerGuard"
import { userInfo } from "node:os"
import { PassThrough } from "node:stream"
import * as PipeTerminal from "../../src/io/PipeTerminal.ts"
import { execute } from "../../src/main.ts"
import * as Packs from "../../src/Packs.ts"
import type { Ended, Options, TestFolder } from "./Bough.ts"

/** A command line that an author makes from custom packs. */
export type MadeProgram = Parameters<typeof execute>[2]

const ours: MadeProgram = { packs: Packs, options: {} }

/** Runs to the end; stdin is empty unless given. */
export const bough = async (
  place: TestFolder,
  args: ReadonlyArray<string>,
  options: Options = {},
  made: MadeProgram = ours
): Promise<Ended> => {
  const stdout = collect()
  const stderr = collect()
  const stdin = new PassThrough()
  stdin.end(options.stdin ?? "")
  const input = () => stdin as unknown as NodeJS.ReadStream
  const variables = { ...place.env, ...options.env }
  const { code } = await execute(
    args,
    {
      environment: {
        variables,
        platform: process.platform,
        home: variables["HOME"] ?? place.home,
        currentDirectory: options.cwd ?? place.workspace,
        user: userInfo().username
      },
      stdin: input,
      stdout: stdout.stream,
      stderr: stderr.stream,
      silence: AnswerGuard.afterReading,
      signals: () => unsignalled,
      terminal: () => PipeTerminal.make(input)
    },
    made
  )
  return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() }
}

/** Signals that never arrive. */
const unsignalled = {
  interrupt: () => {},
  duringWork: () => () => {},
  ending: () => null,
  isLeaving: () => false
}

const collect = () => {
  const chunks: Array<Buffer> = []
  const stream = new PassThrough()
  stream.on("data", (chunk: Buffer) => chunks.push(chunk))
  return {
    stream: Object.assign(stream, { isTTY: false }) as unknown as NodeJS.WriteStream,
    text: () => Buffer.concat(chunks).toString("utf8")
  }
}
