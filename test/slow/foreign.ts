/**
 * A third-party project over the packed packages: a pack with capabilities, facts and an artifact of its own in a plain
 * program and in a command line of its own, as Main and as Worker; schemas of other libraries; second copies of the
 * contract's packages and of effect.
 */
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Answer, type Request, withModel } from "../../apps/cli/test/program/ModelServer.ts"
import { foreignMistakes } from "./foreignMistakes.ts"
import { ends, environment, type Machine } from "./machine.ts"

const fixtures = fileURLToPath(new URL("fixtures/foreign", import.meta.url))

/** The project's dependencies: effect in any version that the packages accept, and schema libraries. */
export const libraries = ["effect@^4.1.0", "zod@4.6.7", "arktype@2.2.9", "valibot@1.5.0"]

interface ProgramResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs beside this process, which may serve its requests. */
const runs = (machine: Machine, args: ReadonlyArray<string>, more: { cwd: string; env?: Record<string, string> }) =>
  new Promise<ProgramResult>((resolve) => {
    const child = spawn("node", args, { cwd: more.cwd, env: { ...environment(machine), ...more.env } })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
    child.stdin.end()
    child.on("close", (code) => resolve({ code, stdout, stderr }))
  })

const call = (name: string, callArguments: unknown): Answer => ({
  text: "",
  calls: [{ name, arguments: callArguments }]
})

export const foreign = async (machine: Machine, project: string, typesOf: ReadonlyArray<string>): Promise<void> => {
  for (const file of ["rows.ts", "program.ts", "agent.ts", "schemas.ts"])
    cpSync(join(fixtures, file), join(project, file))
  ends(machine, ["tsc", ...typesOf, "rows.ts", "program.ts", "agent.ts", "schemas.ts"], { cwd: project })
  await plainProgram(machine, project)
  schemas(machine, project)
  await commandLine(machine, project)
  await secondProtocol(machine, project)
  await secondEffect(machine, project)
  foreignMistakes(machine, project, typesOf)
}

const plainProgram = async (machine: Machine, project: string): Promise<void> => {
  const { code, stderr, stdout } = await runs(machine, ["program.ts"], { cwd: project })
  assert.equal(code, 0, stderr)
  const parsed = JSON.parse(stdout)
  assert.equal(parsed.changing.status, "success")
  assert.deepEqual(parsed.asked, [
    'adds "b" to 0 rows',
    'adds "b" to 1 rows',
    'adds "c" to 2 rows',
    'adds "broken" to 3 rows'
  ])
  assert.equal(parsed.added.result.output.rows, 3)
  assert.equal(parsed.refused.status, "rejected")
  assert.match(JSON.stringify(parsed.refused), /not today/)
  assert.deepEqual(parsed.broken.error, { _tag: "ExecutionError", message: "the table is full", hint: "remove some" })
  assert.equal(parsed.counted.result.output.rows, 3)
  assert.equal(parsed.judged.decision, "ask")
  assert.deepEqual(parsed.receipts, [
    { table: "rows", rows: 1 },
    { table: "rows", rows: 1 }
  ])
  assert.equal(parsed.table, "a\nb\nc\n")
}

const schemas = (machine: Machine, project: string): void => {
  const { said, wrong } = JSON.parse(ends(machine, ["node", "schemas.ts"], { cwd: project }))
  for (const { result } of said) assert.deepEqual(result.output, { text: "abab" })
  for (const { error } of wrong) assert.equal(error._tag, "ValidationError")
}

const commandLine = async (machine: Machine, project: string): Promise<void> => {
  const rows = join(project, "rows.txt")
  const env = { ROWS: rows }
  const call1 = await runs(machine, ["agent.ts", "call", "count_rows", "{}"], { cwd: project, env })
  assert.equal(call1.code, 0, call1.stderr)
  assert.match(call1.stdout, /"rows": 0/)
  const asks = await runs(machine, ["agent.ts", "call", "add_row", '{"row":"x"}'], { cwd: project, env })
  assert.equal(asks.code, 3, asks.stderr)
  assert.equal(existsSync(rows), false)

  // A Worker of a Main that may write: its model calls a tool that it lacks, and one that it has.
  const ofWorker = [call("add_row", { row: "mallory" }), call("count_rows", {}), { text: "there are 0 rows" }]
  const ofMain = [call("spawn_worker", { task: "count the rows" }), { text: "it counts" }]
  const script = ({ tools = [] }: Request): Answer => {
    const isMain = tools.some((tool) => tool.function.name === "spawn_worker")
    return (isMain ? ofMain.shift() : ofWorker.shift()) ?? { text: "the worker counted 0 rows" }
  }
  await withModel(script, async (server) => {
    const ran = await runs(machine, ["agent.ts", "run", "count"], { cwd: project, env: { ...env, ...server.env } })
    assert.equal(ran.code, 0, ran.stderr)
    assert.match(JSON.stringify(server.bodies), /held by Main/)
  })
  assert.equal(existsSync(rows), false)
}

/** The pack in a package of its own, with its own copy of the packages that npm duplicated. */
const withCopy = async (machine: Machine, project: string, copies: ReadonlyArray<string>): Promise<ProgramResult> => {
  const pack = join(project, "node_modules/acme-rows")
  mkdirSync(pack, { recursive: true })
  writeFileSync(join(pack, "package.json"), '{"name":"acme-rows","version":"1.0.0","type":"module","main":"rows.js"}')
  ends(
    machine,
    [
      "tsc",
      "--module",
      "nodenext",
      "--target",
      "es2024",
      "--skipLibCheck",
      "--types",
      "node",
      "--outDir",
      pack,
      "rows.ts"
    ],
    {
      cwd: project
    }
  )
  for (const name of copies) {
    cpSync(join(project, "node_modules", name), join(pack, "node_modules", name), {
      recursive: true,
      dereference: true
    })
  }
  writeFileSync(
    join(project, "copy.ts"),
    readFileSync(join(project, "program.ts"), "utf8").replace("./rows.ts", "acme-rows")
  )
  const ended = await runs(machine, ["copy.ts"], { cwd: project })
  rmSync(pack, { recursive: true })
  return ended
}

const secondProtocol = async (machine: Machine, project: string): Promise<void> => {
  const { code, stderr, stdout } = await withCopy(machine, project, ["@bough/protocol"])
  assert.equal(code, 0, stderr)
  assert.deepEqual(JSON.parse(stdout).broken.error, {
    _tag: "ExecutionError",
    message: "the table is full",
    hint: "remove some"
  })
}

const secondEffect = async (machine: Machine, project: string): Promise<void> => {
  const { code, stderr } = await withCopy(machine, project, ["effect"])
  assert.notEqual(code, 0)
  assert.match(stderr, /effect/)
  assert.match(stderr, /copy|copies/)
}
