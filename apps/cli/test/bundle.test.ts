/** The bundle: its generated parts match the code, it loads little, and other programs can build their own command. */
import { registryOf } from "@bough/host/session/KindTools"
import { UseTools } from "@bough/runtime"
import { ToolSchema } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync, readdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { thoroughOnly } from "../../../test/thorough.ts"
import { configSchemas, exportSchemas, toolSchemas, version } from "../build/derived.ts"
import { direct } from "../build/directImports.ts"
import { inAscii } from "../build/inAscii.ts"
import { manPage } from "../build/manPage.ts"
import * as Packs from "../src/Packs.ts"
import { binary, bough, withTestFolder } from "./program/Bough.ts"
import { withModel } from "./program/ModelServer.ts"

const dist = dirname(binary)
const chunks = readdirSync(dist).filter((name) => /^bough(-\w+)?\.c?js$/.test(name))
const textOf = (name: string): string => readFileSync(join(dist, name), "utf8")

/** The parts that every start loads. */
const loadedAtStart = (): ReadonlySet<string> => {
  const loaded = new Set<string>()
  const load = (name: string): void => {
    if (loaded.has(name)) return
    loaded.add(name)
    for (const [, next] of textOf(name).matchAll(/(?:import|from)\s*"\.\/(bough-\w+\.js)"/g)) load(next)
    for (const [, script] of textOf(name).matchAll(/"(bough-\w+\.cjs)"/g)) load(script)
  }
  for (const [, name] of textOf("bough.js").matchAll(/"\.\/(bough-\w+\.js)"/g)) load(name)
  return loaded
}

/** Removes the escapes that a JSON text needs as a literal of JavaScript. */
const bare = (text: string): string => text.replaceAll(/[\\'"`]/gu, "")

// An unbundled command loads every module by itself.
describe("the bundle", () => {
  it("holds the JSON Schemas of every tool, as they are derived", () => {
    const held = bare(JSON.stringify(toolSchemas()))
    assert.isTrue(chunks.some((name) => bare(textOf(name)).includes(held)))
    const { use_tools: ofTheRuntime, ...ofPacks } = toolSchemas()
    assert.deepStrictEqual(ofTheRuntime, ToolSchema.forModel(UseTools))
    assert.deepStrictEqual(
      ofPacks,
      Object.fromEntries([...registryOf(Packs)].map(([name, tool]) => [name, ToolSchema.forModel(tool)]))
    )
  })

  it("sends the model the same declarations as a program that derives them", () =>
    withTestFolder((place) =>
      withModel([{ text: "hi" }], async ({ env, requests }) => {
        await bough(place, ["run", "hi"], { env })
        const schemas = toolSchemas()
        const sent = (requests[0].tools ?? []).filter(({ function: { name } }) => Object.hasOwn(schemas, name))
        assert.isAbove(sent.length, 5)
        for (const { function: declared } of sent) {
          assert.deepStrictEqual(declared.parameters, schemas[declared.name], declared.name)
        }
      })
    ))

  it("comes with JSON Schemas of the configuration files as they are derived", () => {
    for (const [file, schema] of Object.entries({ ...configSchemas(), ...exportSchemas() })) {
      assert.deepStrictEqual(JSON.parse(readFileSync(join(dist, file), "utf8")), schema, file)
    }
  })

  it("comes with a manual page that has every command and flag of the help", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const page = textOf("bough.1")
      assert.strictEqual(page, await manPage())
      const manualText = page.replaceAll("\\-", "-")
      const commands = [[], ["run"], ["call"], ["tools", "schema"], ["sessions", "fork"], ["config", "set"], ["doctor"]]
      for (const command of commands) {
        const { stdout } = await bough(place, [...command, "--help"])
        const flags = stdout.match(/--[a-z][a-z-]+/gu) ?? []
        assert.isAbove(flags.length, 0)
        for (const word of [["bough", ...command].join(" "), ...flags]) assert.include(manualText, word)
      }
      const manifest = JSON.parse(readFileSync(join(dist, "../package.json"), "utf8")) as { readonly man: string }
      assert.strictEqual(join(dist, "..", manifest.man), join(dist, "bough.1"))
    })
  )

  it("prints the version of its package", () =>
    withTestFolder(async (place) => {
      assert.strictEqual((await bough(place, ["--version"])).stdout, `bough v${version()}\n`)
    }))

  it("is one script for the code that every start loads, beside the entries, its exports and the bundler's helpers", () => {
    const large = [...loadedAtStart()].filter((name) => statSync(join(dist, name)).size > 50_000)
    assert.strictEqual(large.length, 1)
    assert.match(large[0], /\.cjs$/)
    assert.isAtMost(loadedAtStart().size, 4)
  })

  it("keeps each provider's package in a chunk of its own, outside of the code that every start loads", () => {
    const provider = chunks.filter((name) => /ai-sdk/.test(textOf(name)))
    const loaded = loadedAtStart()
    assert.isAbove(loaded.size, 1)
    // Each provider, the formats for other systems and the conversation's screen are in a chunk of their own.
    const makers = ["Anthropic", "Google", "AmazonBedrock", "OpenAI"].map((name) => `function create${name}(`)
    const apart = [...makers, "namespace functions", "/chat/completions`)", "[?2026h"]
    const parts = apart.map((word) => chunks.filter((name) => textOf(name).includes(word)))
    assert.deepStrictEqual(
      parts.map((names) => [names.length, names.some((name) => loaded.has(name))]),
      parts.map(() => [1, false])
    )
    assert.strictEqual(new Set(parts.flat()).size, parts.length)
    assert.isAbove(provider.length, 0)
    assert.deepStrictEqual(
      provider.filter((name) => loaded.has(name)),
      []
    )
  })

  it("loads neither the network nor the page readers before a web tool is called", () => {
    const loaded = loadedAtStart()
    for (const word of [
      "the body unpacks to more than ",
      "x-subscription-token",
      "leads to an address of a private network"
    ]) {
      const holding = chunks.filter((name) => textOf(name).includes(word))
      assert.deepStrictEqual([holding.length > 0, holding.filter((name) => loaded.has(name))], [true, []], word)
    }
    // A worker thread loads the parsers of pages and PDFs.
    for (const word of ["getDocumentProxy", "parseHTML", "FLAG_STRIP_UNLIKELYS"]) {
      assert.deepStrictEqual(
        chunks.filter((name) => textOf(name).includes(word)),
        [],
        word
      )
    }
  })

  it("loads no memory before a note is saved or recalled", () => {
    const loaded = loadedAtStart()
    for (const word of ["createEmptyTable", "EmbeddingThread", "JSON web token"]) {
      const holding = chunks.filter((name) => textOf(name).includes(word))
      assert.deepStrictEqual([holding.length > 0, holding.filter((name) => loaded.has(name))], [true, []], word)
    }
  })

  it("loads no exporter of spans before a variable names a collector", () => {
    const loaded = loadedAtStart()
    const holding = chunks.filter((name) => textOf(name).includes("resourceSpans"))
    assert.deepStrictEqual([holding.length > 0, holding.filter((name) => loaded.has(name))], [true, []])
  })

  it("loads no YAML before there is a skill", () => {
    const loaded = loadedAtStart()
    const holding = chunks.filter((name) => textOf(name).includes("tag:yaml.org,2002"))
    assert.deepStrictEqual([holding.length > 0, holding.filter((name) => loaded.has(name))], [true, []])
  })

  it("loads nothing of the Model Context Protocol before a server is configured", () => {
    const loaded = loadedAtStart()
    for (const word of ["notifications/tools/list_changed", "is unavailable and will be retried", "mcp/External"]) {
      const holding = chunks.filter((name) => textOf(name).includes(word))
      assert.deepStrictEqual([holding.length > 0, holding.filter((name) => loaded.has(name))], [true, []], word)
    }
  })

  it("loads no part of the store or of tools that most starts never call", () => {
    const loaded = loadedAtStart()
    const late = {
      "the steps to the store's format": "CREATE TABLE migrations",
      "the writing of notes": "INSERT INTO notes (",
      "the searching of notes": "notes_words MATCH",
      "the histories of notes": "INSERT INTO note_history",
      "the index of what was said": "INSERT INTO conversation_texts",
      "the removal of sessions": "DELETE FROM trees",
      "the reading of JSON Schemas": "fromJsonSchemaDocument",
      "the ranking of files for a map": "fixtures|typetest",
      "the running of commands": "--die-with-parent",
      "what git of a command may not change": "objects/info/alternates",
      "the conversation in plain lines": "Ctrl-C twice quits",
      "the requests to authorization servers": "is an address of a private network"
    }
    for (const [part, word] of Object.entries(late)) {
      const holding = chunks.filter((name) => textOf(name).includes(word))
      assert.deepStrictEqual([holding.length > 0, holding.filter((name) => loaded.has(name))], [true, []], part)
    }
  })

  it("checks the declarations of tools as the sources do", () => {
    const loaded = loadedAtStart()
    for (const word of ["is only for Idempotent tools", "a check refuses values"]) {
      assert.notDeepEqual(
        chunks.filter((name) => loaded.has(name) && textOf(name).includes(word)),
        [],
        word
      )
    }
  })

  it("builds no pattern with Unicode properties while it loads", () => {
    const made = /[\w$][=:](?:new RegExp\(|\/)[^/\n"]*\\p\{.*/gu
    assert.deepStrictEqual(
      [...loadedAtStart()].flatMap((name) => (textOf(name).match(made) ?? []).map((found) => found.slice(0, 100))),
      []
    )
    assert.isTrue(made.test("words=/[\\p{L}]/u"))
  })

  it("checks tools that are made at run time, and skips those that its build checked", () =>
    withTestFolder(async (place) => {
      const watch = `const { test } = RegExp.prototype
        const checked = []
        RegExp.prototype.test = function (text) {
          if (this.source === "^[a-z][a-z0-9_]{0,63}$") checked.push(text)
          return test.call(this, text)
        }
        process.on("exit", () => console.error(JSON.stringify(checked)))`
      const hooked = `--import=data:text/javascript,${encodeURIComponent(watch)}`
      const { stderr } = await bough(place, ["run", "--model", "offline/planner", "hi"], {
        env: { NODE_OPTIONS: hooked }
      })
      const checked = JSON.parse(stderr.trim().split("\n").at(-1) ?? "") as ReadonlyArray<string>
      assert.include(checked, "use_tools")
      assert.deepStrictEqual(
        checked.filter((name) => registryOf(Packs).has(name)),
        []
      )
    }))

  it("runs a prompt of a user without notes with the store's startup code alone, and without Intl", () =>
    withTestFolder(async (place) => {
      const watch = `process.on("exit", () => console.error(JSON.stringify([...globalThis.loaded])))
        globalThis.loaded = new Set()
        for (const name of ["Segmenter", "DateTimeFormat", "Collator", "NumberFormat"])
          Intl[name] = class extends Intl[name] { constructor(...given) { super(...given); loaded.add("Intl." + name) } }
        process.getBuiltinModule("module").registerHooks({
          load: (url, context, next) => (globalThis.loaded.add(url.slice(url.lastIndexOf("/") + 1)), next(url, context))
        })`
      const hooked = `--import=data:text/javascript,${encodeURIComponent(watch)}`
      const args = ["run", "--model", "offline/planner", "hi"]
      // The first run creates the store.
      await bough(place, args)
      const { stderr } = await bough(place, args, { env: { NODE_OPTIONS: hooked } })
      const ran = JSON.parse(stderr.trim().split("\n").at(-1) ?? "") as ReadonlyArray<string>
      assert.isAbove(ran.length, 1)
      const parts = ["CREATE TABLE migrations", "notes_words MATCH", "INSERT INTO notes (", "INSERT INTO note_history"]
      const names = chunks.filter((name) => parts.some((word) => textOf(name).includes(word)))
      assert.deepStrictEqual(
        names.filter((name) => ran.includes(name)),
        []
      )
      // Making the first object of Intl takes 10 ms.
      assert.deepStrictEqual(
        ran.filter((name) => name.startsWith("Intl.")),
        []
      )
    }))

  it("loads no client of https, no certificates and no timeline of Node before something uses them", () =>
    withTestFolder(async (place) => {
      const watch = `process.on("exit", () => {
        const names = process.moduleLoadList.map((name) => name.replace("NativeModule ", ""))
        const late = ["tls", "https", "http", "dns", "perf_hooks", "internal/blocklist"]
        console.error(JSON.stringify(late.filter((name) => names.includes(name))))
      })`
      const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(watch)}` }
      const loads = async (...args: ReadonlyArray<string>): Promise<unknown> => {
        const { stderr } = await bough(place, args, { env })
        return JSON.parse(stderr.trim().split("\n").at(-1) ?? "")
      }
      assert.deepStrictEqual(await loads("--version"), [])
      assert.deepStrictEqual(await loads("run", "--model", "offline/planner", "hi"), [])
    }))

  it("has only single-byte characters in the code that every start loads", () => {
    for (const name of loadedAtStart()) assert.notMatch(textOf(name), /[^\0-\x7F]/u, name)
  })

  it("escapes non-ASCII characters where an escape means the same, and nowhere else", () => {
    assert.strictEqual(inAscii("`→ ${a}`; /[·😀]/u"), "`\\u2192 ${a}`; /[\\u00b7\\ud83d\\ude00]/u")
    const raw = "String.raw`→`"
    assert.strictEqual(inAscii(raw), raw)
  })

  it("imports modules of our packages directly, under their names and on their original lines", () => {
    const source = [
      'import { type Tier, ToolError } from "@bough/protocol"',
      "import {",
      "  type Capability,",
      "  NoteStore as Notes,",
      "  Tool",
      '} from "@bough/tool"',
      'import * as Effect from "effect/Effect"'
    ]
    assert.strictEqual(
      direct(source.join("\n")),
      [
        'import * as ToolError from "@bough/protocol/ToolError"',
        'import * as Notes from "@bough/tool/NoteStore"; import * as Tool from "@bough/tool/Tool"',
        "",
        "",
        "",
        "",
        'import * as Effect from "effect/Effect"'
      ].join("\n")
    )
    // The modules of an index may be in any folder.
    for (const name of ["tool", "protocol", "runtime"]) {
      const index = readFileSync(new URL(`../../../packages/${name}/src/index.ts`, import.meta.url), "utf8")
      for (const [, module = "", path = ""] of index.matchAll(/^export \* as (\w+) from "\.\/(.+)\.ts"$/gmu)) {
        const written = `import * as ${module} from "@bough/${name}/${path}"`
        assert.strictEqual(direct(`import { ${module} } from "@bough/${name}"`), written)
      }
    }
    // Names that the index defines itself come from the index.
    assert.strictEqual(
      direct('import { CurrentTime, DataPack } from "@bough/pack-data"'),
      'import * as DataPack from "@bough/pack-data/DataPack"; import { CurrentTime } from "@bough/pack-data"'
    )
  })

  it("caches compiled code in a directory that only its owner can write", () =>
    withTestFolder(async (place) => {
      const { NODE_COMPILE_CACHE: _shared, ...env } = place.env
      await bough({ ...place, env }, ["--version"])
      assert.strictEqual(statSync(join(place.data, "compile-cache")).mode & 0o777, 0o700)
      assert.strictEqual(statSync(place.data).mode & 0o777, 0o700)
    }))

  it("names the Node version that it needs when an older one starts it", () => {
    // Node 18 does not have that function either.
    const entry = textOf("bough.js")
      .replaceAll("process.versions.node", '"20.1.0"')
      .replaceAll("process.getBuiltinModule", "process.notYet")
    const ended = spawnSync(process.execPath, ["--input-type=module", "-e", entry.replaceAll(/"\.\//g, `"${dist}/`)], {
      encoding: "utf8"
    })
    assert.deepStrictEqual([ended.status, ended.stdout], [1, ""])
    assert.match(ended.stderr, /^bough: Node 20\.1\.0 is too old — use Node 22\.19 or newer\n$/)
  })

  it("builds another command with a file of ten lines", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const own = fileURLToPath(new URL("program/ownCommand.ts", import.meta.url))
      const run = (...args: ReadonlyArray<string>) =>
        spawnSync(process.execPath, [own, ...args], { cwd: place.workspace, env: place.env, encoding: "utf8" })
      const called = run("call", "greet", '{"name":"Ana"}')
      assert.deepStrictEqual([called.status, JSON.parse(called.stdout).result.output], [0, { text: "Hello, Ana" }])
      assert.match(run("tools").stdout, /^greet +ReadOnly/)
      assert.match(run("rum").stderr, /^greeter: unknown command "rum"/)
      assert.strictEqual(run("--version").stdout, "greeter v3.2.1\n")
    })
  )
})
