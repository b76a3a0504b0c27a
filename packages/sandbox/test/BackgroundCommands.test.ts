/** Background commands: their output by offsets, their input, and every way in which they end. */
import { Session } from "@bough/protocol"
import { SampleInvocation } from "@bough/tool/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { BackgroundCommands, Sandbox } from "../src/index.ts"
import { bubblewrap, environment, eventually, place, processesWith, sleeper } from "./Places.ts"

const invocation = (name: string) => SampleInvocation.make({ sessionId: Session.SessionId.make(name) })

const [tree] = invocation("a").sessionPath

const session = Effect.gen(function* () {
  const { directory, workspace } = yield* place()
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const sandbox = yield* Sandbox.make({}, environment)
  const background = yield* Effect.provideService(BackgroundCommands.make, Scope.Scope, scope)
  const provided = sandbox.provided({ root: workspace, writable: true, background })
  const backgroundOf = (name: string) => {
    const { background } = provided.make(invocation(name), () => {})
    return background ?? assert.fail("no command goes on")
  }
  return {
    directory,
    workspace,
    scope,
    sandbox,
    background,
    ...backgroundOf("a"),
    backgroundOf,
    run: provided.make(invocation("a"), () => {}).run
  }
})

const soon = { fromOffset: 0, waitMillis: 20_000 }

describe.skipIf(bubblewrap.skip)(`Commands that continue${bubblewrap.suffix}`, () => {
  it.live("keep no file that git, editors or agents obey beyond the next read, and say so", () =>
    Effect.gen(function* () {
      const { background, read, start, workspace } = yield* session
      const made = ["made/.git", "AGENTS.md", ".env", ".vscode"]
      const { commandId } = yield* start(
        "git init -q made; echo obey >AGENTS.md; echo T=1 >.env; mkdir .vscode; echo done; " +
          "until [ -e go ]; do sleep 0.02; done; echo again >CLAUDE.md; echo more; until [ -e on ]; do sleep 0.02; done",
        {}
      )
      let seen = yield* read(commandId, soon)
      while (!made.every((path) => seen.text.includes(`held back ${JSON.stringify(path)}`))) {
        seen = { ...(yield* read(commandId, { fromOffset: 0, waitMillis: 0 })) }
      }
      assert.isNull(seen.ended)
      assert.deepStrictEqual(
        made.filter((path) => existsSync(join(workspace, path))),
        []
      )
      // The list of the conversation's commands also checks whether a command has ended.
      writeFileSync(join(workspace, "go"), "")
      const { text } = yield* Effect.repeat(background.output(tree, commandId), {
        until: ({ text }) => text.includes('held back "CLAUDE.md"')
      })
      assert.isBelow(text.indexOf('held back "AGENTS.md"'), text.indexOf('held back "CLAUDE.md"'))
      assert.isFalse(existsSync(join(workspace, "CLAUDE.md")))
      writeFileSync(join(workspace, "on"), "")
      let end = yield* read(commandId, { fromOffset: 0, waitMillis: 20_000 })
      while (end.ended === null) end = yield* read(commandId, { fromOffset: end.nextOffset, waitMillis: 20_000 })
      assert.strictEqual(end.ended.exitCode, 0)
    }).pipe(Effect.scoped)
  )

  it.live("are read from any offset, while they run and afterwards, in the order in which they were written", () =>
    Effect.gen(function* () {
      const { read, run, start } = yield* session
      const { commandId } = yield* start(
        "echo one; echo two >&2; until [ -e go ]; do sleep 0.02; done; echo three; exit 5",
        {}
      )
      const first = yield* read(commandId, soon)
      assert.isNull(first.ended)
      assert.isTrue("one\ntwo\n".startsWith(first.text) && first.text !== "")
      const second = yield* read(commandId, { fromOffset: "one\n".length, waitMillis: 20_000 })
      assert.isTrue("two\n".startsWith(second.text))
      // Other commands run meanwhile, in the same workspace.
      assert.strictEqual((yield* run("touch go; echo beside")).stdout, "beside\n")
      let seen = yield* read(commandId, { fromOffset: 8, waitMillis: 20_000 })
      while (seen.ended === null) seen = yield* read(commandId, { fromOffset: seen.nextOffset, waitMillis: 20_000 })
      assert.deepStrictEqual(seen.ended, { exitCode: 5, signal: null, reason: null })
      const all = yield* read(commandId, { fromOffset: 0, waitMillis: 0 })
      assert.deepStrictEqual([all.text, all.fromOffset, all.nextOffset], ["one\ntwo\nthree\n", 0, 14])
    })
  )

  it.live("read their input, and its end", () =>
    Effect.gen(function* () {
      const { read, start, write } = yield* session
      const { commandId } = yield* start('while read -r line; do echo "got $line"; done; echo end', {})
      yield* write(commandId, "a\nb", false)
      assert.strictEqual((yield* read(commandId, soon)).text, "got a\n")
      yield* write(commandId, "c\n", true)
      let seen = yield* read(commandId, { fromOffset: 6, waitMillis: 20_000 })
      while (seen.ended === null) seen = yield* read(commandId, { fromOffset: seen.nextOffset, waitMillis: 20_000 })
      assert.strictEqual((yield* read(commandId, { fromOffset: 0, waitMillis: 0 })).text, "got a\ngot bc\nend\n")
      assert.match((yield* Effect.flip(write(commandId, "d", false))).message, /has ended/u)
    })
  )

  it.live("end when they are stopped, with all their processes", () =>
    Effect.gen(function* () {
      const { read, start, stop } = yield* session
      const seconds = sleeper()
      const { commandId } = yield* start(`(setsid sleep ${seconds} &) ; echo begun; exec sleep ${seconds}`, {})
      yield* read(commandId, soon)
      assert.isTrue(yield* eventually(() => processesWith(seconds) > 1))
      const stopped = yield* stop(commandId)
      assert.deepStrictEqual(stopped.ended, { exitCode: null, signal: null, reason: "stopped" })
      assert.strictEqual(stopped.text, "begun\n")
      assert.strictEqual(processesWith(seconds), 0)
      assert.deepStrictEqual((yield* stop(commandId)).ended, stopped.ended)
    })
  )

  it.live("end with the scope of their session", () =>
    Effect.gen(function* () {
      const { read, scope, start } = yield* session
      const seconds = sleeper()
      const { commandId } = yield* start(`echo begun; exec sleep ${seconds}`, {})
      yield* read(commandId, soon)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(processesWith(seconds), 0)
    })
  )

  it.live("are confined like others, and forbidden files are quarantined at their end", () =>
    Effect.gen(function* () {
      const { directory, read, start, workspace } = yield* session
      mkdirSync(join(workspace, ".git"))
      spawnSync("git", ["init", "-q", workspace])
      const { commandId } = yield* start(
        `git config core.fsmonitor evil; touch ${directory}/outside; git init -q made; ln -s ${directory}/x .git/ORIG_HEAD; echo done`,
        {}
      )
      let seen = yield* read(commandId, soon)
      while (seen.ended === null) seen = yield* read(commandId, { fromOffset: seen.nextOffset, waitMillis: 20_000 })
      const { text } = yield* read(commandId, { fromOffset: 0, waitMillis: 0 })
      assert.include(text, 'held back "made/.git"')
      assert.isFalse(existsSync(join(directory, "outside")))
      assert.isFalse(existsSync(join(workspace, ".git/ORIG_HEAD")))
      assert.notInclude(spawnSync("git", ["-C", workspace, "config", "-l"], { encoding: "utf8" }).stdout, "evil")
    })
  )

  it.live("leave nothing in a git directory that leads elsewhere, from the next read on", () =>
    Effect.gen(function* () {
      const { directory, read, start, stop, workspace } = yield* session
      spawnSync("git", ["init", "-q", workspace])
      const rebase = `mkdir .git/rebase-merge; echo "exec true" > .git/rebase-merge/git-rebase-todo`
      const { commandId } = yield* start(
        `${rebase}; rm .git/HEAD; ln -s ${directory}/x .git/ORIG_HEAD; git init -q made; echo done; sleep 60`,
        {}
      )
      let text = ""
      while (!text.includes("done\n")) ({ text } = yield* read(commandId, { fromOffset: 0, waitMillis: 20_000 }))
      const seen = yield* read(commandId, { fromOffset: 0, waitMillis: 0 })
      assert.isNull(seen.ended)
      assert.match(seen.text, /HEAD was missing; the previous file was restored\]/u)
      assert.match(seen.text, /removed [^\n]*ORIG_HEAD, which was a link to/u)
      assert.include(seen.text, 'held back "made/.git"')
      assert.match(readFileSync(join(workspace, ".git/HEAD"), "utf8"), /^ref: refs\/heads\//u)
      assert.isFalse(existsSync(join(workspace, ".git/ORIG_HEAD")))
      const todo = join(workspace, ".git/rebase-merge/git-rebase-todo")
      assert.strictEqual(readFileSync(todo, "utf8"), "break\n")
      yield* stop(commandId)
    })
  )

  it.live("leave a user's git nothing that runs a program, even if their output is not read", () =>
    Effect.gen(function* () {
      const { read, start, stop, workspace } = yield* session
      const person = ["-c", "user.name=a", "-c", "user.email=a@b"]
      const git = (...args: ReadonlyArray<string>) =>
        spawnSync("git", ["-C", workspace, ...person, ...args], {
          encoding: "utf8",
          env: { PATH: process.env["PATH"], GIT_SEQUENCE_EDITOR: "sed -i s/^pick/edit/" }
        })
      git("init", "-q", "-b", "main")
      for (const message of ["one", "two", "three"]) git("commit", "-q", "--allow-empty", "-m", message)
      git("rebase", "-q", "-i", "--keep-empty", "HEAD~2")
      const todo = join(workspace, ".git/rebase-merge/git-rebase-todo")
      const before = readFileSync(todo, "utf8")
      assert.include(before, "three")
      const odd = [
        'echo "exec touch ran" >> .git/rebase-merge/git-rebase-todo',
        'echo "ref: commondir" > .git/ORIG_HEAD',
        "echo x > hook; git update-index --add --cacheinfo 100755,$(git hash-object -w hook),+git/hooks/post-checkout",
        "sed -i s,+git/hooks,.git/hooks, .git/index"
      ]
      // One of them changes only after the others were found.
      const { commandId } = yield* start(
        `${odd.join("; ")}; until [ -e go ]; do sleep 0.1; done; ${odd[1]}; sleep 60`,
        {}
      )
      const isHarmless = () =>
        !readFileSync(todo, "utf8").includes("exec") &&
        !existsSync(join(workspace, ".git/ORIG_HEAD")) &&
        !git("ls-files").stdout.includes(".git/hooks")
      const held = () => readdirSync(join(workspace, ".git")).includes("bough-held")
      assert.isTrue(yield* eventually(() => held() && isHarmless()))
      writeFileSync(join(workspace, "go"), "")
      const count = readdirSync(join(workspace, ".git/bough-held")).length
      assert.isTrue(yield* eventually(() => readdirSync(join(workspace, ".git/bough-held")).length > count))
      assert.isTrue(yield* eventually(isHarmless))
      const { ended, text } = yield* read(commandId, { fromOffset: 0, waitMillis: 0 })
      assert.isNull(ended)
      for (const said of ["would have run touch ran", "ORIG_HEAD to", "git/hooks/post-checkout"]) {
        assert.include(text, said)
      }
      yield* stop(commandId)
      git("rebase", "--continue")
      git("rebase", "--continue")
      assert.isFalse(existsSync(join(workspace, "ran")))
    })
  )

  it.live("belong to their session, and have names", () =>
    Effect.gen(function* () {
      const { backgroundOf, start, stop } = yield* session
      const { commandId } = yield* start("sleep 30", {})
      const other = yield* Effect.flip(backgroundOf("b").read(commandId, { fromOffset: 0, waitMillis: 0 }))
      assert.match(other.message, /there is no command "cmd-1"; there are none/u)
      assert.match((yield* Effect.flip(stop("cmd-7"))).message, /there are cmd-1$/u)
      yield* stop(commandId)
    })
  )

  it.live("report the error that kept them from starting", () =>
    Effect.gen(function* () {
      const { read, start } = yield* session
      const { commandId } = yield* start("true", { cwd: "../.." })
      const { ended } = yield* read(commandId, soon)
      assert.include(ended?.reason ?? "", "outside the workspace")
    })
  )

  it.live("are at most sixteen at once", () =>
    Effect.gen(function* () {
      const { start } = yield* session
      for (let count = 0; count < 16; count++) yield* start("sleep 60", {})
      assert.match((yield* Effect.flip(start("true", {}))).message, /16 commands are running: stop one \(cmd-1, /u)
    })
  )

  it.live("continue from a call that no longer waits: at its time limit, or when the user detaches them", () =>
    Effect.gen(function* () {
      const { background, read, run, stop } = yield* session
      const command = "echo on; until [ -e go ]; do sleep 0.02; done; echo over; exit 3"
      const left = yield* run(command, { timeoutMillis: 300, atTimeLimit: "leave", merged: true })
      assert.deepStrictEqual([left.exitCode, left.signal, left.continuesAs?.commandId], [null, null, "cmd-1"])
      assert.strictEqual(left.stdout.length, left.continuesAs?.nextOffset)
      const second = yield* Effect.forkChild(run("echo mine; sleep 60", { atTimeLimit: "kill", merged: true }))
      while (background.leave(tree) === 0) yield* Effect.sleep(10)
      assert.strictEqual((yield* Fiber.join(second)).continuesAs?.commandId, "cmd-2")
      assert.strictEqual(background.leave(tree), 0)
      yield* run("touch go")
      const { nextOffset } = yield* read("cmd-1", { fromOffset: 0, waitMillis: 20_000 })
      let seen = yield* read("cmd-1", { fromOffset: nextOffset, waitMillis: 20_000 })
      while (seen.ended === null) seen = yield* read("cmd-1", { fromOffset: seen.nextOffset, waitMillis: 20_000 })
      assert.strictEqual(seen.ended.exitCode, 3)
      assert.strictEqual((yield* read("cmd-1", { fromOffset: 0, waitMillis: 0 })).text, "on\nover\n")
      assert.strictEqual((yield* stop("cmd-2")).ended?.reason, "stopped")
    })
  )

  it.live("end with a call that still waits: at its time limit, and by an interruption", () =>
    Effect.gen(function* () {
      const { background, run } = yield* session
      const seconds = sleeper()
      const error = yield* Effect.flip(run(`sleep ${seconds}`, { timeoutMillis: 500, atTimeLimit: "kill" }))
      assert.strictEqual(error._tag, "Timeout")
      assert.strictEqual(processesWith(seconds), 0)
      const running = yield* Effect.forkChild(run(`sleep ${seconds}`, { atTimeLimit: "leave" }))
      assert.isTrue(yield* eventually(() => processesWith(seconds) > 0))
      yield* Fiber.interrupt(running)
      assert.strictEqual(processesWith(seconds), 0)
      assert.deepStrictEqual(background.list(tree), [])
      const short = yield* run("echo short; exit 2", { atTimeLimit: "leave", merged: true })
      assert.deepStrictEqual([short.exitCode, short.stdout, short.continuesAs], [2, "short\n", undefined])
    })
  )
})
