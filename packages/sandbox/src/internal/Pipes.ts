/**
 * Pipes for the output of commands. Node connects children through sockets, and `echo … > /dev/stderr` fails on those;
 * real pipes come from unlinked FIFOs, made in pairs and reused after they were read to their end.
 */
import * as Effect from "effect/Effect"
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs"
import { Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { type ChildProcess, ignore, type Start, start as plainStart, type StartFailed } from "./ChildProcess.ts"

/** A pipe between runs: a reading end, kept open so that the pipe can be opened again. */
type ReadEnd = number

/** A pipe in use: the end of this process as a stream, and the child's end. */
interface Pipe {
  readonly readEnd: ReadEnd
  readonly stream: Readable
  readonly writer: number
}

const spare: Array<ReadEnd> = []
const maxSpare = 32

export interface PipedStart extends Start {
  /** Both streams use the first pipe, in the order of their writes. */
  readonly merged: boolean
}

/** Starts a process whose output comes through pipes, or through sockets if the system has no `mkfifo`. */
export const start = ({ merged, ...options }: PipedStart): Effect.Effect<ChildProcess, StartFailed> =>
  Effect.flatMap(pair, (pipes) => {
    if (pipes === null) return plainStart(options)
    const [stdout, stderr] = pipes
    const release = () => [stdout, stderr].forEach(releasePipe)
    return plainStart({ ...options, output: [stdout.writer, merged ? stdout.writer : stderr.writer] }).pipe(
      Effect.ensuring(Effect.sync(() => [stdout, stderr].forEach(({ writer }) => closeSync(writer)))),
      Effect.tapError(() => Effect.sync(release)),
      Effect.map((child) => ({
        ...child,
        stdout: stdout.stream,
        stderr: stderr.stream,
        release: () => [release(), child.release()]
      }))
    )
  })

/** Makes the pipes of the first command in advance, since a separate program makes them. */
export const prepare: Effect.Effect<void> = Effect.suspend(() =>
  spare.length >= 2 || !canReopen
    ? Effect.void
    : Effect.map(makePair, (readEnds) => {
        if (readEnds !== null) spare.push(...readEnds)
      })
)

/** True if an open descriptor can be reopened. */
const canReopen = process.platform === "linux"

const pair: Effect.Effect<readonly [Pipe, Pipe] | null> = Effect.suspend(() => {
  if (!canReopen) return Effect.succeed(null)

  const [first, second] = spare.length < 2 ? [] : spare.splice(-2)
  return first === undefined || second === undefined ? makePair : Effect.succeed([first, second] as const)
}).pipe(
  Effect.map((readEnds) => (readEnds === null ? null : ([openPipe(readEnds[0]), openPipe(readEnds[1])] as const)))
)

/** Stores a pipe for the next child if it is empty and has no writer; else closes it. */
const releasePipe = ({ readEnd, stream }: Pipe): void => {
  if (stream.readableEnded && spare.length < maxSpare) spare.push(readEnd)
  else closeSync(readEnd)
  stream.destroy()
}

const openPipe = (readEnd: ReadEnd): Pipe => ({ readEnd, ...openAt(`/proc/self/fd/${readEnd}`) })

/** Makes FIFOs at these paths; false: the system has no `mkfifo`. */
export const makeAt = (paths: ReadonlyArray<string>): Effect.Effect<boolean> =>
  plainStart({ program: "mkfifo", args: ["-m", "666", ...paths], cwd: "/", env: { PATH: "/usr/bin:/bin" } }).pipe(
    Effect.flatMap(({ ended }) => Effect.promise(() => ended)),
    Effect.map(({ exitCode }) => exitCode === 0),
    Effect.orElseSucceed(() => false)
  )

/** Opens both ends of the FIFO at a path. The stream ends when all writers are closed, including this one. */
export const openAt = (path: string): { readonly stream: Readable; readonly writer: number } => {
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const stream = new Socket({ fd: reader, readable: true, writable: false }).on("error", ignore)
  return { stream, writer: openSync(path, constants.O_WRONLY) }
}

const makePair: Effect.Effect<readonly [ReadEnd, ReadEnd] | null> = Effect.acquireUseRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-"))),
  (directory) => {
    const paths = [join(directory, "0"), join(directory, "1")]
    return Effect.map(makeAt(paths), (isMade) =>
      isMade ? ([openReadEnd(paths[0]), openReadEnd(paths[1])] as const) : null
    )
  },
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

const openReadEnd = (path: string): ReadEnd => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
