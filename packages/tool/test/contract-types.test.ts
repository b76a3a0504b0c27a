/** Tests of what must not compile, and of what the compiler says about it. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { checkTools } from "../typetest/ManyTools.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

const compile = (project: string): string => {
  const { stderr, stdout } = spawnSync("node_modules/.bin/tsc", ["--pretty", "false", "-p", project], {
    cwd: root,
    encoding: "utf8"
  })
  return stdout + stderr
}

interface Diagnostic {
  readonly code: string
  /** What it comes down to: the innermost reason. */
  readonly reason: string
}

/** The compiler's diagnostics of the fixtures, by file. */
const byFile = (output: string): Map<string, ReadonlyArray<Diagnostic>> => {
  const files = new Map<string, Array<Diagnostic>>()
  for (const text of output.split(/\n(?=\S)/u)) {
    const head = /^typetest\/fixtures\/(.+?)\.ts\(\d+,\d+\): error (TS\d+): /u.exec(text)
    if (head === null) continue
    const lines = text.slice(head[0].length).trimEnd().split("\n")
    const known = files.get(head[1]) ?? []
    files.set(head[1], [...known, { code: head[2], reason: lines.at(-1)!.trim() }])
  }
  return files
}

const notForWorkers = (tier: string): string =>
  'Type \'ToolPack<never, ByName<readonly [Tool<"write_text", Struct<{ readonly path: String; readonly content: String; ' +
  '}>, Struct<{ readonly bytes: Natural; readonly state: Literals<readonly ["new", "changed"]>; }>, never, ' +
  `${tier}>]>>' is not assignable to type '"a Worker calls ReadOnly tools only: leave out write_text"'.`

const expected: Readonly<Record<string, Diagnostic>> = {
  "undeclared-capability": {
    code: "TS2322",
    reason: `Type 'WorkspaceWrite' is not assignable to type '"execute uses WorkspaceWrite: list it in capabilities"'.`
  },
  "undeclared-capability-async": {
    code: "TS2339",
    reason: "Property 'WorkspaceWrite' does not exist on type 'AsyncContext<readonly [typeof WorkspaceRead]>'."
  },
  "unsatisfied-kind": {
    code: "TS2345",
    reason:
      'Type \'ToolPack<WorkspaceRead | WorkspaceWrite, ByName<readonly [Tool<"write_text", Struct<{ readonly path: ' +
      'String; readonly content: String; }>, Struct<...>, WorkspaceRead | WorkspaceWrite, "Workspace">]>>\' is not ' +
      `assignable to type '"a Worker has no WorkspaceWrite: leave out the tools that use it"'.`
  },
  "elevated-for-worker": {
    code: "TS2345",
    reason: notForWorkers('"Elevated"')
  },
  "wide-tier-for-worker": {
    code: "TS2345",
    reason: notForWorkers('"Elevated" | "ReadOnly"')
  },
  "own-capability-not-held": {
    code: "TS2345",
    reason:
      'Type \'ToolPack<Database, ByName<readonly [Tool<"sql_query", Struct<{ readonly sql: String; }>, Struct<{ readonly ' +
      `rows: $Array<String>; }>, Database, "System">]>>' is not assignable to type ` +
      `'"a Main has no Database: write SessionKind.Main.with(Database).tools(…)"'.`
  },
  "own-capability-worker": {
    code: "TS2345",
    reason:
      "Type 'typeof Database' is not assignable to type " +
      `'"a Worker holds what only reads: the floor of Database is System"'.`
  },
  "several-undeclared": {
    code: "TS2322",
    reason:
      "Type 'Execution' is not assignable to type " +
      `'"execute uses Execution, WorkspaceWrite: list it in capabilities"'.`
  },
  "tier-below-floor": {
    code: "TS2322",
    reason: `Type '"Workspace"' is not assignable to type '"the tier is at least System, the floor of Execution"'.`
  },
  "tier-misspelt": {
    code: "TS2820",
    reason:
      `Type '"Workspac"' is not assignable to type '"Elevated" | "ReadOnly" | "System" | "Workspace"'. ` +
      `Did you mean '"Workspace"'?`
  },
  "foreign-error": {
    code: "TS2375",
    reason: `Type 'DiskFull' is not assignable to type '"fails with DiskFull: map it to one of the four ToolErrors"'.`
  },
  "unfit-output": {
    code: "TS2375",
    reason: `Type '"newest"' is not assignable to type '"changed" | "new"'.`
  },
  "unfit-output-async": {
    code: "TS2322",
    reason:
      "Property 'state' is missing in type '{ readonly bytes: 1; }' but required in type " +
      `'{ readonly bytes: number; readonly state: "changed" | "new"; }'.`
  },
  "writing-classify": {
    code: "TS2322",
    reason:
      "Type 'WorkspaceWrite' is not assignable to type " +
      `'"classify uses WorkspaceWrite: it may use declared capabilities that only read"'.`
  },
  "writing-settled": {
    code: "TS2322",
    reason:
      "Type 'WorkspaceWrite' is not assignable to type " +
      `'"settled uses WorkspaceWrite: it may use declared capabilities that only read"'.`
  },
  "writing-preview": {
    code: "TS2322",
    reason:
      "Type 'WorkspaceRead' is not assignable to type " +
      `'"preview uses WorkspaceRead: it may use declared capabilities that only read"'.`
  }
}

describe("the contract, compiled", () => {
  const diagnostics = byFile(compile("typetest/fixtures"))

  it.each(Object.entries(expected))("%s is refused for one reason, which the message names", (name, diagnostic) => {
    assert.deepStrictEqual(diagnostics.get(name), [diagnostic])
  })

  it("every fixture is expected to fail, but the one that is right", () => {
    const fixtures = readdirSync(new URL("../typetest/fixtures/", import.meta.url))
      .filter((file) => /^[a-z-]+\.ts$/u.test(file))
      .map((file) => file.slice(0, -".ts".length))
    assert.sameMembers(fixtures, [...Object.keys(expected), "valid"])
    assert.sameMembers([...diagnostics.keys()], Object.keys(expected))
  })

  it("what is pinned in typetest holds", () => {
    assert.strictEqual(compile("typetest"), "")
  })

  it("200 tools compile", () => {
    const { elapsedMillis, output } = checkTools(200)
    process.stdout.write(`200 tools type-checked in ${elapsedMillis} ms\n`)
    assert.strictEqual(output, "")
  })
})
