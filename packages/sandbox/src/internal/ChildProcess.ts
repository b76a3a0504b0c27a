/**
 * One child process as Effects: started in its own session and process group, read piece by piece, killed with its
 * group. A process that `sharesSession` is killed alone.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type ChildProcess as NodeChild, spawn } from "node:child_process"
import { Server, type Socket } from "node:net"
import type { Duplex, Readable, Writable } from "node:stream"
import type { MakeSocket, SocketHandle } from "./SandboxSockets.ts"

export interface Start {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The descriptor 0; default /dev/null. */
  readonly input?: "pipe"
  /** The descriptors 1 and 2, except sockets that this process reads. */
  readonly output?: readonly [stdout: number | "pipe", stderr: number | "pipe"]
  /** The descriptors from 3 on. */
  readonly descriptors?: ReadonlyArray<number | "pipe" | "ignore" | "ipc">
  /** Called with the listening socket that the child sends if `descriptors` has an "ipc". Closed with the child. */
  readonly onListener?: (server: Server) => void
  /** True if a program of the child sends fresh sockets over the "ipc" until it ends. */
  readonly makesSockets?: boolean
  /** True: the process stays in the session and the process group of this process. */
  readonly sharesSession?: boolean
  readonly user?: User
}

/** The account that a process runs as; only root can choose it. */
export interface User {
  readonly uid: number
  readonly gid: number
}

export interface ProcessEnd {
  readonly exitCode: number | null
  readonly signal: string | null
}

/** The process did not start; `code` is the error code of the system (`ENOENT`, `E2BIG` …). */
export class StartFailed extends Schema.TaggedError<StartFailed>()("StartFailed", {
  code: Schema.String,
  message: Schema.String
}) {}

export interface ChildProcess {
  readonly pid: number
  /** The input, if the process was started with one. */
  readonly stdin: Writable | null
  readonly stdout: Readable
  readonly stderr: Readable
  /** The readable end of descriptor 3, if `descriptors` begins with "pipe". */
  readonly third: Readable | null
  /** This process's end of descriptor 4, if that is a "pipe". */
  readonly fourth: Duplex | null
  /** This process's end of descriptor `watchDescriptor`, if the process was started with a watch. */
  readonly watch: Duplex | null
  /** Resolves when the process has ended; its pipes may still contain output. */
  readonly ended: Promise<ProcessEnd>
  readonly isGone: () => boolean
  /** Sends SIGKILL to the process and its group, or to the process alone if it shares this process's session. */
  readonly kill: Effect.Effect<void>
  /** Requests a socket of the child's network namespace, if it was started with `makesSockets`. */
  readonly makeSocket: MakeSocket | null
  /** Sets whether this process waits for the child and its streams before it exits; initially it does. */
  readonly setReferenced: (isReferenced: boolean) => void
  /** Closes the streams, except `watch` of a process that shares the session: that one closes when the process ends. */
  readonly release: () => void
}

/**
 * The descriptor of the socket of `OwnerWatch` in a started process. A shell can name only descriptors of one digit.
 */
export const watchDescriptor = 5
/** The descriptor of the channel over which it sends a listening socket. */
export const channelDescriptor = 6

type Sockets = readonly [Writable | null, Readable, Readable, (Readable | null)?, (Duplex | null)?, (Duplex | null)?]

/** Starts a process; fails if the system refuses. */
export const start = ({
  args,
  descriptors = [],
  input,
  makesSockets = false,
  onListener,
  output = ["pipe", "pipe"],
  program,
  sharesSession = false,
  user,
  ...where
}: Start): Effect.Effect<ChildProcess, StartFailed> =>
  Effect.try({
    try: () =>
      spawn(program, args, {
        ...where,
        ...user,
        stdio: [input ?? "ignore", ...output, ...descriptors],
        detached: !sharesSession
      }),
    catch: startFailed
  }).pipe(Effect.flatMap((child) => awaitStart(child, { onListener, makesSockets, sharesSession })))

interface Relation {
  readonly onListener: Start["onListener"]
  readonly makesSockets: boolean
  readonly sharesSession: boolean
}

const awaitStart = (
  child: NodeChild,
  { makesSockets, onListener, sharesSession }: Relation
): Effect.Effect<ChildProcess, StartFailed> =>
  Effect.callback((resume) => {
    const ended = new Promise<ProcessEnd>((resolve) => {
      child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }))
    })
    child.on("error", (error) => resume(Effect.fail(startFailed(error))))
    if (child.pid === undefined) return
    for (const stream of child.stdio) stream?.on("error", ignore)
    const [stdin, stdout, stderr, third = null, fourth = null, watch = null] = child.stdio as unknown as Sockets
    // Reads the stream, because otherwise its end would not be reported.
    watch?.resume()
    // Its number is free from now on, so the watcher must not send a signal to it.
    if (sharesSession) child.once("exit", () => watch?.end("\n", () => watch.destroy()))
    const isGone = () => child.exitCode !== null || child.signalCode !== null
    let listener: Server | null = null
    const awaited: Array<(handle: SocketHandle) => void> = []
    if (onListener !== undefined || makesSockets) {
      child.on("message", (_, handle: unknown) => {
        // Stops reading here, because programs that run later could write to it. Only the connector program keeps it
        // private.
        if (child.connected && !makesSockets) child.disconnect()
        if (isListening(handle)) {
          listener ??= handle
          if (listener === handle) onListener?.(handle)
        } else if (handle !== undefined) awaited.shift()?.(handle as SocketHandle)
      })
    }
    const makeSocket: MakeSocket = (family, onSocket) => {
      if (!child.connected) return
      awaited.push(onSocket)
      child.send(`${family}`, ignore)
    }
    const release = () => {
      for (const stream of child.stdio) if (stream !== watch || !sharesSession) stream?.destroy()
      if (child.connected) child.disconnect()
      listener?.close()
    }
    const setReferenced = (isReferenced: boolean) => {
      for (const handle of [child, ...child.stdio]) {
        if (handle === null || handle === undefined) continue
        const { ref, unref } = handle as Partial<Pick<Socket, "ref" | "unref">>
        ;(isReferenced ? ref : unref)?.call(handle as Socket)
      }
    }
    const { pid } = child
    const streams = { stdin, stdout, stderr, third, fourth, watch }
    resume(
      Effect.succeed({
        pid,
        ...streams,
        ended,
        isGone,
        kill: sharesSession ? Effect.sync(() => void child.kill("SIGKILL")) : kill(-pid),
        makeSocket: makesSockets ? makeSocket : null,
        setReferenced,
        release
      })
    )
  })

const isListening = (handle: unknown): handle is Server => handle instanceof Server

const startFailed = (cause: unknown): StartFailed => {
  const { code = "UNKNOWN", message } = cause as NodeJS.ErrnoException
  return new StartFailed({ code, message })
}

/** Ignores an error of a stream, because `next` reports it. */
export const ignore = (): void => undefined

/** Returns the next piece of a stream, null at its end. The writer waits until a piece is requested. */
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

/** Sends SIGKILL to a process, or as -pid to a whole group; does nothing if it has ended. */
export const kill = (pid: number): Effect.Effect<void> => Effect.ignore(Effect.try(() => process.kill(pid, "SIGKILL")))
