/** A workspace in a directory of its own with a snapshot store beside it, and a comparison of two states. */
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { WorkspaceSnapshots } from "../src/index.ts"

const inMemory = "/dev/shm"

/** In memory if there is such a file system: a sync costs nothing there, and no test here cuts the power. */
export const temporaryDirectory = ((): string => {
  try {
    fs.accessSync(inMemory, fs.constants.W_OK | fs.constants.X_OK)
    return inMemory
  } catch {
    return tmpdir()
  }
})()

export const directories = Effect.acquireRelease(
  Effect.sync(() => {
    const base = fs.realpathSync(fs.mkdtempSync(path.join(temporaryDirectory, "bough-snapshots-")))
    const root = path.join(base, "root")
    const outside = path.join(base, "outside")
    fs.mkdirSync(root)
    fs.mkdirSync(outside)
    return { base, root, outside, store: path.join(base, "home", "snapshots") }
  }),
  ({ base }) =>
    // Names that are not UTF-8, and directories that a test closed.
    Effect.sync(() => {
      spawnSync("chmod", ["-R", "u+rwx", base])
      spawnSync("rm", ["-rf", base])
    })
)

export const put = (root: string, files: Readonly<Record<string, string | Uint8Array>>): void => {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name)
    fs.mkdirSync(name.endsWith("/") ? file : path.dirname(file), { recursive: true })
    if (!name.endsWith("/")) fs.writeFileSync(file, content)
  }
}

export const workspace = Effect.fnUntraced(function* (
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: Partial<WorkspaceSnapshots.SnapshotOptions> = {}
) {
  const places = yield* directories
  put(places.root, files)
  const snapshots = yield* WorkspaceSnapshots.make({ root: places.root, directory: places.store, ...options })
  return { ...places, snapshots, at: (name: string) => path.join(places.root, name) }
})

/** Every path below a directory except version control: its kind, permissions, content or target. */
export const fingerprint = (root: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  const walk = (directory: Buffer, inner: string): void => {
    for (const name of fs.readdirSync(directory, { encoding: "buffer" })) {
      const spelled = name.toString("latin1")
      if (spelled === ".git") continue
      const at = Buffer.concat([directory, Buffer.from("/"), name])
      const stats = fs.lstatSync(at)
      const mode = (stats.mode & 0o777).toString(8)
      const label = JSON.stringify(inner + spelled)
      if (stats.isSymbolicLink()) {
        lines.push(`${label} link ${fs.readlinkSync(at, { encoding: "buffer" }).toString("latin1")}`)
      } else if (stats.isDirectory()) {
        lines.push(`${label} directory ${mode}`)
        walk(at, `${inner}${spelled}/`)
      } else if (stats.isFile()) {
        lines.push(`${label} file ${mode} ${fs.readFileSync(at).toString("latin1")}`)
      } else lines.push(`${label} other`)
    }
  }
  walk(Buffer.from(root), "")
  return lines.toSorted()
}

/** All bytes of a store's files, in which small contents are verbatim. */
export const storedIn = (store: string): string =>
  fs
    .readdirSync(store, { withFileTypes: true })
    .map((entry) => (entry.isFile() ? fs.readFileSync(path.join(store, entry.name), "latin1") : ""))
    .join("")

export interface Recorded {
  readonly turn: number
  readonly commit: number
  readonly before: string
  readonly after: string | null
}

/** A session whose calls change the workspace. */
export const session = (snapshots: WorkspaceSnapshots.WorkspaceSnapshots, name = "s") => {
  const calls: Array<Recorded> = []
  const call = Effect.fnUntraced(function* (turn: number, change: () => void) {
    const before = yield* snapshots.before
    change()
    const after = yield* snapshots.after
    calls.push({ turn, commit: calls.length + 1, before, after })
  })
  return {
    calls,
    call,
    before: snapshots.before,
    after: snapshots.after,
    undo: (turn: number | null = null, isForced = false) => snapshots.undo({ session: name, calls, turn, isForced }),
    redo: (isForced = false) => snapshots.redo({ session: name, isForced }),
    diff: (turn: number | null = null) => snapshots.diff({ session: name, calls, turn })
  }
}
