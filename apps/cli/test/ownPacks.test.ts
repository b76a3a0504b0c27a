/** A `bough` with custom packs: with `--packs`, and as a program that `bough build` made. */
import { SessionKind, ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { thoroughOnly } from "../../../test/thorough.ts"
import { definePacks } from "../src/own/definePacks.ts"
import { binary, type TestFolder, put, withTestFolder } from "./program/Bough.ts"

const repository = fileURLToPath(new URL("../../..", import.meta.url))

const greet = `
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const facts = { version: 1, parameters: Schema.Struct({ name: Schema.String }), output: Schema.Struct({ text: Schema.String }) } as const

export const Greet = Tool.make("greet", {
  ...facts, description: "Greet somebody", tier: "ReadOnly", replay: "Safe", capabilities: [],
  execute: ({ name }) => Effect.succeed(Tool.result({ output: { text: \`Hello, \${name}\` }, display: "Greeted" }))
})

export const Sign = Tool.make("sign_book", {
  ...facts, description: "Sign the guest book", tier: "Workspace", replay: "Idempotent", capabilities: [Capability.WorkspaceWrite],
  execute: ({ name }) => Effect.succeed(Tool.result({ output: { text: name }, display: "Signed" }))
})

export class Bell extends Capability.make("acme/Bell", { floor: "ReadOnly", reach: "Confined" })<
  Bell, { readonly ring: Effect.Effect<string> }
>() {}

export const Ring = Tool.make("ring_bell", {
  ...facts, description: "Ring the bell", tier: "ReadOnly", replay: "Safe", capabilities: [Bell],
  execute: Effect.fnUntraced(function* () {
    const text = yield* (yield* Bell).ring
    return Tool.result({ output: { text }, display: "Rang" })
  })
})
`

const hasty = `
import { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

console.log("a module prints")

const Late = Tool.make("late", {
  version: 1, description: "Leave a timer behind", tier: "ReadOnly", replay: "Safe", capabilities: [],
  parameters: Schema.Struct({}), output: Schema.Struct({}),
  execute: Effect.fnUntraced(function* () {
    setTimeout(() => { throw new Error("in a timer") }, 1)
    yield* Effect.sleep(20)
    return { output: {}, display: "Done" }
  })
})

const Hasty = Tool.fromAsync("hasty", {
  version: 1, description: "Leave a promise behind", tier: "ReadOnly", replay: "Safe", capabilities: [],
  parameters: Schema.Struct({}), output: Schema.Struct({}),
  execute: async () => {
    console.log("a handler prints")
    process.stdout.write("a handler writes\\n")
    void Promise.reject(new Error("not awaited"))
    await new Promise((resolve) => setTimeout(resolve, 1))
    return { output: {}, display: "Done" }
  }
})

const Leave = Tool.fromAsync("leave", {
  version: 1, description: "End the process", tier: "ReadOnly", replay: "Safe", capabilities: [],
  parameters: Schema.Struct({}), output: Schema.Struct({}), execute: async () => process.exit(7)
})
`

const packs = (kinds: string, options = "", more = ""): string => `${more}
import { definePacks } from "@bough/cli"
import { Capability, SessionKind, ToolPack } from "@bough/tool"
import * as Effects from "effect/Effect"
import type {} from "@bough/sdk"
import { Bell, Greet, Ring, Sign } from "./Greet.ts"

void [Bell, Capability, Effects, Ring, Sign]
export default definePacks(${kinds}, {${options}})
`

const sound = packs(
  `{
    main: SessionKind.Main.with(Bell).tools(ToolPack.make(Greet, Sign, Ring)),
    worker: SessionKind.Worker.tools(ToolPack.make(Greet))
  }`,
  `name: "greeter",
   version: "3.2.1",
   provide: [Capability.provide(Bell, { service: { ring: Effects.succeed("ding") } })],
   agents: { porter: { description: "Greets at the door", pack: ToolPack.make(Greet) } }`
)

const beyond = packs(
  `{ main: SessionKind.Main.tools(ToolPack.make(Greet)), worker: SessionKind.Worker.tools(ToolPack.make(Greet, Sign)) }`
)

/** A project with these packs, laid out like an installation. */
const withProject = (bough: string, use: (place: TestFolder) => void): Promise<void> =>
  withTestFolder(async (place) => {
    put(place, "package.json", '{ "name": "greeter", "private": true, "type": "module" }')
    put(place, "bough.packs.ts", bough)
    put(place, "Greet.ts", greet)
    const built = (name: string) => join(repository, name, "dist/index.d.ts")
    // Published types, if they are compiled: the sources need not be checked again.
    const paths = { "@bough/cli": [built("apps/cli")], "@bough/tool": [built("packages/tool")] }
    // The packs are outside of the root of the project's sources.
    const shape = { noEmit: true, composite: false, rootDir: "src" }
    const compilerOptions = { ...shape, noUnusedLocals: false, skipLibCheck: true, paths }
    put(place, "tsconfig.json", JSON.stringify({ extends: join(repository, "tsconfig.json"), compilerOptions }))
    link(place, "@bough/cli", "apps/cli")
    for (const name of ["tool", "sdk"]) link(place, `@bough/${name}`, `packages/${name}`)
    for (const name of ["effect", "typescript", "esbuild", "@types/node"]) link(place, name, `node_modules/${name}`)
    use(place)
  })

const link = (place: TestFolder, name: string, path: string): void => {
  const at = join(place.workspace, "node_modules", name)
  mkdirSync(dirname(at), { recursive: true })
  symlinkSync(join(repository, path), at)
}

const ran = (place: TestFolder, ...words: ReadonlyArray<string>) => {
  const { error, signal, status, stderr, stdout } = spawnSync(process.execPath, words, {
    cwd: place.workspace,
    env: place.env,
    encoding: "utf8"
  })
  // A program that was not started, or that a machine without memory killed, prints nothing to compare.
  assert.deepStrictEqual([error, signal], [undefined, null], words.join(" "))
  return { code: status, stderr, stdout }
}

const called = (answer: { readonly stdout: string; readonly stderr: string }): unknown =>
  answer.stdout === "" ? assert.fail(answer.stderr) : JSON.parse(answer.stdout).result.output

const version = "greeter v3.2.1\n  ./Greet.ts\n"

describe("custom packs", () => {
  it("run without a build, with their capabilities and agents, and are listed by --version", thoroughOnly, () =>
    withProject(sound, (place) => {
      const own = (...words: ReadonlyArray<string>) => ran(place, binary, "--packs", "bough.packs.ts", ...words)
      assert.strictEqual(own("--version").stdout, version)
      assert.deepStrictEqual(called(own("call", "ring_bell", '{"name":"Ana"}')), { text: "ding" })
      assert.match(own("tools").stdout, /^greet +ReadOnly +Main Branch Worker/mu)
      assert.match(own("agents").stdout, /^porter +this program +Greets at the door$/mu)
      assert.match(own("run", "--agent", "portr", "hi").stderr, /did you mean porter\?/u)
    })
  )

  it(
    "print to stderr, and do not end the session by an error that a tool throws outside of its call",
    thoroughOnly,
    () =>
      withProject(
        packs(
          `{ main: SessionKind.Main.tools(ToolPack.make(Hasty, Late, Leave)), worker: SessionKind.Worker.tools(ToolPack.make()) }`,
          "",
          hasty
        ),
        (place) => {
          const printed: Array<string> = []
          for (const [tool, error] of [
            ["hasty", "not awaited"],
            ["late", "in a timer"]
          ] as const) {
            const { code, stderr, stdout } = ran(place, binary, "--packs", "bough.packs.ts", "call", tool, "{}")
            assert.deepStrictEqual([code, JSON.parse(stdout).status], [0, "success"], stderr)
            printed.push(...stderr.split("\n").filter((line) => /^a (?:module|handler) /u.test(line)))
            assert.include(stderr, `a bug in the tool ${tool}: its code failed outside of a call: Error: ${error}`)
          }
          const module = "a module prints"
          assert.deepStrictEqual(printed, [module, "a handler prints", "a handler writes", module])
          const left = ran(place, binary, "--packs", "bough.packs.ts", "call", "leave", "{}")
          assert.deepStrictEqual(
            [left.code, left.stderr],
            [7, "a module prints\na bug in the tool leave: its code ended the process with exit code 7\n"]
          )
        }
      )
  )

  it("become a program that holds them, their schemas and their versions", thoroughOnly, () =>
    withProject(sound, (place) => {
      // The output of an earlier build is replaced, and its parts are removed.
      put(place, "dist/made/greeter.js", "process.exit(1)")
      put(place, "dist/made/bough-1a2b.js", "")
      const built = ran(place, binary, "build", "bough.packs.ts", "--out", "dist/made")
      const program = join(place.workspace, "dist/made/greeter.js")
      assert.strictEqual(built.code, 0, built.stderr)
      assert.include(built.stderr, `${program}: 3 tools of ./Greet.ts`)
      assert.strictEqual(ran(place, program, "--version").stdout, version)
      assert.deepStrictEqual(called(ran(place, program, "call", "greet", '{"name":"Ana"}')), { text: "Hello, Ana" })
      assert.deepStrictEqual(called(ran(place, program, "call", "ring_bell", '{"name":"Ana"}')), { text: "ding" })
      assert.match(ran(place, program, "rum").stderr, /^greeter: unknown command "rum"/u)
      assert.include(ran(place, program, "--packs", "x.ts", "tools").stderr, "--packs works only with bough")
      const manifest = JSON.parse(readFileSync(join(dirname(program), "package.json"), "utf8"))
      assert.deepStrictEqual(
        [manifest.name, manifest.version, manifest.bin],
        ["greeter", "3.2.1", { greeter: "./greeter.js" }]
      )
      assert.property(manifest.dependencies, "@vscode/ripgrep")
      assert.isFalse(existsSync(join(dirname(program), "bough-1a2b.js")))
    })
  )

  it("name a capability that a kind may not have, and are not built then", thoroughOnly, () =>
    withProject(beyond, (place) => {
      const built = ran(place, binary, "build")
      assert.strictEqual(built.code, 1)
      assert.match(built.stderr, /bough\.packs\.ts:\d+:\d+ - error TS\d+/u)
      assert.include(built.stderr, "a Worker has no WorkspaceWrite: leave out the tools that use it")
      assert.isFalse(existsSync(join(place.workspace, "dist")))
      const run = ran(place, binary, "--packs=bough.packs.ts", "tools")
      assert.deepStrictEqual([run.code, run.stdout], [1, ""])
      assert.include(run.stderr, "a Worker has no WorkspaceWrite, which sign_book uses")
    })
  )

  it("are refused with a name that definePacks does not know, which would have no effect", () => {
    const kinds = { main: SessionKind.Main.tools(ToolPack.make()), worker: SessionKind.Worker.tools(ToolPack.make()) }
    const define = (packs: object, options: object) => () => definePacks({ ...kinds, ...packs }, options as never)
    assert.doesNotThrow(define({ experiments: [] }, { name: "greeter", agents: {} }))
    assert.throws(
      define({}, { experiments: [] }),
      'definePacks has no "experiments" in its second argument; it takes name'
    )
    assert.throws(
      define({ wroker: {} }, {}),
      'definePacks has no "wroker" in its first argument; it takes main, branch'
    )
  })

  it("name a capability that no layer provides, and a tool of an agent that no kind has", async () => {
    const kinds =
      "{ main: SessionKind.Main.tools(ToolPack.make(Greet)), worker: SessionKind.Worker.tools(ToolPack.make(Greet)) }"
    const bell = kinds.replace("Main.tools(ToolPack.make(Greet))", "Main.with(Bell).tools(ToolPack.make(Ring))")
    const porter = 'agents: { porter: { description: "x", pack: ToolPack.make(Sign) } }'
    const stderr: Array<string> = []
    for (const text of [packs(bell), packs(kinds, porter)]) {
      await withProject(
        text,
        (place) => void stderr.push(ran(place, binary, "--packs", "bough.packs.ts", "tools").stderr)
      )
    }
    assert.include(stderr[0], "nothing provides acme/Bell, which ring_bell uses")
    assert.include(stderr[1], "the agent porter has sign_book, which no kind of session has")
  })

  it("that are missing are reported with the next step", thoroughOnly, () =>
    withTestFolder(async (place) => {
      put(place, "bough.packs.ts", "export default {}")
      for (const words of [["build"], ["--packs", "bough.packs.ts", "tools"]]) {
        const { code, stderr } = ran(place, binary, ...words)
        assert.strictEqual(code, 1)
        assert.match(
          stderr,
          /^bough: no @bough\/cli is installed beside .*bough\.packs\.ts — run "npm install @bough\/cli" there/u
        )
      }
      link(place, "@bough/cli", "apps/cli")
      put(place, "package.json", '{ "type": "module" }')
      assert.match(
        ran(place, binary, "--packs", "bough.packs.ts", "tools").stderr,
        /^bough: bough\.packs\.ts has no packs/u
      )
      assert.match(ran(place, binary, "--packs", "other.ts", "tools").stderr, /^bough: there is no .*other\.ts/u)
      assert.match(ran(place, binary, "build").stderr, /esbuild is not installed beside the packs/u)
    })
  )
})
