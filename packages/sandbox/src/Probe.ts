/** Tries for real, once, whether the sandbox holds: each property by an attempt to break it. */
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { randomInt } from "node:crypto"
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises"
import { type AddressInfo, createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "./BubblewrapExecution.ts"
import type { Workshop } from "./Workshop.ts"
import type { SandboxPlace } from "./SandboxPlace.ts"
import { kill } from "./internal/ChildProcess.ts"
import * as Disk from "./internal/Disk.ts"
import { parse, script } from "./internal/ProbeScript.ts"
import type { Check } from "./SandboxReport.ts"

/** The checks, all of them, each with what was seen. */
export const checks = Effect.fnUntraced(function* (workshop: Workshop) {
  const heard = { ...workshop, maxOutputBytes: answerBytes }
  return yield* Effect.acquireUseRelease(stage, (stage) => tried(heard, stage), clear)
})

/** A workspace with a repository, a file beside it, and a server that counts its connections. */
interface Stage {
  readonly directory: string
  readonly outside: string
  readonly place: SandboxPlace
  readonly server: Server
  readonly port: number
  readonly connections: () => number
}

const stage = Effect.gen(function* () {
  const directory = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "bough-probe-")).then((made) => realpath(made)))
  const workspace = join(directory, "workspace")
  const outside = join(directory, "outside")
  for (const name of ["", ".git", ".git/objects", ".git/refs"]) {
    yield* Effect.promise(() => mkdir(join(workspace, name)))
  }
  yield* Effect.promise(() =>
    Promise.all([
      writeFile(join(workspace, ".git/HEAD"), "ref: refs/heads/main\n"),
      writeFile(join(workspace, ".git/config"), ""),
      writeFile(outside, "outside")
    ])
  )
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  }).unref()
  yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
  const { port } = server.address() as AddressInfo
  const place: SandboxPlace = {
    workspace,
    start: workspace,
    roots: [{ path: workspace, writable: true }],
    fixed: [".git", ".bough"],
    hidden: [],
    shown: [],
    repositories: [],
    user: null
  }
  return { directory, outside, place, server, port, connections: () => connections } satisfies Stage
})

const clear = ({ directory, server }: Stage) =>
  Effect.promise(() => {
    server.close()
    return rm(directory, { recursive: true, force: true })
  })

const probeMillis = 10_000
const answerBytes = 65_536

const tried = Effect.fnUntraced(function* (workshop: Workshop, stage: Stage) {
  const sleeper = `${randomInt(1_000_000_000, 2_000_000_000)}`
  const argv = ["/bin/sh", "-c", script, "sh", stage.outside, `${stage.port}`, sleeper]
  const ran = yield* Effect.result(
    run(workshop, stage.place, { invoke: { argv }, options: { timeoutMillis: probeMillis }, isTrial: true })
  )
  if (ran._tag === "Failure") return [notBuilt(ran.failure)]
  const seen = parse(ran.success.stdout)
  const value = (name: string) => seen.get(name) ?? ""
  const unknown = value("environment")
    .split(" ")
    .filter((key) => !(key in workshop.variables) && key !== "PWD")
  const made = yield* Disk.text(join(stage.place.workspace, "made"))
  const kept = (yield* Disk.text(stage.outside)) === "outside"
  const left = yield* survivors(sleeper)
  const check = (name: string, ok: boolean, detail: string): Check => ({ name, ok, detail })
  return [
    check("writable workspace", value("workspace") === "yes" && made === "x", `written: ${value("workspace")}`),
    check(
      "closed file system",
      value("outside") === "no" && kept,
      `read or written outside: ${kept ? value("outside") : "yes"}`
    ),
    check("read-only kernel settings", value("settings") === "none", `opened: ${value("settings") || "not tried"}`),
    check("no setuid files", value("setid") === "no", `made: ${value("setid")}`),
    check(
      "protected names",
      value("protected") === "no",
      `.bough or settings and hooks of .git changed: ${value("protected")}`
    ),
    check(
      "clean environment",
      seen.has("environment") && unknown.length === 0,
      `strange variables: ${unknown.join(" ") || "none"}`
    ),
    check(
      "no network",
      value("interfaces") === "lo" && value("connected") !== "yes" && stage.connections() === 0,
      `interfaces: ${value("interfaces")}; connected: ${value("connected") || "not tried"}`
    ),
    check("no descriptors", value("descriptors") === "0 1 2", `open: ${value("descriptors")}`),
    check(
      "no privileges",
      Number(value("Uid")) > 0 && /^0+$/.test(value("CapEff")) && value("NoNewPrivs") === "1",
      `uid ${value("Uid")}, capabilities ${value("CapEff")}`
    ),
    check("system call filter", value("Seccomp") === "2", `mode ${value("Seccomp")} on ${process.arch}`),
    check(
      "no nested namespaces",
      value("namespace") !== "yes" && (workshop.machine.disablesNamespaces || workshop.hold.filtered),
      `made: ${value("namespace") || "not tried"}`
    ),
    check("own processes", value("parent") === "bwrap" && left === 0, `left running: ${left}`)
  ]
})

const notBuilt = (error: ToolError.ToolError): Check => {
  const detail = error.message.replace(/^SandboxUnavailable: /, "")
  const [name] = causes.find(([, pattern]) => pattern.test(detail)) ?? ["sandbox"]
  return { name, ok: false, detail }
}

/** Patterns of bubblewrap's errors, by the feature that the machine lacks. */
const causes = [
  ["user namespaces", /namespace|uid map|gid map/i],
  ["own /proc", /mount proc/i]
] as const

/** Returns how many processes of this machine still sleep for that long, and kills them: they have no owner left. */
const survivors = Effect.fnUntraced(function* (sleeper: string) {
  const names = yield* Effect.promise(() => readdir("/proc"))
  const left = yield* Effect.filter(
    names.filter((name) => /^\d+$/.test(name)),
    (pid) => Effect.map(Disk.text(`/proc/${pid}/cmdline`), (line) => line?.startsWith(`sleep\0${sleeper}\0`) ?? false),
    { concurrency: 16 }
  )
  yield* Effect.forEach(left, (pid) => kill(Number(pid)), { discard: true })
  return left.length
})
