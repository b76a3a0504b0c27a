/**
 * The kernel kills a process that runs out of memory, or gives it a tenth of a processor: acknowledged data stays, and
 * no effect happens twice.
 */
import { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { SessionStoreSql } from "../src/index.ts"
import * as Child from "./child.ts"
import { crashText } from "./crashText.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const root = requires("linux", "root")
const mounted = "/sys/fs/cgroup"
/** Version 1 has the controllers in directories of their own. */
const has = (controller: string): boolean => existsSync(join(mounted, controller, "cgroup.procs"))
const missing = ["memory", "cpu"].filter((controller) => !has(controller))
const suffix = missing.length === 0 ? root.suffix : ` [needs the cgroup controllers ${missing.join(" and ")}]`

/** A group of a controller with these limits, removed with the scope. */
const group = (controller: string, limits: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const path = join(mounted, controller, `bough-test-${process.pid}-${Math.random().toString(36).slice(2)}`)
      mkdirSync(path)
      for (const [name, value] of Object.entries(limits)) writeFileSync(join(path, name), value)
      return path
    }),
    (path) =>
      Effect.gen(function* () {
        // The kernel removes a group once its processes have been reaped.
        for (let tries = 0; existsSync(path) && tries < 200; tries++) {
          yield* Effect.ignore(Effect.try(() => rmdirSync(path)))
          if (existsSync(path)) yield* Effect.sleep("20 millis")
        }
      })
  )

/** Runs a command in the group from its start; the kernel chooses it first when memory runs out. */
const inside = (path: string): ReadonlyArray<string> => [
  "sh",
  "-c",
  `echo $$ > ${path}/cgroup.procs; echo 1000 > /proc/self/oom_score_adj; exec "$@"`,
  "sh"
]

/** Another process in the group that uses the rest. */
const hog = (path: string, command: string) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn("sh", ["-c", `echo $$ > ${path}/cgroup.procs; ${command}`], {
        stdio: "ignore",
        detached: true
      })
    ),
    // The kernel may have killed it too.
    ({ pid }) => Effect.ignore(Effect.try(() => pid !== undefined && process.kill(-pid, "SIGKILL")))
  )

const megabytes = (count: number): string => String(count * 1024 * 1024)

describe.skipIf(root.skip || missing.length > 0)(`a process with scarce resources${suffix}`, () => {
  it.live(
    "is killed by the kernel when memory runs out, and the next one has all acknowledged data, and continues at once",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const path = yield* group("memory", { "memory.limit_in_bytes": megabytes(256) })
        const child = yield* Child.start("appendForever", [directory, "Full", "1000000"], inside(path))
        const seen = { acknowledged: -1 }
        const take = (line: string | null): void => {
          seen.acknowledged = Math.max(seen.acknowledged, Number(/^acknowledged (\d+)$/u.exec(line ?? "")?.[1] ?? -1))
        }
        while (seen.acknowledged < 20) take(yield* child.line)
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* hog(path, "head -c 1000000000 /dev/zero | tail")
            for (let line = yield* child.line; line !== null; line = yield* child.line) take(line)
          })
        )
        while (!child.complaints().includes("ended with")) yield* Effect.sleep("10 millis")
        assert.match(child.complaints(), /ended with SIGKILL/u)
        assert.match(readFileSync(join(path, "memory.oom_control"), "utf8"), /^oom_kill [1-9]/mu)
        const treeId = Session.SessionId.make("crash")
        const next = Effect.gen(function* () {
          const store = yield* SessionStore.SessionStore
          yield* store.acquire(treeId)
          return yield* store.entries(treeId, 0, 1_000_000)
        })
        const entries = yield* Effect.provide(next, SessionStoreSql.layer({ directory }))
        assert.isAtLeast(entries.length, seen.acknowledged + 1)
        for (const { body, seq } of entries.slice(1)) {
          assert.strictEqual(body._tag === "UserMessage" ? body.text : "", crashText(seq))
        }
      }),
    thoroughOnly
  )

  it.live(
    "with little processor time keeps its tree or loses it as a whole, and its effects happen once",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const effects = join(directory, "effects")
        const leaseMillis = 2000
        const path = yield* group("cpu", { "cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": "10000" })
        yield* hog(path, "while :; do :; done")
        const owner = yield* Child.start("ownTree", [directory, String(leaseMillis), effects], inside(path))
        assert.strictEqual(yield* owner.line, "owns 1", owner.complaints())
        const treeId = Session.SessionId.make("lease")
        const attempts = Effect.gen(function* () {
          const store = yield* SessionStore.SessionStore
          const taken = { epoch: 1 }
          // Longer than two leases: an owner that does not renew has lost it by then.
          for (let tries = 0; tries < 12 && taken.epoch === 1; tries++) {
            yield* Effect.sleep("500 millis")
            yield* store.acquire(treeId).pipe(
              Effect.match({
                onSuccess: (lease) => void (taken.epoch = lease.epoch),
                onFailure: ({ _tag }) => assert.strictEqual(_tag, "TreeBusy")
              })
            )
          }
          return taken.epoch
        })
        const epoch = yield* Effect.provide(attempts, SessionStoreSql.layer({ directory, leaseMillis }))
        yield* owner.say("one")
        const ownerLine = yield* owner.line
        // The owner of the lease may act; the process that lost it may not, however late it learns of that.
        assert.strictEqual(ownerLine, epoch === 1 ? "done one" : "failed LeaseLost")
        assert.strictEqual(existsSync(effects) ? readFileSync(effects, "utf8") : "", epoch === 1 ? "one\n" : "")
      }),
    thoroughOnly
  )
})
