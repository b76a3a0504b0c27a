/**
 * The files that a program makes durable, as the system sees it. A file is durable when nothing was written to it after
 * its last sync, and its name when its directory was synced after the name was created.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

export interface SystemCall {
  readonly name: string
  /** The call as strace prints it, with the path behind each descriptor. */
  readonly line: string
  /** The paths of its arguments, descriptors resolved, in order. */
  readonly paths: ReadonlyArray<string>
  readonly failed: boolean
}

const traced = [
  "open,openat,openat2,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,rmdir",
  "write,pwrite64,writev,pwritev,pwritev2,ftruncate,copy_file_range,fsync,fdatasync,sync_file_range"
].join(",")

/** System calls of the program on files, in the order in which they started. `logs`: a directory for strace. */
export const trace = (logs: string, program: ReadonlyArray<string>): ReadonlyArray<SystemCall> => {
  mkdirSync(logs, { recursive: true })
  const folder = mkdtempSync(join(logs, "trace-"))
  // Each thread has its own file: in a common file, calls of other threads would split a call.
  const options = [
    "--seccomp-bpf",
    "-ff",
    "-ttt",
    "-y",
    "-s",
    "4096",
    "-o",
    join(folder, "thread"),
    "-e",
    `trace=${traced}`
  ]
  const ended = spawnSync("strace", [...options, process.execPath, ...program], { encoding: "utf8", timeout: 300_000 })
  if (ended.status !== 0) throw new Error(`${program.join(" ")} ended with ${ended.status}: ${ended.stderr}`)
  return readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trimEnd().split("\n"))
    .toSorted((a, b) => Number.parseFloat(a) - Number.parseFloat(b))
    .flatMap(parsed())
}

/** Remembers which path each descriptor was opened for: `/proc/self/fd/7/a` is a path below that. */
const parsed = () => {
  const opened = new Map<string, string>()
  const real = (path: string): string => {
    const [, descriptor, rest] = /^\/proc\/self\/fd\/(\d+)(.*)$/.exec(path) ?? []
    return resolve(descriptor === undefined ? path : (opened.get(descriptor) ?? path) + rest)
  }
  return (line: string): ReadonlyArray<SystemCall> => {
    const [, name, given, result] = /^[\d.]+ (\w+)\((.*)\)\s+= (.*)$/.exec(line) ?? []
    if (name === undefined) return []
    const [, descriptor, path] = /^(\d+)<(.*)>$/.exec(result) ?? []
    if (descriptor !== undefined) opened.set(descriptor, path)
    const paths = /^(p?write|writev|ftruncate|f(data)?sync)/.test(name)
      ? [/^\d+<([^>]*)>/.exec(given)?.[1] ?? ""]
      : path === undefined
        ? Array.from(given.matchAll(/"([^"]*)"/g), ([, found]) => real(found))
        : [path]
    return [{ name, line, paths, failed: result.startsWith("-1") }]
  }
}

/** Files below `directory`, and names in it, that a power cut after these calls could remove or empty. */
export const undurable = (directory: string, calls: ReadonlyArray<SystemCall>): ReadonlyArray<string> => {
  const unsynced = new Set<string>()
  const unnamed = new Set<string>()
  const isBelow = (path: string): boolean => path === directory || path.startsWith(`${directory}/`)
  /** Opened with O_CREAT again, a file keeps its name. */
  const known = new Set<string>()
  const named = (path: string): void => {
    if (isBelow(path)) unnamed.add(path)
    known.add(path)
  }
  const removed = (path: string): void => {
    unnamed.delete(path)
    known.delete(path)
  }
  for (const { failed, line, name, paths } of calls) {
    const [path = "", to = ""] = paths
    if (failed) continue
    if (/^f(data)?sync$/.test(name)) {
      unsynced.delete(path)
      for (const one of unnamed) if (dirname(one) === path) unnamed.delete(one)
    } else if (/^(p?write|ftruncate|copy_file)/.test(name)) {
      if (isBelow(path)) unsynced.add(path)
    } else if (/^(open|creat)/.test(name)) {
      if (line.includes("O_CREAT") && !known.has(path)) named(path)
    } else if (name.startsWith("rename")) {
      for (const one of Array.from(unsynced)) {
        if (one !== path && !one.startsWith(`${path}/`)) continue
        unsynced.delete(one)
        unsynced.add(to + one.slice(path.length))
      }
      removed(path)
      named(to)
    } else if (name.startsWith("link")) {
      if (unsynced.has(path)) unsynced.add(to)
      named(to)
    } else if (/^(mkdir|symlink)/.test(name)) named(paths[paths.length - 1])
    else if (/^(unlink|rmdir)/.test(name)) {
      unsynced.delete(path)
      removed(path)
    }
  }
  return [
    ...Array.from(unsynced, (path) => `not synced: ${path}`),
    ...Array.from(unnamed, (path) => `its name is not synced: ${path}`)
  ].filter((line) => !line.endsWith("-shm"))
}

/** True if a name was removed, by a rename or for good, and its directory synced after that. */
export const isGoneDurably = (path: string, calls: ReadonlyArray<SystemCall>): boolean => {
  const gone = calls.findLastIndex(
    ({ failed, name, paths }) => !failed && paths[0] === path && /^(rename|unlink|rmdir)/.test(name)
  )
  return gone >= 0 && calls.slice(gone).some(({ name, paths }) => name === "fsync" && paths[0] === dirname(path))
}

/** The calls until the program printed that line. */
export const untilPrinted = (calls: ReadonlyArray<SystemCall>, text: string): ReadonlyArray<SystemCall> => {
  const end = calls.findIndex(
    ({ line, name }) => name === "write" && /^[\d.]+ write\(1</.test(line) && line.includes(text)
  )
  if (end < 0) throw new Error(`it never printed ${text}`)
  return calls.slice(0, end)
}
