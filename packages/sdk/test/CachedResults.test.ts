/** Cached results of equal calls: over real files, processes and servers, for any changes in between. */
import { ResultCache } from "@bough/dispatch"
import { Network } from "@bough/network"
import { WebFetch } from "@bough/pack-web/WebFetch"
import { RuleText } from "@bough/policy"
import { ProcessRunnerNode } from "@bough/sandbox"
import { Capability, Invocation, Tool, ToolContext } from "@bough/tool"
import { Workspace } from "@bough/workspace"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { requestFor, world } from "../../dispatch/test/Harness.ts"

const facts = {
  version: 1,
  description: "Reads",
  tier: "ReadOnly",
  replay: "Safe",
  cache: "reads",
  capabilities: [Capability.WorkspaceRead],
  parameters: Schema.Struct({ path: Schema.String }),
  output: Schema.Struct({ text: Schema.String })
} as const

const shown = (text: string) => Tool.result({ output: { text }, display: "Read" })

/** The text of a file, or why there is none. */
const textOf = (path: string) =>
  Effect.flatMap(Capability.WorkspaceRead, (workspace) =>
    Effect.match(workspace.readFile(path, 100_000), {
      onSuccess: ({ bytes }) => new TextDecoder().decode(bytes),
      onFailure: ({ _tag }) => _tag
    })
  )

let between: () => void = () => {}

const readAll = Tool.make("read_all", {
  ...facts,
  execute: Effect.fnUntraced(function* ({ path }) {
    const workspace = yield* Capability.WorkspaceRead
    const found = yield* Effect.match(workspace.find("*.txt", path, 1000), {
      onSuccess: ({ items }) => items,
      onFailure: () => []
    })
    between()
    const texts = yield* Effect.forEach(found, textOf)
    return shown(JSON.stringify(found.map((name, index) => [name, texts[index]])))
  })
})

const readOne = Tool.make("read_one", {
  ...facts,
  execute: ({ path }) => Effect.map(textOf(path), shown)
})

const walk = Tool.make("walk", {
  ...facts,
  execute: Effect.fnUntraced(function* ({ path }) {
    const workspace = yield* Capability.WorkspaceRead
    const options = { recursive: true, hidden: true, ignored: true, measure: false, limit: 100 }
    return shown(JSON.stringify((yield* workspace.list(path, options)).items.map((item) => item.path)))
  })
})

const whoCalls = Tool.make("who_calls", {
  ...facts,
  execute: Effect.fnUntraced(function* () {
    return shown((yield* Invocation.Invocation).toolCallId)
  })
})

const opened = Effect.gen(function* () {
  const root = yield* Effect.acquireRelease(
    Effect.sync(() => fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "bough-cached-")))),
    (path) => Effect.sync(() => fs.rmSync(path, { recursive: true, force: true }))
  )
  const at = (name: string) => join(root, name)
  for (const folder of ["a", "b", "c"]) {
    fs.mkdirSync(at(folder))
    fs.writeFileSync(at(`${folder}/1.txt`), `${folder}1`)
    fs.writeFileSync(at(`${folder}/2.txt`), `${folder}2`)
  }
  fs.symlinkSync("a/1.txt", at("link.txt"))
  const workspace = yield* Workspace.make({ root }).pipe(Effect.provide(ProcessRunnerNode.layer))
  const context = Workspace.provideReads(ToolContext.empty("Main"), workspace)
  const tools = [readAll, readOne, walk, whoCalls]
  const results = ResultCache.make()
  return {
    at,
    workspace,
    cached: world({ tools, context, results }),
    denying: (text: string) =>
      world({ tools, context, results, policy: { rules: [Result.getOrThrow(RuleText.parse(text))], approve: "ask" } }),
    fresh: world({ tools, context }),
    untrusted: world({ tools, context: marked(context), results })
  }
}).pipe(Effect.tap(() => settled))

/** The same capabilities, which label each call that they serve as untrusted. */
const marked = (context: ToolContext.ToolContext): ToolContext.ToolContext => ({
  ...context,
  capabilities: new Map(
    Array.from(context.capabilities, ([key, provided]) => [
      key,
      {
        ...provided,
        make: (invocation, mark, bounds) => {
          mark("untrusted")
          return provided.make(invocation, mark, bounds)
        }
      }
    ])
  )
})

/** Facts that are younger than a tick of the clock are not trusted. */
const settled = Effect.sleep(60)

type OpenedPrograms = Effect.Success<typeof opened>

const call = Effect.fnUntraced(function* ({ cached, fresh }: OpenedPrograms, name: string, path: string) {
  const requested = requestFor(name, { path })
  const [one, other] = [yield* cached.end(requested), yield* fresh.end(requested)]
  assert.deepStrictEqual(one.outcome, other.outcome)
  assert.strictEqual(one.receipt?.outputDigest, other.receipt?.outputDigest)
  return one.receipt?.cached !== undefined
})

/** A generator of numbers whose seed a failure names. */
const numbers = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

const exchange = (one: string, other: string): void => {
  const aside = `${one}.aside`
  fs.renameSync(one, aside)
  fs.renameSync(other, one)
  fs.renameSync(aside, other)
}

const changes: ReadonlyArray<
  (world: OpenedPrograms, pick: (below: number) => number) => Effect.Effect<unknown, unknown>
> = [
  ({ workspace }, pick) =>
    workspace.write([]).writeFile(`${"abc"[pick(3)]}/${1 + pick(2)}.txt`, bytes(`t${pick(9)}`), null),
  ({ at }, pick) =>
    Effect.sync(() => execFileSync("sh", ["-c", `printf x${pick(9)} > "$0"`, at(`${"abc"[pick(3)]}/1.txt`)])),
  // The size stays, and the time of the change is set back.
  ({ at }, pick) =>
    Effect.sync(() => {
      const file = at(`${"abc"[pick(3)]}/2.txt`)
      const { atime, mtime } = fs.statSync(file)
      fs.writeFileSync(file, `o${pick(9)}`)
      fs.utimesSync(file, atime, mtime)
    }),
  ({ at }, pick) => Effect.sync(() => exchange(at(`${"abc"[pick(3)]}/1.txt`), at(`${"abc"[pick(3)]}/2.txt`))),
  ({ at }) => Effect.sync(() => exchange(at("a"), at("b"))),
  ({ at }, pick) =>
    Effect.sync(() => {
      fs.rmSync(at("link.txt"))
      fs.symlinkSync(`${"abc"[pick(3)]}/1.txt`, at("link.txt"))
    }),
  ({ at }, pick) => Effect.sync(() => fs.writeFileSync(at(".gitignore"), ["", "b\n", "1.txt\n"][pick(3)])),
  ({ at }, pick) =>
    Effect.sync(() =>
      fs.existsSync(at("c/new.txt")) ? fs.rmSync(at("c/new.txt")) : fs.writeFileSync(at("c/new.txt"), `n${pick(9)}`)
    )
]

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const calls = [
  ["read_all", "."],
  ["read_all", "a"],
  ["read_one", "a/1.txt"],
  ["read_one", "link.txt"],
  ["read_one", "b/2.txt"],
  ["read_one", "missing.txt"]
] as const

describe("a cached result", () => {
  it.live.each([1, 2, 3, 4, 5, 6])(
    "equals that of a fresh call, whatever changed the files (seed %i)",
    (seed) =>
      Effect.gen(function* () {
        const world = yield* opened
        const pick = numbers(seed)
        let hits = 0
        for (let step = 0; step < 24; step++) {
          if (pick(3) === 0) yield* settled
          if (pick(2) === 0) yield* Effect.result(changes[pick(changes.length)](world, pick))
          for (const [name, path] of calls) hits += Number(yield* call(world, name, path))
        }
        assert.isAbove(hits, 5)
      }).pipe(Effect.scoped),
    thoroughOnly
  )

  it.live.each([
    ["one.txt", "one.txt"],
    ["one", "one/1.txt"]
  ])("is not reused if a link is replaced that another link names (%s)", ([first, path]) =>
    Effect.gen(function* () {
      const world = yield* opened
      // The directory of the second link is not on the way to the file.
      const second = "c/link"
      const target = (folder: string) => (first === path ? `../${folder}/1.txt` : `../${folder}`)
      fs.symlinkSync(second, world.at(first))
      fs.symlinkSync(target("a"), world.at(second))
      yield* settled
      assert.isFalse(yield* call(world, "read_one", path))
      assert.isTrue(yield* call(world, "read_one", path))
      fs.rmSync(world.at(second))
      fs.symlinkSync(target("b"), world.at(second))
      assert.isFalse(yield* call(world, "read_one", path))
    }).pipe(Effect.scoped)
  )

  it.live("is not cached if a file changed and changed back while the call read", () =>
    Effect.gen(function* () {
      const world = yield* opened
      const file = world.at("a/1.txt")
      between = () => fs.writeFileSync(file, "b!")
      yield* world.cached.end(requestFor("read_all", { path: "." }))
      between = () => {}
      fs.writeFileSync(file, "a1")
      yield* settled
      assert.isFalse(yield* call(world, "read_all", "."))
      assert.isTrue(yield* call(world, "read_all", "."))
    }).pipe(Effect.scoped)
  )

  it.live("is not cached for reads that cannot be tracked, nor if it depends on the individual call", () =>
    Effect.gen(function* () {
      const world = yield* opened
      for (const name of ["walk", "who_calls"]) {
        assert.strictEqual((yield* world.cached.end(requestFor(name, { path: "." }))).outcome._tag, "Succeeded")
        assert.isFalse(yield* call(world, name, "."), name)
      }
    }).pipe(Effect.scoped)
  )

  it.live("has the labels of the run that read it", () =>
    Effect.gen(function* () {
      const { untrusted } = yield* opened
      yield* untrusted.end(requestFor("read_one", { path: "a/1.txt" }))
      assert.isDefined((yield* untrusted.end(requestFor("read_one", { path: "a/1.txt" }))).receipt?.cached)
      assert.deepStrictEqual(
        untrusted.records.ended.map(({ labels }) => [...labels].toSorted()),
        [
          ["private", "untrusted"],
          ["private", "untrusted"]
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.live("answers no call under other rules or labels, and a rule that denies it comes first", () =>
    Effect.gen(function* () {
      const world = yield* opened
      const requested = requestFor("read_one", { path: "a/1.txt" })
      yield* world.cached.end(requested)
      const labelled = yield* world.cached.end({ ...requested, labels: ["untrusted"] })
      assert.isUndefined(labelled.receipt?.cached)
      assert.isDefined((yield* world.cached.end(requested)).receipt?.cached)
      const { outcome } = yield* world.denying('deny read_one path="a/1.txt"').end(requested)
      assert.strictEqual(outcome._tag, "Rejected")
    }).pipe(Effect.scoped)
  )
})

/** Serves /kept with an expiry time, /plain without, /moved as a redirect to /kept. */
const served = Effect.acquireRelease(
  Effect.callback<{ readonly base: string; readonly requests: Array<string>; readonly close: () => void }>((resume) => {
    const requests: Array<string> = []
    const server = createServer(({ url = "" }, response) => {
      requests.push(url)
      response.setHeader("content-type", "text/plain")
      if (url === "/moved") response.setHeader("location", "/kept").writeHead(302)
      if (url === "/kept") response.setHeader("cache-control", "private, max-age=600")
      response.end(`answer ${requests.length}`)
    })
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      resume(Effect.succeed({ base: `http://127.0.0.1:${port}`, requests, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

describe("an answer from the network", () => {
  it.live("is reused only if every hop states an expiry time", () =>
    Effect.gen(function* () {
      const { base, requests } = yield* served
      const port = Number(new URL(base).port)
      const network = Network.make({ allow: [{ host: "127.0.0.1", port }] })
      const context = Network.provideReads(ToolContext.empty("Main"), network)
      const { end } = world({ tools: [WebFetch], context, results: ResultCache.make() })
      const fetch = (path: string) => end(requestFor("web_fetch", { url: base + path }))
      const first = yield* fetch("/kept")
      const second = yield* fetch("/kept")
      assert.strictEqual(first.outcome._tag, "Succeeded")
      assert.deepStrictEqual(second.outcome, first.outcome)
      assert.deepStrictEqual(second.receipt?.cached, { sessionId: "session-1", toolCallId: "call-1" })
      assert.deepStrictEqual(second.receipt?.artifacts, [])
      for (const path of ["/plain", "/plain", "/moved", "/moved"]) yield* fetch(path)
      assert.deepStrictEqual(requests, ["/kept", "/plain", "/plain", "/moved", "/kept", "/moved", "/kept"])
    }).pipe(Effect.scoped)
  )
})
