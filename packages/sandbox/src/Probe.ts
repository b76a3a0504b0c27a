/** Tests the sandbox once by trying to break each of its properties. */
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { randomInt } from "node:crypto"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { run } from "./BubblewrapExecution.ts"
import { kill } from "./internal/ChildProcess.ts"
import * as Disk from "./internal/Disk.ts"
import { parse, script } from "./internal/ProbeScript.ts"
import { clear, type ProbeSetup, stage } from "./internal/ProbeStage.ts"
import type { Check } from "./SandboxReport.ts"
import type { Workshop } from "./Workshop.ts"

/** All checks, each with its observation. */
export const checks = Effect.fnUntraced(function* (workshop: Workshop) {
  const bounded = { ...workshop, maxOutputBytes: answerBytes }
  return yield* Effect.acquireUseRelease(stage, (stage) => tried(bounded, stage), clear)
})

const probeMillis = 10_000
const answerBytes = 65_536

const tried = Effect.fnUntraced(function* (workshop: Workshop, stage: ProbeSetup) {
  const sleeper = `${randomInt(1_000_000_000, 2_000_000_000)}`
  const argv = ["/bin/sh", "-c", script, "sh", stage.outside, `${stage.port}`, sleeper]
  const ran = yield* Effect.result(
    run(workshop, stage.directories, { invoke: { argv }, options: { timeoutMillis: probeMillis }, isTrial: true })
  )
  if (ran._tag === "Failure") return [notBuilt(ran.failure)]
  const seen = parse(ran.success.stdout)
  const value = (name: string) => seen.get(name) ?? ""
  const unknown = value("environment")
    .split(" ")
    .filter((key) => !(key in workshop.variables) && key !== "PWD")
  const createdFile = yield* Disk.text(join(stage.directories.workspace, "made"))
  const isUnchanged = (yield* Disk.text(stage.outside)) === "outside"
  const survivorCount = yield* survivors(sleeper)
  const check = (name: string, ok: boolean, detail: string): Check => ({ name, ok, detail })
  return [
    check("writable workspace", value("workspace") === "yes" && createdFile === "x", `written: ${value("workspace")}`),
    check(
      "closed file system",
      value("outside") === "no" && isUnchanged,
      `read or written outside: ${isUnchanged ? value("outside") : "yes"}`
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
    check("own processes", value("parent") === "bwrap" && survivorCount === 0, `left running: ${survivorCount}`)
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

/** Counts and kills the processes of this machine that still sleep for that time, because their owner has ended. */
const survivors = Effect.fnUntraced(function* (sleeper: string) {
  const names = yield* Effect.promise(() => readdir("/proc"))
  const sleeping = yield* Effect.filter(
    names.filter((name) => /^\d+$/.test(name)),
    (pid) => Effect.map(Disk.text(`/proc/${pid}/cmdline`), (line) => line?.startsWith(`sleep\0${sleeper}\0`) ?? false),
    { concurrency: 16 }
  )
  yield* Effect.forEach(sleeping, (pid) => kill(Number(pid)), { discard: true })
  return sleeping.length
})
