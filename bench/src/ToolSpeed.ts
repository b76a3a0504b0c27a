/**
 * Complete calls of tools on a large tree compared with common programs for the same task, answers of a running
 * language server, calls of an MCP server compared with the SDK alone, and the compiler of tools.
 */
import { LanguageServers, ServerConfig } from "@bough/language-servers"
import { Servers } from "@bough/mcp"
import { CodePack } from "@bough/pack-code"
import { FilesPack } from "@bough/pack-files"
import { ProcessRunnerNode } from "@bough/sandbox"
import { open } from "@bough/sdk"
import { ToolPack } from "@bough/tool"
import { compile } from "@bough/tool-compiler"
import { SampleInvocation } from "@bough/tool/testing"
import { Workspace } from "@bough/workspace"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { rgPath } from "@vscode/ripgrep"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { atMost, type Benchmark, type BenchmarkOptions, figure, type Report, type Row } from "./Benchmark.ts"
import { check } from "./Check.ts"
import * as PlainProcess from "./PlainProcess.ts"
import * as SourceTree from "./SourceTree.ts"
import { interleave, median, min, quantile } from "./Statistics.ts"

/** The time from one search to the next, in which a model reads a result and writes a call; a real model takes longer. */
const thinkingMillis = 100

const measure = async (work: () => unknown): Promise<number> => {
  const startedAtMillis = performance.now()
  await work()
  return performance.now() - startedAtMillis
}

interface Part {
  readonly rows: ReadonlyArray<Row>
  readonly notMeasured?: ReadonlyArray<string>
}

const isThere = (program: string): boolean => spawnSync(program, ["--version"]).status === 0

const run: Benchmark["run"] = async (options): Promise<Report> => {
  const parts = [await onTree(options), await definitions(options), await mcpCalls(options), compiler(options)]
  return {
    rows: parts.flatMap(({ rows }) => rows),
    notes: [
      `Tools are called through "open" of @bough/sdk: arguments decoded, policy asked, output encoded. Programs are timed with their start. The ratios of search_files and find_files are of minima, since other programs of the machine delay single rounds. Each search begins ${thinkingMillis} ms after the last one. Each round of find_symbols reads files that were not parsed before.`
    ],
    notMeasured: parts.flatMap(({ notMeasured = [] }) => notMeasured)
  }
}

const onTree = async ({ folder, quick }: BenchmarkOptions): Promise<Part> => {
  const rounds = quick ? 3 : 7
  const tree = SourceTree.make(join(folder, "tree"), { parts: 3, filesPerPart: quick ? 200 : 1280 })
  check(quick || tree.bytes >= 100_000_000, `the tree has only ${tree.bytes} bytes`)
  await using tools = await open(ToolPack.merge(FilesPack.all, CodePack.syntax), { root: tree.root })
  const { needle, needles, root } = tree
  const searchFiles = async () => {
    const found = await tools.search_files({ pattern: needle })
    check(found.status === "success" && found.result.output.files.length === needles, "search_files missed a file")
  }
  const ripgrep = () => {
    const { stdout } = spawnSync(rgPath, ["--line-number", needle, "."], { cwd: root, encoding: "utf8" })
    check(stdout.trim().split("\n").length === needles, "rg missed a file")
  }
  const glob = "module*7.ts"
  const filesFound = Math.floor((tree.filesPerPart + 2) / 10) * tree.parts.length
  const findFiles = async () => {
    const answer = await tools.find_files({ glob, limit: 1000 })
    check(answer.status === "success" && answer.result.output.paths.length === filesFound, "find_files missed a file")
  }
  const fd = ["fd", "fdfind"].find(isThere)
  const runFd = () => {
    if (fd !== undefined) spawnSync(fd, ["--glob", glob], { cwd: root })
  }
  await searchFiles()
  const afterThinking = async (work: () => unknown): Promise<number> => {
    await setTimeout(thinkingMillis)
    return measure(work)
  }
  const { bough, rg } = await interleave(rounds, {
    bough: () => afterThinking(searchFiles),
    rg: () => afterThinking(ripgrep)
  })
  const { finding, fdTimes } = await interleave(rounds, {
    finding: () => measure(findFiles),
    fdTimes: () => measure(runFd)
  })
  const hasCtags = isThere("ctags")
  const symbols: Array<number> = []
  const ctags: Array<number> = []
  const symbolsIn = async (path: string) => {
    const answer = await tools.find_symbols({ name: "compute", path, limit: 1 })
    check(answer.status === "success" && answer.result.output.symbols.length === 1, "find_symbols found nothing")
  }
  // Loads the grammar.
  await symbolsIn(tree.groups[0] ?? ".")
  for (const group of tree.groups.slice(1, rounds + 1)) {
    symbols.push(await measure(() => symbolsIn(group)))
    if (hasCtags) ctags.push(await measure(() => spawnSync("ctags", ["-R", "-f", "/dev/null", group], { cwd: root })))
  }
  const filesPerSecond = (millis: ReadonlyArray<number>) => (1000 * tree.filesPerGroup) / median(millis)
  const searchRatio = min(bough) / min(rg)
  return {
    rows: [
      {
        label: `search_files in ${Math.round(tree.bytes / 1e6)} MB beside rg`,
        ratio: searchRatio,
        figures: [
          figure("p50", median(bough), "ms"),
          figure("min", min(bough), "ms"),
          figure("rg p50", median(rg), "ms"),
          figure("rg min", min(rg), "ms")
        ],
        aim: atMost(searchRatio, 1.25, "≤ 1.25 × rg")
      },
      {
        label: `find_files among ${tree.parts.length * tree.filesPerPart} files${fd === undefined ? "" : " beside fd"}`,
        ratio: fd === undefined ? null : min(finding) / min(fdTimes),
        figures: [
          figure("p50", median(finding), "ms"),
          figure("min", min(finding), "ms"),
          ...(fd === undefined ? [] : [figure("fd p50", median(fdTimes), "ms"), figure("fd min", min(fdTimes), "ms")])
        ],
        aim: null
      },
      {
        label: `find_symbols${hasCtags ? " beside ctags" : ""}`,
        ratio: hasCtags ? median(symbols) / median(ctags) : null,
        figures: [
          figure("files", filesPerSecond(symbols), "/s"),
          ...(hasCtags ? [figure("ctags files", filesPerSecond(ctags), "/s")] : [])
        ],
        aim: null
      }
    ],
    notMeasured: [
      ...(fd === undefined ? ["find_files beside fd: neither fd nor fdfind is installed"] : []),
      ...(hasCtags ? [] : ["find_symbols beside ctags: it is not installed"])
    ]
  }
}

const definitions = ({ folder, quick }: BenchmarkOptions): Promise<Part> =>
  Effect.gen(function* () {
    const root = join(folder, "project")
    mkdirSync(root)
    const files = 200
    const config = { compilerOptions: { strict: true, types: [], noEmit: true, allowImportingTsExtensions: true } }
    writeFileSync(join(root, "tsconfig.json"), JSON.stringify(config))
    for (let at = 0; at < files; at++) {
      const next = (at + 1) % files
      writeFileSync(
        join(root, `m${at}.ts`),
        `import { f${next} } from "./m${next}.ts"\nexport const f${at} = (): number => 1\nexport const g${at} = f${next}()\n`
      )
    }
    const compilerPath = createRequire(import.meta.url).resolve("typescript/package.json")
    const servers = yield* LanguageServers.make({
      servers: [
        {
          name: "typescript",
          command: process.execPath,
          args: [join(compilerPath, "../bin/tsc"), "--lsp", "--stdio"],
          extensions: ["ts"],
          env: {},
          initializationOptions: null,
          settings: null,
          limits: ServerConfig.defaultLimits
        }
      ],
      roots: [root],
      start: PlainProcess.start
    })
    const workspace = yield* Effect.provide(Workspace.make({ root }), ProcessRunnerNode.layer)
    const code = servers
      .provided(() => workspace.read([]))
      .make(SampleInvocation.make({ workspaceRoot: root }), () => {})
    const ask = (at: number) =>
      Effect.gen(function* () {
        const { items } = yield* code.definition(`m${at}.ts`, { line: 3, column: `export const g${at} = f`.length })
        check(items[0]?.path === `m${(at + 1) % files}.ts`, "the definition is elsewhere")
      })
    const first = yield* Effect.promise(() => measure(() => Effect.runPromise(ask(0))))
    const millis: Array<number> = []
    for (let at = 0; at < (quick ? 50 : 400); at++) {
      millis.push(yield* Effect.promise(() => measure(() => Effect.runPromise(ask(at % files)))))
    }
    const row: Row = {
      label: "lsp_definition of a warm server",
      ratio: null,
      figures: [
        figure("p50", median(millis), "ms"),
        figure("p95", quantile(millis, 0.95), "ms"),
        figure("with the start", first, "ms")
      ],
      aim: atMost(median(millis), 20, "≤ 20 ms")
    }
    return { rows: [row] }
  }).pipe(Effect.scoped, Effect.runPromise)

const sampleServer = fileURLToPath(new URL("../../packages/mcp/test/servers/stdio.ts", import.meta.url))

const mcpCalls = ({ folder, quick }: BenchmarkOptions): Promise<Part> =>
  Effect.gen(function* () {
    const bare = new Client({ name: "bench", version: "0.0.0" })
    const transport = new StdioClientTransport({ command: process.execPath, args: [sampleServer], stderr: "ignore" })
    yield* Effect.acquireRelease(
      Effect.promise(() => bare.connect(transport)),
      () => Effect.promise(() => bare.close())
    )
    let listed = ""
    const memory = { recall: () => null, remember: (_key: string, text: string) => void (listed = text) }
    const servers = yield* Servers.make({
      servers: [
        {
          name: "sample",
          from: "here",
          transport: {
            _tag: "Stdio",
            command: process.execPath,
            args: [sampleServer],
            env: {},
            network: false,
            isUnconfined: false,
            limits: {}
          },
          oauth: { clientId: null, clientSecret: null, issuer: null, scope: null, redirectPort: 0 },
          descriptionPrefix: null,
          tiers: [],
          timeoutMillis: 20_000,
          startMillis: null,
          sampling: null
        }
      ],
      workspaceRoot: folder,
      ports: { start: PlainProcess.start, memory, onNotice: () => {} }
    })
    yield* servers.settled
    const [provision] = servers.provisions
    check(provision !== undefined, "the client provides nothing")
    const external = provision.provided.make(SampleInvocation.make({}), () => {})
    const { definitions } = JSON.parse(listed) as { definitions: ReadonlyArray<{ tool: string; digest: string }> }
    const digest = definitions.find(({ tool }) => tool === "add")?.digest ?? ""
    const call = { server: "sample", tool: "add", digest, arguments: { a: 1, b: 2 }, onProgress: () => {} }
    const { own, sdk } = yield* Effect.promise(() =>
      interleave(quick ? 100 : 1000, {
        own: () => measure(() => Effect.runPromise(external.call(call))),
        sdk: () => measure(() => bare.callTool({ name: "add", arguments: { a: 1, b: 2 } }))
      })
    )
    const row: Row = {
      label: "call of an MCP server beside the bare SDK",
      ratio: median(own) / median(sdk),
      figures: [figure("p50", median(own), "ms"), figure("SDK p50", median(sdk), "ms")],
      aim: null
    }
    return { rows: [row] }
  }).pipe(Effect.scoped, Effect.runPromise)

const compiler = ({ quick }: BenchmarkOptions): Part => {
  const tools = 1000
  // The folder is inside of this package, so the sources can import the contract.
  const folder = fileURLToPath(new URL("../.tools-of-bench", import.meta.url))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const project = join(folder, "tsconfig.json")
  writeFileSync(project, JSON.stringify({ extends: "../tsconfig.json", include: ["*.ts"] }))
  const files = Array.from({ length: tools / 10 }, (_, file) => {
    const path = join(folder, `file${file}.ts`)
    const one = (at: number) =>
      `/**\n * Does the thing numbered ${at}.\n *\n * @tier ReadOnly\n * @replay Safe\n * @param where the place\n */\n` +
      `export async function doThing${file}x${at}(where: "here" | "there", times: number, names?: ReadonlyArray<string>): Promise<{ row: number }> {\n  return { row: times + where.length + (names?.length ?? 0) }\n}\n`
    writeFileSync(path, Array.from({ length: 10 }, (_, at) => one(at)).join("\n"))
    return path
  })
  const millis = Array.from({ length: quick ? 1 : 5 }, () => {
    const startedAtMillis = performance.now()
    const { errors, tools: made } = compile(project, files)
    check(errors.length === 0 && made === tools, `${made} tools, ${errors.length} errors: ${JSON.stringify(errors[0])}`)
    return performance.now() - startedAtMillis
  })
  rmSync(folder, { recursive: true, force: true })
  const row: Row = {
    label: `tool-compiler over ${tools} tools`,
    ratio: null,
    figures: [figure("p50", median(millis), "ms"), figure("min", min(millis), "ms")],
    aim: atMost(median(millis), 2000, "≤ 2 s")
  }
  return { rows: [row] }
}

export const benchmark: Benchmark = { name: "tools", title: "Tools beside the programs that do the same", run }
