/** Tests of the checks by which the benchmark `coding` judges agents. */
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Agents from "../bench/src/coding/Agents.ts"
import * as Repository from "../bench/src/coding/Repository.ts"
import { tasks } from "../bench/src/coding/Tasks.ts"
import { requires } from "./requirements.ts"
import { someOf, thorough } from "./thorough.ts"

const git = requires("git")

describe(`the tasks of the benchmark coding${git.suffix}`, () => {
  it("are 25, each by its own name", () => {
    assert.lengthOf(tasks, 25)
    assert.strictEqual(new Set(tasks.map(({ name }) => name)).size, tasks.length)
  })

  it.skipIf(git.skip).concurrent.each(someOf(tasks, 2).map((task) => [task.name, task] as const))(
    "%s fails untouched and passes solved",
    thorough,
    async (name, task) => {
      const folder = mkdtempSync(join(tmpdir(), `bough-task-${name}-`))
      try {
        Repository.make(folder, task)
        assert.isNotNull(await Repository.check(folder, task))
        Repository.solve(folder, task)
        assert.isNull(await Repository.check(folder, task))
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }
  )

  it("read the usage that agents report, and null if they report none", () => {
    const read = (name: string, stdout: string) => Agents.agents.find((agent) => agent.name === name)?.used(stdout)
    const claude = `{"num_turns":3,"total_cost_usd":0.5,"usage":{"input_tokens":10,"output_tokens":2}}`
    assert.deepStrictEqual(read("claude", claude), { steps: 3, tokens: 12, costUsd: 0.5 })
    const bough = `{"step":1}\nnoise\n{"step":2}\n{"usage":{"inputTokens":5,"outputTokens":1,"costUsd":null}}`
    assert.deepStrictEqual(read("bough", bough), { steps: 2, tokens: 6, costUsd: null })
    const pi = [
      `{"type":"message_end","message":{"role":"user"}}`,
      `{"type":"message_end","message":{"role":"assistant","usage":{"input":10,"output":2,"cost":{"total":0.25}}}}`,
      `{"type":"message_end","message":{"role":"assistant","usage":{"input":20,"output":3,"cost":{"total":0.25}}}}`
    ]
    assert.deepStrictEqual(read("pi", pi.join("\n")), { steps: 2, tokens: 35, costUsd: 0.5 })
    const opencode = `{"type":"step_finish","part":{"tokens":{"total":12,"input":10,"output":2},"cost":0.5}}`
    assert.deepStrictEqual(read("opencode", opencode), { steps: 1, tokens: 12, costUsd: 0.5 })
    const codex = `{"type":"turn.completed","usage":{"input_tokens":2000,"output_tokens":100}}`
    assert.deepStrictEqual(read("codex", codex), { steps: null, tokens: 2100, costUsd: null })
    assert.deepStrictEqual(read("pi", "done"), { steps: null, tokens: null, costUsd: null })
  })
})
