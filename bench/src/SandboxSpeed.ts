/**
 * The cost of the sandbox and its proxy: a command compared with the same command started directly, a download with and
 * without the proxy, and the number of calls per second that are matched against rules.
 */
import { CommandProxy } from "@bough/network"
import { CommandWords } from "@bough/pack-shell"
import { Policy, type Rule, RuleText } from "@bough/policy"
import { Session } from "@bough/protocol"
import { BackgroundCommands, Sandbox } from "@bough/sandbox"
import { SampleInvocation } from "@bough/tool/testing"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { execFile } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import * as BareBubblewrap from "./BareBubblewrap.ts"
import { atMost, type Benchmark, figure, type Report, type Row } from "./Benchmark.ts"
import { check } from "./Check.ts"
import { interleave, median, min } from "./Statistics.ts"

const spawn = promisify(execFile)
const mebibyte = 1024 ** 2
const download = 256 * mebibyte
/** The time between the name of a tool and its arguments. */
const thinkingMillis = 100

const measure = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAtMillis = performance.now()
  await work()
  return performance.now() - startedAtMillis
}

/** Starts a server that sends zeros until `close`. */
const serveDownload = async () => {
  const piece = Buffer.alloc(mebibyte)
  const server = createServer((_, response) => {
    response.setHeader("content-length", download)
    let remaining = download / mebibyte
    const send = (): void => {
      while (remaining > 0) {
        remaining--
        if (!response.write(piece)) return void response.once("drain", send)
      }
      response.end()
    }
    send()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() }
}

const repositoryIn = async (folder: string): Promise<string> => {
  const repository = join(folder, "repository")
  for (let at = 0; at < 300; at++) mkdirSync(join(repository, `folder${at}`), { recursive: true })
  for (let at = 0; at < 300; at++) writeFileSync(join(repository, `folder${at}/file`), `${at}\n`)
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b.example"]
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    [...identity, "commit", "-q", "-m", "all"]
  ]) {
    await spawn("git", ["-C", repository, ...args])
  }
  return repository
}

/** Caches the facts about the sandbox in memory, as a program caches them from one start to the next. */
const inMemory = () => {
  let facts: string | null = null
  return { recall: () => facts, remember: (text: string) => void (facts = text) }
}

/** Measures the same command bare, in a sandbox, and in a sandbox with a port to the proxy. */
const commands = async (folder: string, rounds: number): Promise<ReadonlyArray<Row>> => {
  const { port, close } = await serveDownload()
  const proxy = CommandProxy.make({ allow: [{ host: "localhost", port }] })
  const environment = { PATH: "/usr/bin:/bin" }
  const sandbox = await Effect.runPromise(Sandbox.make({}, environment, { proxy }))
  const { make } = sandbox.provided({ root: folder, writable: true })
  const closed = make({} as never, () => {})
  const repository = await repositoryIn(folder)
  const within = sandbox.provided({ root: repository, writable: true }).make({} as never, () => {})
  const joined = make({} as never, () => {}, { admitHost: () => Effect.succeed(null) })
  const inside = (way: typeof closed, command: string) => async () => {
    const ran = await Effect.runPromise(way.run(command))
    check(ran.exitCode === 0, `${command}: ${ran.stderr}`)
  }
  const scope = Scope.makeUnsafe()
  const background = await Effect.runPromise(Effect.provideService(BackgroundCommands.make, Scope.Scope, scope))
  const shared = await Effect.runPromise(Sandbox.make({ backend: "session" }, environment, { proxy }))
  const shellIn = (root: string) =>
    shared
      .provided({ root, writable: true, background })
      .make(SampleInvocation.make({ sessionId: Session.SessionId.make(root) }), () => {})
  const [shell, shellWithin] = [shellIn(folder), shellIn(repository)]
  const bubblewrap = await BareBubblewrap.make(join(folder, "bubblewrap"), environment)
  const bare = (command: string) => () => spawn(bubblewrap.shell, ["-c", "--", command], { env: environment })
  const sandboxFacts = inMemory()
  /** Runs the first command of a program, whose placeholders are removed after its result. */
  const first = async (): Promise<number> => {
    const scope = Scope.makeUnsafe()
    const background = await Effect.runPromise(Effect.provideService(BackgroundCommands.make, Scope.Scope, scope))
    const millis = await measure(async () => {
      const fresh = await Effect.runPromise(Sandbox.make({}, environment, { proxy, tried: sandboxFacts }))
      const { make } = fresh.provided({ root: folder, writable: true, background })
      await inside(
        make(SampleInvocation.make({ sessionId: Session.SessionId.make("first") }), () => {}),
        "true"
      )()
    })
    await Effect.runPromise(Scope.close(scope, Exit.void))
    return millis
  }
  const waiting = sandbox.provided({ root: folder, writable: true, background })
  const session = waiting.make(SampleInvocation.make({ sessionId: Session.SessionId.make("ahead") }), () => {})
  /** Names the tool, and writes the command for a while, as a model does. */
  const ahead = async (): Promise<number> => {
    await Effect.runPromise(waiting.prepare ?? Effect.void)
    await setTimeout(thinkingMillis)
    return measure(async () => {
      const ran = await Effect.runPromise(session.run("true", { merged: true }))
      check(ran.exitCode === 0, ran.stderr)
    })
  }
  const eight = () => Promise.all(Array.from({ length: 8 }, inside(closed, "true")))
  await inside(closed, "true")()
  await inside(shell, "true")()
  await inside(shellWithin, "true")()
  await first()
  const started = await interleave(rounds, {
    bare: () => measure(bare("true")),
    bubblewrap: () => measure(() => bubblewrap.run("true")),
    first,
    eight: () => measure(eight),
    ahead,
    sandboxed: () => measure(inside(closed, "true")),
    repository: () => measure(inside(within, "true")),
    shell: () => measure(inside(shell, "true")),
    shellWithin: () => measure(inside(shellWithin, "true")),
    proxied: () => measure(inside(joined, "true"))
  })
  const url = `http://localhost:${port}/`
  const fetched = await interleave(Math.max(3, Math.floor(rounds / 10)), {
    bare: () => measure(bare(`curl -sS -o /dev/null ${url}`)),
    plain: () => measure(inside(joined, `curl -sS --noproxy '' -o /dev/null ${url}`)),
    tunnel: () => measure(inside(joined, `curl -sS -p --noproxy '' -o /dev/null ${url}`))
  })
  close()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  const overheadRow = (label: string, samples: ReadonlyArray<number>): Row => ({
    label,
    ratio: median(samples) / median(started.bare),
    figures: [
      figure("in the sandbox", median(samples), "ms"),
      figure("min", min(samples), "ms"),
      figure("bare", median(started.bare), "ms"),
      figure("bubblewrap alone", median(started.bubblewrap), "ms"),
      figure("min", min(started.bubblewrap), "ms")
    ],
    aim: null
  })
  const least = min(started.ahead) / min(started.bubblewrap)
  const perSecond = (samples: ReadonlyArray<number>): number => download / mebibyte / (median(samples) / 1000)
  const throughput = (label: string, samples: ReadonlyArray<number>): Row => ({
    label,
    ratio: median(samples) / median(fetched.bare),
    figures: [figure("proxy", perSecond(samples), "MB/s"), figure("direct", perSecond(fetched.bare), "MB/s")],
    aim: null
  })
  return [
    overheadRow("bubblewrap alone, with the same mounts", started.bubblewrap),
    { ...overheadRow("a command", started.ahead), aim: atMost(least, 1.3, "1.3 × the least of bubblewrap alone") },
    overheadRow("a command in a sandbox not made ahead", started.sandboxed),
    { ...overheadRow("the first command", started.first), aim: atMost(median(started.first), 15, "15 ms") },
    overheadRow("eight commands at once", started.eight),
    overheadRow("a command in a repository of 300 folders", started.repository),
    overheadRow("a command with a way to the network", started.proxied),
    overheadRow("a command in the session's shell", started.shell),
    overheadRow("the same in a repository of 300 folders", started.shellWithin),
    throughput("256 MB by plain HTTP", fetched.plain),
    throughput("256 MB through a tunnel", fetched.tunnel)
  ]
}

const rule = (text: string): Rule.Rule => Result.getOrThrow(RuleText.parse(text))

/** Measures calls of run_command against many rules, of which only the last matches. */
const rules = async (calls: number): Promise<ReadonlyArray<Row>> => {
  const many = Array.from({ length: 99 }, (_, at) => rule(`run_command command="tool${at} run *" escalate.to=host`))
  const policy: Policy.Policy = {
    rules: [...many, rule('run_command command="npm test *" escalate.to=host')],
    approve: "ask"
  }
  const line = "npm test -- --watch && npm test src | npm test 'a b'"
  const facts: Policy.Facts = {
    tool: "run_command",
    tier: "Elevated",
    reach: "Confined",
    tainted: null,
    newHost: null,
    raised: null,
    runsCommands: true,
    arguments: { command: line, escalate: { to: "host", reason: "because" } },
    defaults: {},
    incidental: new Set(["escalate.reason"]),
    workspaceRoot: "/",
    destination: null,
    commands: await Effect.runPromise(CommandWords.read(line))
  }
  const decided = await measure(async () => {
    for (let at = 0; at < calls; at++) check(Policy.evaluate(policy, facts)._tag === "Allow", "the last rule answers")
  })
  const read = await measure(async () => {
    for (let at = 0; at < calls; at++) await Effect.runPromise(CommandWords.read(line))
  })
  const row = (label: string, millis: number): Row => ({
    label,
    ratio: null,
    figures: [figure("calls", calls / (millis / 1000), "/s")],
    aim: null
  })
  return [row("a call against 100 rules about commands", decided), row("a command line of three commands, read", read)]
}

const run: Benchmark["run"] = async ({ folder, quick }): Promise<Report> => {
  const ruled = await rules(quick ? 500 : 5_000)
  const sandboxed = await commands(folder, quick ? 10 : 60).catch((error: unknown) => String(error))
  return {
    rows: [...(typeof sandboxed === "string" ? [] : sandboxed), ...ruled],
    notes: [
      "Bare: the same command by the same shell, started by Node. Medians of runs in turn, and the least.",
      `A command: the model names its tool ${thinkingMillis} ms before it has written the command. The other rows, but those of a shell, start from nothing.`,
      "The first command: of a sandbox that was tried by an earlier process and that nothing made ready.",
      "The server of the downloads, the proxy and what measures are one process: both ways of a byte through the proxy are its work too."
    ],
    notMeasured: typeof sandboxed === "string" ? [`commands: ${sandboxed}`] : []
  }
}

export const benchmark: Benchmark = { name: "sandbox", title: "The sandbox, its proxy and rules about commands", run }
