/** An approval covers exactly the preview: the addresses of a name, and the files of a command outside any sandbox. */
import { Policy } from "@bough/policy"
import { Capability, Grant, Tool, ToolContext, type WorkspaceRead } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HostFiles from "../src/HostFiles.ts"
import { type Answer, requestFor, Done, done, fake, holding, world } from "./Harness.ts"

const goTo = (answers: ReadonlyArray<ReadonlyArray<string>>, host = "near.test") => {
  let looked = 0
  const tool = Tool.make("go", {
    version: 1,
    description: "Goes there",
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [Capability.NetworkRead],
    egress: { address: () => `http://${host}/` },
    parameters: Schema.Struct({ url: Schema.String }),
    output: Done,
    classify: () =>
      Effect.sync(() => {
        const addresses = answers[Math.min(looked, answers.length - 1)]
        looked += 1
        const grant = Grant.Grant.cases.Host.make({ host, port: 80, addresses })
        return { tier: "Elevated", reason: `it is ${addresses.join()}`, grants: [grant] } as const
      }),
    execute: () => Effect.succeed(done)
  })
  return world({ tools: [tool], context: holding(Capability.NetworkRead), answers: ["approve"] })
}

const go = requestFor("go", { url: "http://near.test/" })

describe("an approval of an address", () => {
  it.effect("contains the addresses that were shown, and grants these", () =>
    Effect.gen(function* () {
      const { end, records } = goTo([["10.0.0.1"]])
      assert.strictEqual((yield* end(go)).outcome._tag, "Succeeded")
      const pinned = { _tag: "Addresses", host: "near.test", port: 80, addresses: ["10.0.0.1"] } as const
      assert.deepInclude(records.requests[0].preview.preconditions, pinned)
      assert.deepInclude(records.started[0].preconditions, pinned)
      assert.deepStrictEqual<unknown>(records.started[0].grants[0], { ...pinned, _tag: "Host" })
    })
  )

  it.effect(
    "lapses if the name has another address after the decision, and is requested again with the current one",
    () =>
      Effect.gen(function* () {
        const { end, records } = goTo([["10.0.0.1"], ["127.0.0.1"]])
        yield* end(go)
        assert.deepStrictEqual(
          records.requests.map(({ reason }) => reason),
          ["it is 10.0.0.1", "it is 127.0.0.1"]
        )
        assert.deepStrictEqual(records.lapsed, ["the call needs other hosts or paths"])
        const restless = goTo([["10.0.0.1"], ["10.0.0.2"], ["10.0.0.3"], ["10.0.0.4"]])
        assert.strictEqual((yield* restless.end(go)).outcome._tag, "Failed")
        assert.deepStrictEqual(restless.records.started, [])
      })
  )

  it.effect("is offered as a rule only if the name identifies the host", () =>
    Effect.gen(function* () {
      const isOffered = (host: string, ...addresses: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const { end, records } = goTo([addresses], host)
          yield* end(go)
          return !records.requests[0].everyTime
        })
      assert.isFalse(yield* isOffered("near.test", "10.0.0.1"))
      assert.isFalse(yield* isOffered("notlocalhost", "127.0.0.1"))
      assert.isTrue(yield* isOffered("localhost", "127.0.0.1", "::1"))
      assert.isTrue(yield* isOffered("10.0.0.1", "10.0.0.1"))
      assert.isTrue(yield* isOffered("far.test"), "an unusual port of public addresses")
    })
  )
})

/**
 * A workspace of these files, by path. A change of a content is dated back, and visible as such. A content "link:…" is a
 * link that leaves the workspace.
 */
const files = (contents: Map<string, string>, bytes: number) =>
  fake<WorkspaceRead.WorkspaceRead["Service"]>({
    inspect: (path) =>
      [...contents].some(([at, text]) => text.startsWith("link:") && `${path}/`.startsWith(`${at}/`))
        ? Effect.die("it leads out of the workspace")
        : Effect.succeed({ path: path.replace(/^\.\//u, ""), sensitivity: "none" }),
    info: (path) =>
      contents.has(path)
        ? Effect.succeed({
            path,
            kind: "file",
            bytes,
            modifiedAtMillis: 0,
            changedAtMillis: contents.get(path)?.length ?? 0,
            mode: "644"
          })
        : Effect.die("nothing is there"),
    digest: (path) => Effect.succeed(contents.get(path) ?? null)
  })

const command = (setting: {
  readonly contents: Map<string, string>
  readonly answers: ReadonlyArray<Answer | (() => Answer)>
  readonly reach?: Capability.Reach
  readonly writes?: () => string
  /** The size of each file; default: one byte. */
  readonly bytes?: number
  /** True if each call asks to run outside of the sandbox. */
  readonly leaves?: boolean
}) => {
  const run = Tool.make("run", {
    version: 1,
    description: "Runs",
    tier: "System",
    replay: "Unsafe",
    capabilities: [Capability.Execution],
    parameters: Schema.Struct({ command: Schema.String, cwd: Schema.optionalKey(Schema.String) }),
    output: Done,
    ...(setting.leaves === true
      ? {
          classify: () =>
            Effect.succeed({
              tier: "Elevated",
              reason: "leaves",
              grants: [Grant.Grant.cases.Unconfined.make({})]
            } as const)
        }
      : {}),
    execute: () => Effect.succeed(done)
  })
  const executing = ToolContext.provide(ToolContext.empty("Main"), Capability.Execution, {
    make: () => fake({}),
    reach: setting.reach ?? "Host",
    preconditions: []
  })
  const context = ToolContext.provide(
    executing,
    Capability.WorkspaceRead,
    ToolContext.constant(files(setting.contents, setting.bytes ?? 1))
  )
  return world({
    tools: [run],
    context,
    policy: Policy.defaults,
    answers: setting.answers,
    ...(setting.writes === undefined ? {} : { workspaceWrites: setting.writes })
  })
}

describe("an approval of a command outside any sandbox", () => {
  it.effect("lapses when a file that its command line names has changed", () =>
    Effect.gen(function* () {
      for (const line of ["sh build.sh", "sh ./build.sh>log", `X=1;bash "build.sh" --fast`, "cat x|sh<build.sh"]) {
        const contents = new Map([["build.sh", "one"]])
        const swap = (): Answer => {
          contents.set("build.sh", "two")
          return "approve"
        }
        const { end, records } = command({ contents, answers: [swap, { deny: null }] })
        assert.strictEqual((yield* end(requestFor("run", { command: line }))).outcome._tag, "Rejected", line)
        assert.deepStrictEqual(records.lapsed, ["the state in the preview has changed"], line)
        assert.deepStrictEqual(records.started, [], line)
        assert.deepInclude(records.requests[0].preview.preconditions, {
          _tag: "FileDigest",
          path: "build.sh",
          digest: "one"
        })
      }
    })
  )

  it.effect("lapses when a link has changed by which its command line leaves the workspace", () =>
    Effect.gen(function* () {
      for (const [line, path] of [
        ["sh build.sh", "build.sh"],
        ["sh tools/out/build.sh", "tools/out"]
      ] as const) {
        const contents = new Map<string, string>([[path, "link:one"]])
        const swap = (): Answer => {
          contents.set(path, "link:two")
          return "approve"
        }
        const { end, records } = command({ contents, answers: [swap, { deny: null }] })
        assert.strictEqual((yield* end(requestFor("run", { command: line }))).outcome._tag, "Rejected", line)
        assert.deepStrictEqual(records.lapsed, ["the state in the preview has changed"], line)
        assert.deepStrictEqual(records.started, [], line)
        assert.deepInclude(records.requests[0].preview.preconditions, { _tag: "FileDigest", path, digest: "link:one" })
      }
    })
  )

  it.effect("lapses when a file that is too large to be read was changed and dated back", () =>
    Effect.gen(function* () {
      const contents = new Map([["build.sh", "one"]])
      const swap = (): Answer => {
        contents.set("build.sh", "other")
        return "approve"
      }
      const { end, records } = command({ contents, answers: [swap, { deny: null }], bytes: 64 * 1024 ** 2 })
      assert.strictEqual((yield* end(requestFor("run", { command: "sh build.sh" }))).outcome._tag, "Rejected")
      assert.deepStrictEqual(records.lapsed, ["the state in the preview has changed"])
    })
  )

  it.effect("finds files below its working directory", () =>
    Effect.gen(function* () {
      const contents = new Map([["sub/build.sh", "one"]])
      const { end, records } = command({ contents, answers: [{ deny: null }] })
      yield* end(requestFor("run", { command: "sh build.sh", cwd: "sub" }))
      assert.deepInclude(records.requests[0].preview.preconditions, {
        _tag: "FileDigest",
        path: "sub/build.sh",
        digest: "one"
      })
    })
  )

  it.effect("lapses when the tree has written anything since, and applies as long as it has not", () =>
    Effect.gen(function* () {
      let writes = "none"
      const write = (): Answer => {
        writes = "one"
        return "approve"
      }
      const contents = new Map<string, string>()
      const { end, records } = command({ contents, answers: [write, "approve"], writes: () => writes })
      assert.strictEqual((yield* end(requestFor("run", { command: "make" }))).outcome._tag, "Succeeded")
      assert.strictEqual(records.requests.length, 2)
      assert.deepStrictEqual(records.lapsed, ["the state in the preview has changed"])
      const calm = command({ contents, answers: ["approve"], writes: () => "same" })
      yield* calm.end(requestFor("run", { command: "make" }))
      assert.strictEqual(calm.records.requests.length, 1)
    })
  )

  it.effect("is offered as a rule only if its command line names no file of the workspace", () =>
    Effect.gen(function* () {
      const contents = new Map([["build.sh", "one"]])
      const everyTime = (line: string) =>
        Effect.gen(function* () {
          const { end, records } = command({ contents, answers: [{ deny: null }], writes: () => "none" })
          yield* end(requestFor("run", { command: line }))
          return records.requests[0].everyTime
        })
      assert.deepStrictEqual([yield* everyTime("sh build.sh"), yield* everyTime("npm test")], [true, false])
    })
  )

  it.effect("in a sandbox none of this is checked", () =>
    Effect.gen(function* () {
      const setting = { contents: new Map([["build.sh", "one"]]), answers: ["approve"], reach: "Open" } as const
      const { end, records } = command({ ...setting, writes: () => String(Math.random()) })
      yield* end(requestFor("run", { command: "sh build.sh" }))
      assert.deepStrictEqual(records.requests[0].preview.preconditions, [])
    })
  )

  it.effect.each([
    'sh "my build.sh"',
    "sh my\\ build.sh",
    "sh ./'my build.sh'",
    `sh m"y b"uild.sh;true`,
    'make --file="my build.sh"'
  ])("lapses when a file whose name is quoted has changed: %s", (line) =>
    Effect.gen(function* () {
      const { end, records } = command({ contents: new Map([["my build.sh", "one"]]), answers: [{ deny: null }] })
      yield* end(requestFor("run", { command: line }))
      const { preconditions } = records.requests[0].preview
      assert.deepInclude(preconditions, { _tag: "FileDigest", path: "my build.sh", digest: "one" })
    })
  )

  it.effect("covers the same for a sandboxed tool whose call asks to leave the sandbox", () =>
    Effect.gen(function* () {
      const contents = new Map([["build.sh", "one"]])
      const swap = (): Answer => {
        contents.set("build.sh", "two")
        return "approve"
      }
      const { end, records } = command({ contents, answers: [swap, { deny: null }], reach: "Open", leaves: true })
      assert.strictEqual((yield* end(requestFor("run", { command: "sh build.sh" }))).outcome._tag, "Rejected")
      assert.deepStrictEqual(records.lapsed, ["the state in the preview has changed"])
    })
  )

  it("the command line is split as by shells, and bounded", () => {
    const words = HostFiles.pathsNamed({ command: `a.sh "b c.sh" $(d.sh)\n'e.sh'`, argv: ["f g.sh"] })
    for (const word of ["a.sh", "d.sh", "e.sh", "f g.sh", "g.sh"]) assert.include(words, word)
    assert.isAtMost(HostFiles.pathsNamed({ command: "x ".repeat(9).concat("y1 y2 ".repeat(9999)) }).length, 256)
  })
})
