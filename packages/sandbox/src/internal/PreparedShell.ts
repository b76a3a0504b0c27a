/**
 * One shell that is started ahead, and becomes the next helper process of a caller that runs the same helper again and
 * again: forking a large process takes several milliseconds, for which the caller then does not wait. It waits
 * in the root directory with an empty environment, and ends with this process or after some idle time.
 */
import * as Effect from "effect/Effect"
import { statSync } from "node:fs"
import { type ChildProcess, start, StartFailed } from "./ChildProcess.ts"
import * as OwnerWatch from "./OwnerWatch.ts"

export interface Command {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
}

interface WaitingShell {
  readonly child: ChildProcess
  readonly expiry: NodeJS.Timeout
}

/** An unused shell is ended after this time. */
const idleMillis = 10_000

/** The delay in which the result of the previous helper is sent. */
const delayMillis = 20

let prepared: WaitingShell | null = null
let delayed: NodeJS.Timeout | undefined

/** Starts the shell, if none is waiting. A failure is ignored: the next helper is then started as usual. */
export const prepare: Effect.Effect<void> = Effect.suspend(() =>
  isWaiting()
    ? Effect.void
    : start(OwnerWatch.readingShell).pipe(
        Effect.map((child) => {
          child.setReferenced(false)
          // oxlint-disable-next-line no-restricted-globals -- a timer that no fiber waits for, and that holds no process
          const expiry = setTimeout(() => {
            if (prepared?.child === child) prepared = null
            discard(child)
          }, idleMillis)
          expiry.unref()
          if (prepared !== null) {
            clearTimeout(prepared.expiry)
            discard(prepared.child)
          }
          prepared = { child, expiry }
        }),
        Effect.ignore
      )
)

/**
 * Starts the shell after a short delay, unless one is waiting or a helper starts first: a fork while a helper runs, or
 * before its result is sent, slows both down.
 */
export const prepareSoon: Effect.Effect<void> = Effect.sync(() => {
  clearTimeout(delayed)
  if (isWaiting()) return
  // oxlint-disable-next-line no-restricted-globals -- a timer that no fiber waits for, and that holds no process
  delayed = setTimeout(() => Effect.runFork(prepare), delayMillis).unref()
})

const isWaiting = (): boolean => prepared !== null && !prepared.child.isGone()

const discard = (child: ChildProcess): void => {
  Effect.runSync(child.kill)
  child.release()
}

/** Turns the waiting shell into the program; null: no shell is waiting, or it cannot run this command. */
export const execCommand = (command: Command): Effect.Effect<ChildProcess | null, StartFailed> =>
  Effect.suspend(() => {
    clearTimeout(delayed)
    if (prepared === null || [command.program, command.cwd, ...command.args].some((text) => text.includes("\0"))) {
      return Effect.succeed(null)
    }
    const { child, expiry } = prepared
    prepared = null
    clearTimeout(expiry)
    if (child.isGone()) {
      discard(child)
      return Effect.succeed(null)
    }
    child.setReferenced(true)
    return OwnerWatch.findable({ ...command, env: {} }).pipe(
      Effect.andThen(isDirectory(command)),
      Effect.andThen(Effect.sync(() => child.stdin?.end(script(command)))),
      Effect.as(child),
      Effect.onError(() => Effect.sync(() => discard(child)))
    )
  })

/** Fails with the same error as the start of a process in a missing directory. */
const isDirectory = ({ cwd, program }: Command): Effect.Effect<void, StartFailed> =>
  Effect.suspend(() =>
    statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true
      ? Effect.void
      : Effect.fail(
          new StartFailed({ code: "ENOENT", message: `spawn ${program} ENOENT: there is no directory ${cwd}` })
        )
  )

/** Unsets the previous directory, which the shell exports. */
const script = ({ args, cwd, program }: Command): string =>
  `cd -P -- ${quote(cwd)} && unset OLDPWD && exec ${[program, ...args].map(quote).join(" ")} </dev/null ${OwnerWatch.unwatched}\n`

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
