/** The variables of commands: an allow-list, the operator's names, the session's own, and no secret. */
import { Session } from "@bough/protocol"
import type { Grant } from "@bough/tool"
import { SampleInvocation } from "@bough/tool/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Environment, Sandbox, SessionVariables } from "../src/index.ts"
import { bubblewrap, environment, place } from "./Places.ts"

const host = {
  ...environment,
  NODE_ENV: "test",
  JAVA_HOME: "/opt/java",
  CHOSEN: "yes",
  DEPLOY_TOKEN: "canary-9",
  OTEL_EXPORTER_OTLP_HEADERS: "x-key=canary-8"
}

const session = Effect.fnUntraced(function* (backend: "bubblewrap" | "host") {
  const { directory, workspace } = yield* place()
  const variables = SessionVariables.make({ host, holdsSecret: (text) => text.includes("canary") })
  const sandbox = yield* Sandbox.make({ backend, environmentKeys: ["CHOSEN", "DEPLOY_TOKEN"] }, host)
  const provided = sandbox.provided({ root: workspace, writable: true, variablesOf: variables.variablesOf })
  const as = (name: string) => SampleInvocation.make({ sessionId: Session.SessionId.make(name) })
  return {
    directory,
    workspace,
    set: (name: string, value: string) => variables.provided.make(as("a"), () => {}).set(name, value),
    runAs: (name: string, grants: ReadonlyArray<Grant.Grant> = []) =>
      provided.make({ ...as(name), grants }, () => {}).run
  }
})

describe("Environment", () => {
  it("passes no variable that is named like a secret, chosen or not", () => {
    for (const made of [
      Environment.confinedVariables(host, "/bin", ["DEPLOY_TOKEN", "OTEL_EXPORTER_OTLP_HEADERS", "CHOSEN"]),
      Environment.unconfinedVariables(host, ["API_KEY", "CHOSEN"])
    ]) {
      assert.notInclude(JSON.stringify(made), "canary")
      assert.deepInclude(made, { NODE_ENV: "test", CHOSEN: "yes" })
    }
  })
})

describe.skipIf(bubblewrap.skip)(`Variables of commands${bubblewrap.suffix}`, () => {
  it.live("are the listed ones, the operator's and the session's own", () =>
    Effect.gen(function* () {
      const { runAs, set } = yield* session("bubblewrap")
      yield* set("GREETING", "two words = 'x'")
      yield* set("CHOSEN", "no")
      const print = 'printf \'%s|\' "$GREETING" "$CHOSEN" "$JAVA_HOME" "$DEPLOY_TOKEN" "$API_KEY"'
      assert.strictEqual((yield* runAs("a")(print)).stdout, "two words = 'x'|no|/opt/java|||")
      assert.strictEqual((yield* runAs("b")(print)).stdout, "|yes|/opt/java|||")
      assert.strictEqual((yield* runAs("a")({ argv: ["printenv", "GREETING"] })).stdout, "two words = 'x'\n")
      // Needs no approval: npm looks for a new version of itself after every script.
      const quiet =
        'printf "$npm_config_update_notifier $NO_UPDATE_NOTIFIER $PIP_DISABLE_PIP_VERSION_CHECK $DO_NOT_TRACK"'
      assert.strictEqual((yield* runAs("a")(quiet)).stdout, "false 1 1 1")
      yield* set("npm_config_update_notifier", "true")
      assert.include((yield* runAs("a")(quiet)).stdout, "true 1")
    })
  )

  it.live("that change how programs start act on the command alone, in the sandbox", () =>
    Effect.gen(function* () {
      const { directory, runAs, set, workspace } = yield* session("bubblewrap")
      writeFileSync(join(workspace, "evil.sh"), `touch ${directory}/outside; touch "$PWD/started-$PPID"; echo evil\n`)
      for (const name of ["BASH_ENV", "ENV"]) yield* set(name, `${workspace}/evil.sh`)
      yield* set("LD_PRELOAD", `${workspace}/evil.so`)
      const ran = yield* runAs("a")("echo done")
      assert.match(ran.stdout, /^evil\n(?:done\n)$/u)
      assert.isFalse(existsSync(join(directory, "outside")))
      assert.strictEqual((yield* runAs("b")("echo done")).stdout, "done\n")
    })
  )

  it.live("of the session do not reach a command that a user let run outside of the sandbox", () =>
    Effect.gen(function* () {
      const { runAs, set } = yield* session("bubblewrap")
      yield* set("GREETING", "hello")
      const grants = [{ _tag: "Unconfined" as const }]
      assert.strictEqual((yield* runAs("a", grants)('echo "$HOME:$GREETING$CHOSEN"')).stdout, "/nonexistent:yes\n")
      assert.strictEqual((yield* runAs("a")('echo "$GREETING$CHOSEN"')).stdout, "helloyes\n")
    })
  )

  it.live("on the host include none of the session's: a user approves the command's text alone", () =>
    Effect.gen(function* () {
      const { runAs, set } = yield* session("host")
      yield* set("GREETING", "hello")
      assert.strictEqual((yield* runAs("a")('echo "$GREETING$CHOSEN"')).stdout, "yes\n")
    })
  )
})
