/** Commands with entries of a vault, in real sandboxes: the value reaches the command alone, and none of its output. */
import { ToolError } from "@bough/protocol"
import type { Grant } from "@bough/tool"
import { SampleInvocation } from "@bough/tool/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { readdirSync, readFileSync } from "node:fs"
import { BackgroundCommands, type CommandVault, Sandbox } from "../src/index.ts"
import { bubblewrap, environment, place } from "./Places.ts"
import * as ReachedLimit from "./ReachedLimit.ts"

const value = "s3cret-value-91"

/** Redacts the value in each stream; it may come in any pieces. */
const hiding = (): CommandVault.StreamRedaction => {
  let held = ""
  const shown = (text: string): string => text.replaceAll(value, "[hidden]")
  return {
    push: (piece) => {
      const text = shown(held + piece)
      let kept = Math.min(value.length - 1, text.length)
      while (kept > 0 && !value.startsWith(text.slice(text.length - kept))) kept--
      held = text.slice(text.length - kept)
      return text.slice(0, text.length - kept)
    },
    end: () => {
      const rest = held
      held = ""
      return rest
    }
  }
}

const vault: CommandVault.CommandVault = {
  refresh: Effect.void,
  hiding,
  variables: (names) =>
    names.includes("NPM_TOKEN")
      ? Effect.succeed({ NPM_TOKEN: value })
      : Effect.fail(new ToolError.ExecutionError({ message: "no such entry" }))
}

const grant: Grant.Grant = { _tag: "Vault", names: ["NPM_TOKEN"] }

const session = Effect.fnUntraced(function* (
  backend: "bubblewrap" | "session" | "host",
  grants = [grant],
  used: CommandVault.CommandVault = vault
) {
  const { workspace } = yield* place()
  const sandbox = yield* Sandbox.make({ backend }, environment)
  const background = yield* BackgroundCommands.make
  const service = sandbox
    .provided({ root: workspace, writable: true, vault: used, background })
    .make(SampleInvocation.make({ grants }), () => {})
  return { ...service, workspace }
})

const say = 'printf "%s|%s" "${#NPM_TOKEN}" "$NPM_TOKEN"'
/** The value in two pieces, with a pause between them. */
const inPieces = 'printf "%s" "${NPM_TOKEN%%-*}"; sleep 0.05; printf "%s\\n" "-value-91"'

/** Returns the argument lists of all processes of the machine, which any user can read. */
const argumentLists = (): ReadonlyArray<string> =>
  readdirSync("/proc").flatMap((name) => {
    const read = /^[0-9]+$/u.test(name) ? Result.try(() => readFileSync(`/proc/${name}/cmdline`, "utf8")) : null
    return read !== null && Result.isSuccess(read) ? [read.success] : []
  })

describe.skipIf(bubblewrap.skip)(`A command with entries of a vault${bubblewrap.suffix}`, () => {
  it.live.each(["bubblewrap", "session", "host"] as const)(
    "gets them as variables in %s, and shows none of them",
    (backend) =>
      Effect.gen(function* () {
        const { run } = yield* session(backend)
        const { stdout } = yield* run(say, { vault: ["NPM_TOKEN"] })
        assert.strictEqual(stdout, `${value.length}|[hidden]`)
        const pieces: Array<string> = []
        const split = yield* run(inPieces, {
          vault: ["NPM_TOKEN"],
          merged: true,
          onOutput: (_stream, text) => Effect.sync(() => void pieces.push(text))
        })
        assert.strictEqual(split.stdout, "[hidden]\n")
        assert.strictEqual(pieces.join(""), "[hidden]\n")
        assert.isFalse(pieces.some((piece) => piece.includes("s3cret")))
      })
  )

  it.live("has them in no argument list, and no later command has them", () =>
    Effect.gen(function* () {
      const { run } = yield* session("bubblewrap")
      let seen = 0
      const shown = yield* run("printf go; sleep 0.1", {
        vault: ["NPM_TOKEN"],
        onOutput: () =>
          Effect.sync(() => {
            seen = argumentLists().filter((line) => line.includes("s3cret-val")).length
          })
      })
      assert.deepStrictEqual([shown.stdout, seen], ["go", 0])
      const after = yield* run("env | grep -c NPM_TOKEN; true")
      assert.strictEqual(after.stdout.trim(), "0")
      const carried = yield* run("env | grep -c BOUGH_VARIABLE; true", { vault: ["NPM_TOKEN"] })
      assert.strictEqual(carried.stdout.trim(), "0")
    })
  )

  it.live("shows none of those that it finds in the workspace: they are read before it starts", () =>
    Effect.gen(function* () {
      let isRead = false
      const unread: CommandVault.CommandVault = {
        ...vault,
        refresh: Effect.sync(() => void (isRead = true)),
        hiding: () => (isRead ? hiding() : null)
      }
      const { run } = yield* session("host", [], unread)
      assert.strictEqual((yield* run("printf %s s3cret-; printf value-91")).stdout, "[hidden]")
    })
  )

  it.live("shows at its time limit the end of its output that could have been the beginning of a value", () =>
    Effect.gen(function* () {
      const { run } = yield* session("host")
      let seen = ""
      const command = run("printf %s 'so far: s3cret-'; sleep 600", {
        timeoutMillis: ReachedLimit.timeoutMillis,
        onOutput: (_stream, text) => Effect.sync(() => void (seen += text))
      })
      const error = yield* Effect.flip(ReachedLimit.when(() => seen !== "", command))
      assert.include(JSON.stringify(error), "so far: s3cret-")
    })
  )

  it.live("shows the end of its output that could have been the beginning of a value", () =>
    Effect.gen(function* () {
      const { run } = yield* session("host")
      const shown = yield* run("printf %s 'done: s3cret-'; printf s3 >&2")
      assert.deepStrictEqual([shown.stdout, shown.stderr], ["done: s3cret-", "s3"])
    })
  )

  it.live("is refused without a grant for each of them", () =>
    Effect.gen(function* () {
      const { background, run } = yield* session("bubblewrap", [])
      const refused = yield* Effect.flip(run("true", { vault: ["NPM_TOKEN"] }))
      assert.strictEqual(refused._tag, "PermissionDenied")
      assert.match(refused.message, /no approval allows/)
      assert.isDefined(background)
      const started = yield* background?.start("true", { vault: ["NPM_TOKEN"] }) ?? Effect.die("no background")
      const read = yield* background?.read(started.commandId, { fromOffset: 0, waitMillis: 5_000 }) ?? Effect.die("")
      assert.match(read.ended?.reason ?? "", /no approval allows/)
    })
  )

  it.live("that continues in the background shows none of them, from any offset of a reader", () =>
    Effect.gen(function* () {
      const { background } = yield* session("bubblewrap")
      if (background === undefined) return assert.fail("no background")
      const { commandId } = yield* background.start(`${inPieces}; ${say}`, { vault: ["NPM_TOKEN"] })
      let text = ""
      let offset = 0
      for (let ended = false; !ended;) {
        const read = yield* background.read(commandId, { fromOffset: offset, waitMillis: 5_000 })
        text += read.text
        offset = read.nextOffset
        ended = read.ended !== null
      }
      assert.strictEqual(text, `[hidden]\n${value.length}|[hidden]`)
    })
  )
})
