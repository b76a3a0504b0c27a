/** One child process as Effects: started in its own process group, read piece by piece, killed with its group. */
import { type ChildProcess as NodeChild, spawn } from "node:child_process"
import { Server } from "node:net"
import type { Duplex, Readable, Writable } from "node:stream"
import type { MakeSocket, SocketHandle } from "./SandboxSockets.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export interface Start {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Descriptor 0; default /dev/null. */
  readonly input?: "pipe"
  /** Descriptors 1 and 2, where they are not to be sockets that we read. */
  readonly output?: readonly [stdout: number | "pipe", stderr: number | "pipe"]
  /** The descriptors from 3 on. */
  readonly descriptors?: ReadonlyArray<number | "pipe" | "ignore" | "ipc">
  /** Called with the listening socket that the child hands over, where `descriptors` has an "ipc". Closed with the child. */
  readonly onListener?: (server: Server) => void
  /** True where a program of the child serves fresh sockets over the "ipc" until it ends. */
  readonly makesSockets?: boolean
  readonly user?: User
}

/** The account that a process runs as; only root can choose it. */
export interface User {
  readonly uid: number
  readonly gid: number
}

export interface Ended {
  readonly exitCode: number | null
  readonly signal: string | null
}

/** The process did not start; `code` is the system's (`ENOENT`, `E2BIG` …). */
export class StartFailed extends Schema.TaggedError<StartFailed>()("StartFailed", {
  code: Schema.String,
  message: Schema.String
}) {}

export interface ChildProcess {
  readonly pid: number
  /** Where it was started with an `input`. */
  readonly stdin: Writable | null
  readonly stdout: Readable
  readonly stderr: Readable
  /** The readable end of descriptor 3, where `descriptors` begins with "pipe". */
  readonly third: Readable | null
  /** Our end of descriptor 4, where `descriptors` has a "pipe" there. */
  readonly fourth: Duplex | null
  /** Our end of descriptor `watchDescriptor`, where the process was started with a watch. */
  readonly watch: Duplex | null
  /** Resolves when the process is gone; its pipes may still hold output. */
  readonly ended: Promise<Ended>
  readonly isGone: () => boolean
  /** Asks the child for a socket of its network namespace, where it was started with `makesSockets`. */
  readonly makeSocket: MakeSocket | null
  /** Lets go of the streams. */
  readonly release: () => void
}

/** Where a started process finds the socket of `OwnerWatch`. A shell can name descriptors of one digit only. */
export const watchDescriptor = 5
/** Where it finds the channel through which it hands a listening socket over. */
export const channelDescriptor = 6

type Sockets = readonly [Writable | null, Readable, Readable, (Readable | null)?, (Duplex | null)?, (Duplex | null)?]

/** Starts a process; fails where the system refuses. */
export const start = ({
  args,
  descriptors = [],
  input,
  makesSockets = false,
  onListener,
  output = ["pipe", "pipe"],
  program,
  user,
  ...where
}: Start): Effect.Effect<ChildProcess, StartFailed> =>
  Effect.try({
    try: () =>
      spawn(program, args, {
        ...where,
        ...user,
        stdio: [input ?? "ignore", ...output, ...descriptors],
        detached: true
      }),
    catch: startFailed
  }).pipe(Effect.flatMap((child) => started(child, { onListener, makesSockets })))

const started = (
  child: NodeChild,
  { makesSockets, onListener }: { readonly makesSockets: boolean; readonly onListener: Start["onListener"] }
): Effect.Effect<ChildProcess, StartFailed> =>
  Effect.callback((resume) => {
    const ended = new Promise<Ended>((resolve) => {
      child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }))
    })
    child.on("error", (error) => resume(Effect.fail(startFailed(error))))
    if (child.pid === undefined) return
    for (const stream of child.stdio) stream?.on("error", ignore)
    const [stdin, stdout, stderr, third = null, fourth = null, watch = null] = child.stdio as unknown as Sockets
    // So that its end is seen.
    watch?.resume()
    const isGone = () => child.exitCode !== null || child.signalCode !== null
    let listener: Server | null = null
    const awaited: Array<(handle: SocketHandle) => void> = []
    if (onListener !== undefined || makesSockets) {
      child.on("message", (_, handle: unknown) => {
        // Nothing further is read from it, because programs that run later could write to it. The connector program keeps
        // it for itself.
        if (child.connected && !makesSockets) child.disconnect()
        if (isListening(handle)) {
          listener ??= handle
          if (listener === handle) onListener?.(handle)
        } else if (handle !== undefined) awaited.shift()?.(handle as SocketHandle)
      })
    }
    const makeSocket: MakeSocket = (family, made) => {
      if (!child.connected) return
      awaited.push(made)
      child.send(`${family}`, ignore)
    }
    const release = () => {
      for (const stream of child.stdio) stream?.destroy()
      if (child.connected) child.disconnect()
      listener?.close()
    }
    const { pid } = child
    const streams = { stdin, stdout, stderr, third, fourth, watch }
    resume(Effect.succeed({ pid, ...streams, ended, isGone, makeSocket: makesSockets ? makeSocket : null, release }))
  })

const isListening = (handle: unknown): handle is Server => handle instanceof Server

const startFailed = (cause: unknown): StartFailed => {
  const { code = "UNKNOWN", message } = cause as NodeJS.ErrnoException
  return new StartFailed({ code, message })
}

/** A stream that breaks ends: `next` says so. */
export const ignore = (): void => undefined

/** Returns the next piece of a stream, null at its end. The writer waits until a piece is asked for. */
export const next = (stream: Readable): Effect.Effect<Uint8Array | null> =>
  Effect.callback((resume) => {
    const settle = () => {
      const piece: Uint8Array | null = stream.read()
      if (piece === null && !stream.readableEnded && !stream.destroyed) return
      release()
      resume(Effect.succeed(piece))
    }
    const release = () => {
      for (const event of ["readable", "end", "close", "error"]) stream.off(event, settle)
    }
    for (const event of ["readable", "end", "close", "error"]) stream.on(event, settle)
    settle()
    return Effect.sync(release)
  })

/** Sends SIGKILL to a process, or to a whole group as -pid; nothing happens when it is gone. */
export const kill = (pid: number): Effect.Effect<void> => Effect.ignore(Effect.try(() => process.kill(pid, "SIGKILL")))
