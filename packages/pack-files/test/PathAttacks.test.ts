import type { Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { FilesPack, FindFiles, ReadFile } from "../src/index.ts"
import { canary, command, isRoot, open, put, words } from "./Harness.ts"
import { type Attack, attacks, type Call, type Setup } from "./pathAttacks.ts"

type OpenedWorkspace = Effect.Success<ReturnType<typeof open>>

const fill = (text: string, { outside, root }: OpenedWorkspace): string =>
  text.replaceAll("$ROOT", root).replaceAll("$OUTSIDE", outside)

const prepare = (opened: OpenedWorkspace, setup: Setup): void => {
  const { at, root } = opened
  const place = (name: string): string => {
    fs.mkdirSync(path.dirname(at(name)), { recursive: true })
    return at(name)
  }
  if ("file" in setup) {
    put(root, { [setup.file]: setup.content ?? "x" })
    if (setup.mode !== undefined) fs.chmodSync(at(setup.file), setup.mode)
  } else if ("link" in setup) {
    fs.symlinkSync(fill(setup.to, opened), place(setup.link))
  } else if ("hardLink" in setup) {
    if (setup.owner !== undefined) fs.chownSync(fill(setup.to, opened), setup.owner, setup.owner)
    fs.linkSync(fill(setup.to, opened), place(setup.hardLink))
  } else if ("sparse" in setup) {
    fs.writeFileSync(place(setup.sparse), "")
    fs.truncateSync(at(setup.sparse), setup.bytes)
  } else if ("fifo" in setup) {
    command("mkfifo", [place(setup.fifo)])
  } else {
    command("mknod", [place(setup.device), "c", String(setup.major), String(setup.minor)])
  }
}

const inputOf = (call: Call, opened: OpenedWorkspace): Record<string, unknown> => {
  const { tool: _tool, ...input } =
    call.tool === "edit_file" ? { tool: call.tool, path: call.path, edits: [{ old: call.old, new: call.new }] } : call
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, typeof value === "string" ? fill(value, opened) : value])
  )
}

/** Names and content outside the workspace. */
const outsideOf = ({ base, outside }: OpenedWorkspace): unknown => [
  fs.readdirSync(base).toSorted(),
  fs.readdirSync(outside).map((name) => [name, fs.readFileSync(path.join(outside, name), "utf8")])
]

const tools: Readonly<Record<string, Tool.Any>> = FilesPack.all.tools

const attempt = Effect.fnUntraced(function* ({ call, expected, setup = [] }: Attack) {
  const opened = yield* open()
  for (const part of setup) prepare(opened, part)
  const before = outsideOf(opened)
  const tool = tools[call.tool]
  const input = inputOf(call, opened)

  if ("asked" in expected) {
    assert.include(yield* opened.raised(tool, input), expected.asked)
  } else if ("refused" in expected || "error" in expected) {
    const error = yield* Effect.flip(opened.call(tool, input))
    if ("error" in expected) assert.include(words(error), expected.error)
    else {
      assert(error._tag === "PermissionDenied", words(error))
      assert.isTrue(error.reason.startsWith(`${expected.refused}: `), error.reason)
    }
    assert.notInclude(JSON.stringify(error), canary)
  } else {
    const { output } = yield* opened.call(tool, input)
    if ("text" in expected) assert.strictEqual((output as { readonly text: string }).text, expected.text)
    else if ("paths" in expected) assert.deepStrictEqual(output.paths, expected.paths)
    else {
      const { holds } = expected
      assert.strictEqual(opened.text(holds.path), holds.text)
      if (holds.mode !== undefined) {
        assert.strictEqual((fs.statSync(opened.at(holds.path)).mode & 0o7777).toString(8), holds.mode)
      }
    }
  }
  assert.deepStrictEqual(outsideOf(opened), before)
})

describe("The file tools meet", () => {
  for (const attack of attacks.filter(({ needsRoot }) => needsRoot !== true)) {
    it.live(attack.name, () => attempt(attack))
  }
  for (const attack of attacks.filter(({ needsRoot }) => needsRoot === true)) {
    it.live.skipIf(!isRoot)(`${attack.name} [needs root]`, () => attempt(attack))
  }

  it.live("eight FIFOs at once, and still answer for a file beside them", () =>
    Effect.gen(function* () {
      const { at, call } = yield* open({ "ok.txt": "ok" })
      const names = Array.from({ length: 8 }, (_, index) => `f${index + 1}`)
      for (const name of names) command("mkfifo", [at(name)])
      const answers = yield* Effect.forEach(
        [...names, "ok.txt"],
        (name) =>
          Effect.match(call(ReadFile, { path: name }), {
            onFailure: words,
            onSuccess: ({ output }) => JSON.stringify(output)
          }),
        { concurrency: "unbounded" }
      )
      for (const answer of answers.slice(0, -1)) assert.match(answer, /NotRegular/)
      assert.include(answers.at(-1), '"text":"ok"')
    })
  )

  it.live("a line of two gigabytes, of which they show a part", () =>
    Effect.gen(function* () {
      const { at, call } = yield* open({ "one-line": "x".repeat(100_000) })
      fs.truncateSync(at("one-line"), 2 * 1024 ** 3)
      const before = process.memoryUsage().rss
      const { output } = yield* call(ReadFile, { path: "one-line", maxLines: 2000 })
      assert("text" in output)
      assert.isAtMost(output.text.length, 50 * 1024)
      assert.strictEqual(output.totalBytes, 2 * 1024 ** 3)
      assert.isBelow(process.memoryUsage().rss - before, 30 * 1024 ** 2)
    })
  )

  it.live("a directory with more files than they list, and say so", () =>
    Effect.gen(function* () {
      const { at, call } = yield* open()
      for (let index = 0; index < 1000; index++) fs.closeSync(fs.openSync(at(`f${index}`), "w"))
      const { output } = yield* call(FindFiles, { glob: "**/*" })
      assert.deepStrictEqual([output.paths.length, output.truncated], [200, true])
    })
  )
})
