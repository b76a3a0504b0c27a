/**
 * A command in bubblewrap alone: the same namespaces and mounts as in Bough's sandbox, started directly, without filter
 * and guard.
 */
import * as Bubblewrap from "@bough/sandbox/Bubblewrap"
import * as Limits from "@bough/sandbox/Limits"
import * as Machine from "@bough/sandbox/Machine"
import * as Effect from "effect/Effect"
import { spawn, type StdioOptions } from "node:child_process"
import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { check } from "./Check.ts"

/**
 * Returns a function that runs a command line in the folder, each time in a new sandbox, and the path of the shell that
 * runs it.
 */
export const make = async (folder: string, variables: Readonly<Record<string, string>>) => {
  const machine = await Effect.runPromise(Machine.find(null, Limits.defaults, { host: variables, before: null }))
  if (machine === null) throw new Error("bubblewrap is not installed")
  const workspace = join(folder, "workspace")
  const absent = [".git", ".bough"].map((name) => join(workspace, name))
  for (const path of absent) mkdirSync(path, { recursive: true })
  const files = Bubblewrap.contents(machine).map((content, at) => {
    const path = join(folder, `file${at}`)
    writeFileSync(path, content)
    return path
  })
  const args = Bubblewrap.args(machine, { ...emptyView, roots: [{ path: workspace, writable: true }], absent }, hold)
  const run = async (command: string): Promise<void> => {
    const opened = files.map((path) => openSync(path, "r"))
    const unused: StdioOptions = Array.from({ length: Bubblewrap.firstFileDescriptor - 4 }, () => "ignore" as const)
    const child = spawn(machine.program, [...args, "--chdir", workspace, machine.shell, "-c", "--", command], {
      env: variables,
      stdio: ["ignore", "pipe", "pipe", "pipe", ...unused, ...opened]
    })
    for (const descriptor of opened) closeSync(descriptor)
    const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve))
    check(code === 0, `bubblewrap alone ended with ${String(code)}`)
  }
  return { run, shell: machine.shell }
}

const hold: Bubblewrap.SandboxTraits = { filtered: false, plugged: [] }

const emptyView: Bubblewrap.View = {
  roots: [],
  mounts: [],
  absent: [],
  hidden: [],
  pinned: [],
  emptied: [],
  replaced: [],
  shown: [],
  proxied: false,
  connected: false,
  shell: null
}
