/** Generates a project of many tools, as packs would declare them, and checks it with the real compiler. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const here = fileURLToPath(new URL(".", import.meta.url))
const tsc = fileURLToPath(new URL("../node_modules/.bin/tsc", import.meta.url))

/** `output` is the compiler's output; empty: no errors. */
export interface Checked {
  readonly output: string
  readonly elapsedMillis: number
}

/**
 * Type-checks the given number of generated tools, ten per file, with the packs and the session kind that contain them.
 */
export const checkTools = (count: number): Checked => {
  const folder = mkdtempSync(join(here, "generated-"))
  try {
    mkdirSync(join(folder, "src"))
    const files = Math.ceil(count / toolsAFile)
    for (let file = 0; file < files; file++) {
      const tools = Math.min(toolsAFile, count - file * toolsAFile)
      writeFileSync(join(folder, "src", `Pack${file}.ts`), packSource(file, tools))
    }
    writeFileSync(join(folder, "src", "Packs.ts"), packsSource(files))
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ extends: "../tsconfig.json", include: ["src"] }))
    const startedAt = performance.now()
    const { stderr, stdout } = spawnSync(tsc, ["--pretty", "false", "-p", folder], { encoding: "utf8" })
    return { output: stdout + stderr, elapsedMillis: Math.round(performance.now() - startedAt) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const toolsAFile = 10

const packSource = (file: number, tools: number): string => {
  const names = Array.from({ length: tools }, (_, index) => `tool_${file}_${index}`)
  return [
    'import { Capability, Tool, ToolPack, ToolSchema } from "@bough/tool"',
    'import * as Effect from "effect/Effect"',
    'import * as Schema from "effect/Schema"',
    ...names.map(toolSource),
    `export const pack = ToolPack.make(${names.join(", ")})`
  ].join("\n")
}

const toolSource = (name: string): string => `
export const ${name} = Tool.make("${name}", {
  version: 1,
  description: "Edits a file",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.WorkspaceRead, Capability.WorkspaceWrite],
  parameters: Schema.Struct({
    path: Schema.NonEmptyString.annotate({ description: "Relative to the root" }),
    fromLine: ToolSchema.withDefault(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)), 1),
    edits: Schema.Array(Schema.Struct({ old: Schema.String, new: Schema.String })),
    mode: Schema.Literals(["all", "first"])
  }),
  output: Schema.Struct({ replaced: Schema.Natural, state: Schema.Literals(["changed", "same"]) }),
  classify: Effect.fnUntraced(function* ({ path }) {
    const workspace = yield* Capability.WorkspaceRead
    const info = yield* workspace.info(path)
    return { tier: info.kind === "file" ? "Workspace" : "Elevated" }
  }),
  execute: Effect.fnUntraced(function* ({ edits, fromLine, mode, path }) {
    const reader = yield* Capability.WorkspaceRead
    const writer = yield* Capability.WorkspaceWrite
    const digest = yield* reader.digest(path)
    const changed = edits.reduce((all, edit) => mode === "all" ? all.replaceAll(edit.old, edit.new) : all, \`\${fromLine}\`)
    const { bytes } = yield* writer.writeFile(path, new TextEncoder().encode(changed), digest)
    return Tool.result({ output: { replaced: bytes, state: "changed" }, display: path })
  })
})`

const packsSource = (files: number): string => {
  const packs = Array.from({ length: files }, (_, index) => index)
  return [
    'import { SessionKind, ToolPack } from "@bough/tool"',
    ...packs.map((index) => `import { pack as pack${index} } from "./Pack${index}.ts"`),
    `export const all = ToolPack.merge(${packs.map((index) => `pack${index}`).join(", ")})`,
    "export const main = SessionKind.Main.tools(all)",
    "export const first = all.tools.tool_0_0.name"
  ].join("\n")
}
