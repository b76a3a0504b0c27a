/** Tests `sandbox-exec` on this machine by trying to break each of its properties. */
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Disk from "./internal/Disk.ts"
import { parse } from "./internal/ProbeScript.ts"
import { clear, stage } from "./internal/ProbeStage.ts"
import type { Check } from "./SandboxReport.ts"
import { run, type SeatbeltWorkshop } from "./SeatbeltExecution.ts"

const script = `
outside=$1 port=$2
say() { printf '%s=%s\\n' "$1" "$2"; }
write() { printf x > "$1"; }
any() { for attempt; do if eval "$attempt" >/dev/null 2>&1; then echo yes; return; fi; done; echo no; }
say workspace "$(any 'write made')"
say outside "$(any 'cat "$outside"' 'write "$outside"' 'write /usr/bough-probe' 'write /private/etc/bough-probe' 'write "$outside.new"' 'ls "$REAL_HOME"')"
say setid "$(any 'chmod u+s made' 'chmod g+s made')"
say protected "$(any 'mkdir .bough' 'mv .git moved' 'write .git/config' 'mv .git/config moved' 'mkdir .git/hooks' 'write .git/hooks/x' 'write .git/commondir' 'mv .git/objects moved' 'rm .git/objects/kept' 'write .git/objects/kept')"
say secret "$(any 'cat .env' 'mv .env other && cat other' 'ln .env other && cat other' 'mv deep moved && cat moved/.env')"
say environment "$(env | cut -d= -f1 | tr '\\n' ' ')"
say connected "$(any '/bin/bash -c "exec 3<>/dev/tcp/127.0.0.1/$port"')"
say signalled "$(any 'kill -0 "$OWNER"')"
`

const probeMillis = 10_000

/** All checks, each with its observation. */
export const checks = (workshop: SeatbeltWorkshop): Effect.Effect<ReadonlyArray<Check>> =>
  Effect.acquireUseRelease(
    stage,
    Effect.fnUntraced(function* ({ connections, directories, outside, port }) {
      const at = (name: string): string => join(directories.workspace, name)
      writeFileSync(at(".env"), "secret")
      yield* Disk.write(at(".git/objects/kept"), "kept")
      const variables = { OWNER: `${process.pid}`, REAL_HOME: workshop.home }
      const ran = yield* Effect.result(
        run(workshop, directories, {
          invoke: { argv: ["/bin/sh", "-c", script, "sh", outside, `${port}`] },
          options: { timeoutMillis: probeMillis },
          variables: variables
        })
      )
      if (ran._tag === "Failure") return [{ name: "sandbox-exec", ok: false, detail: ran.failure.message }]
      const seen = parse(ran.success.stdout)
      const value = (name: string) => seen.get(name) ?? "not tried"
      const shells = new Set(["PWD", "SHLVL", "_", "OLDPWD", "HOME", "TMPDIR", "__CF_USER_TEXT_ENCODING"])
      const unknown = value("environment")
        .split(" ")
        .filter((key) => !(key in workshop.variables) && !(key in variables) && !shells.has(key))
      const isUnchanged = (yield* Disk.text(outside)) === "outside"
      const check = (name: string, ok: boolean, detail: string): Check => ({ name, ok, detail })
      const refused = (name: string, key: string): Check => check(name, value(key) === "no", `done: ${value(key)}`)
      return [
        check("writable workspace", value("workspace") === "yes", `written: ${value("workspace")}`),
        check(
          "closed file system",
          value("outside") === "no" && isUnchanged,
          `read or written outside: ${value("outside")}`
        ),
        refused("no setuid files", "setid"),
        refused("protected names", "protected"),
        refused("unreadable secrets", "secret"),
        check("clean environment", unknown.length === 0, `strange variables: ${unknown.join(" ") || "none"}`),
        check("no network", value("connected") === "no" && connections() === 0, `connected: ${value("connected")}`),
        refused("own processes", "signalled")
      ]
    }),
    clear
  )
