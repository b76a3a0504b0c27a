/**
 * Starts processes that end when their owner ends, for any reason. The kernel's own parent-death signal is not enough:
 * the child has to request it, perhaps long after its start, and only the child gets it.
 *
 * A process is started by a shell that forks a watcher into its group before it becomes the program. The watcher waits
 * for the end of a socket whose other end only the owner has, and then kills the group, including itself. The watcher
 * of a process that shares the owner's session kills that process alone, unless the owner wrote that it has ended.
 */
import * as Effect from "effect/Effect"
import { delimiter, join, resolve } from "node:path"
import { channelDescriptor, type ChildProcess, kill, type Start, StartFailed, watchDescriptor } from "./ChildProcess.ts"
import * as Disk from "./Disk.ts"

// The watcher keeps no stream of the program open, so that the streams end with the program.
const watching = (action: string): string =>
  `{ ${action}; } <&${watchDescriptor} ${watchDescriptor}>&- 3>&- 4>&- ${channelDescriptor}>&- >/dev/null 2>&1 &`
const watcher = watching("read -r _; kill -9 0")
/** The redirection that closes the owner's socket for the program. */
export const unwatched = `${watchDescriptor}>&-`
/**
 * Makes the kernel end a started program rather than its owner when memory runs out. The shell does it, because the
 * program's own children, which it may start at once, inherit the value only if it is set before.
 */
const expendable = "{ echo 500 >/proc/self/oom_score_adj; } 2>/dev/null;"
const become = `${expendable} exec "$@" ${unwatched}`

const shell = (script: string, { args, descriptors = [], program, ...rest }: Start): Start => ({
  ...rest,
  program: "/bin/sh",
  args: ["-c", script, "sh", program, ...args],
  descriptors: withWatchPipe(descriptors)
})

const withWatchPipe = (descriptors: NonNullable<Start["descriptors"]>): NonNullable<Start["descriptors"]> => {
  const places = [...descriptors]
  while (places.length < watchDescriptor - 3) places.push("ignore")
  places[watchDescriptor - 3] = "pipe"
  return places
}

/**
 * Makes a start command whose watcher is a child of the program, for programs that only wait for children that they
 * started.
 */
export const asChild = (start: Start): Start => shell(`${watcher} ${become}`, start)

/**
 * Makes a start command whose watcher is an orphan, for programs that wait for all their children.
 */
export const asOrphan = (start: Start): Effect.Effect<Start, StartFailed> =>
  Effect.as(findable(start), shell(`(${watcher}); ${become}`, start))

// A terminal and a supervisor send these signals to the owner's whole group, and the owner decides what ends.
const guest = `trap '' HUP INT QUIT TERM TSTP; (${watching("read -r _ || kill -9 $$")});`

/**
 * Makes a start command for a program that starts no process and opens no terminal. It stays in the owner's session,
 * because Linux divides the processors among sessions: a process in a new session is served later than its owner.
 */
export const inSession = (start: Start): Effect.Effect<Start, StartFailed> =>
  Effect.as(findable(start), { ...shell(`${guest} ${become}`, start), sharesSession: true })

/** The start of a shell that reads its commands from its input, with a watcher as `inSession` makes it. */
export const readingShell: Start = {
  program: "/bin/sh",
  args: ["-c", `${guest} exec /bin/sh -s`],
  sharesSession: true,
  cwd: "/",
  env: {},
  input: "pipe",
  descriptors: withWatchPipe([])
}

/**
 * Checks that the program exists: a shell would report a missing program by an exit code that programs also use for
 * other purposes.
 */
export const findable = Effect.fnUntraced(function* ({
  cwd,
  env,
  program
}: Pick<Start, "cwd" | "env" | "program">): Effect.fn.Return<void, StartFailed> {
  const candidates = program.includes("/")
    ? [resolve(cwd, program)]
    : (env["PATH"] ?? "/usr/bin:/bin").split(delimiter).map((directory) => join(resolve(cwd, directory), program))
  let code = "ENOENT"
  for (const path of candidates) {
    const found = yield* Disk.executability(path)
    if (found === null) return
    if (found === "EACCES") code = found
  }
  return yield* new StartFailed({ code, message: `spawn ${program} ${code}` })
})

const isOver = ({ watch }: ChildProcess): boolean => watch === null || watch.readableEnded || watch.destroyed

/** Ends the watcher as soon as the process has ended, for a process that leaves no other process in its group. */
export const endWith = (child: ChildProcess): void =>
  void child.ended.then(() => (isOver(child) ? undefined : Effect.runSync(kill(-child.pid))))

/** Ends the watcher and the rest of the group. As long as the watcher exists, the group's number cannot be reused. */
export const dismiss = (child: ChildProcess): Effect.Effect<void> => {
  const { pid, watch } = child
  return watch === null || isOver(child)
    ? Effect.void
    : Effect.andThen(
        kill(-pid),
        Effect.callback<void>((resume) => {
          const done = () => resume(Effect.void)
          watch.once("close", done)
          return Effect.sync(() => watch.off("close", done))
        })
      ).pipe(Effect.timeoutOrElse({ duration: dismissMillis, orElse: () => Effect.void }))
}

const dismissMillis = 1000
