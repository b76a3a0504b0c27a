/** The resources that one command may use, and the script that sets them in a shell. Null: no limit. */
import * as Schema from "effect/Schema"

const Limit = Schema.NullOr(Schema.Natural)

/** The limits of one command and all processes that it starts. */
export const Limits = Schema.Struct({
  /** The private memory of each process. */
  dataBytes: Limit,
  /** The total number of processes and threads; root is not limited. */
  processes: Limit,
  /** The largest file that may be written. */
  fileBytes: Limit,
  /** The processor time of each process. */
  cpuSeconds: Limit,
  openFiles: Limit,
  /** The size of the private /tmp and of /dev/shm, whose files are in memory; the limit is for each of them. */
  temporaryBytes: Limit
})
export type Limits = typeof Limits.Type

const gibibyte = 1024 ** 3

/** The defaults: enough for a build, but too low for a runaway command to exhaust the machine. */
export const defaults: Limits = {
  dataBytes: 8 * gibibyte,
  processes: 2048,
  fileBytes: 8 * gibibyte,
  cpuSeconds: null,
  openFiles: 65_536,
  temporaryBytes: 2 * gibibyte
}

/** A script for a POSIX shell that sets the limits and then runs its remaining arguments. */
export const shellScript = (limits: Limits): string => [...settings(limits), 'exec "$@"'].join("; ")

/** Makes the script that skips limits that cannot be set. */
export const lenientScript = (limits: Limits): string => `{ ${settings(limits).join("; ")}; } 2>/dev/null; exec "$@"`

/** dash limits processes with -p, bash with -u. */
const settings = ({ cpuSeconds, dataBytes, fileBytes, openFiles, processes }: Limits): ReadonlyArray<string> => [
  "ulimit -c 0",
  ...(dataBytes === null ? [] : [`ulimit -d ${Math.floor(dataBytes / 1024)}`]),
  ...(fileBytes === null ? [] : [`ulimit -f ${Math.floor(fileBytes / 512)}`]),
  ...(cpuSeconds === null ? [] : [`ulimit -St ${cpuSeconds}`, `ulimit -Ht ${cpuSeconds + 1}`]),
  ...(openFiles === null ? [] : [`ulimit -n ${openFiles}`]),
  ...(processes === null ? [] : [`ulimit -p ${processes} 2>/dev/null || ulimit -u ${processes}`])
]
