/** A workspace in a directory of its own, with a secret beside it, removed when the test ends. */
import { ProcessRunnerNode } from "@bough/sandbox"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { Workspace } from "../src/index.ts"

/** The text that must never be read. */
export const canary = "canary-7f3a"

/** `root` is the workspace, `outside` a directory beside it that contains `secret` with the canary. */
export const directories = Effect.acquireRelease(
  Effect.sync(() => {
    const base = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), "bough-workspace-")))
    const root = path.join(base, "root")
    const outside = path.join(base, "outside")
    fs.mkdirSync(root)
    fs.mkdirSync(outside)
    fs.writeFileSync(path.join(outside, "secret"), canary)
    return { base, root, outside }
  }),
  ({ base }) => Effect.sync(() => fs.rmSync(base, { recursive: true, force: true }))
)

/** Writes files below a directory; a name that ends in "/" is an empty directory. */
export const put = (root: string, files: Readonly<Record<string, string | Uint8Array>>): void => {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name)
    fs.mkdirSync(name.endsWith("/") ? file : path.dirname(file), { recursive: true })
    if (!name.endsWith("/")) fs.writeFileSync(file, content)
  }
}

export const open = Effect.fnUntraced(function* (
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: Partial<Workspace.WorkspaceOptions> = {}
) {
  const { base, outside, root } = yield* directories
  put(root, files)
  const workspace = yield* Workspace.make({ root, ...options }).pipe(Effect.provide(ProcessRunnerNode.layer))
  return {
    base,
    root,
    outside,
    workspace,
    read: workspace.read([]),
    write: workspace.write([]),
    at: (name: string) => path.join(root, name)
  }
})

/** The full text of a failure as its reader sees it. */
export const words = (error: { readonly _tag: string; readonly message: string }): string =>
  `${error._tag} ${error.message}`

export const isRoot = process.getuid?.() === 0

/** Runs a program to its end; fails the test if the program fails. */
export const command = (program: string, args: ReadonlyArray<string>, cwd?: string): string => {
  const { status, stderr, stdout } = spawnSync(program, args, { cwd, encoding: "utf8" })
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`)
  return stdout
}
