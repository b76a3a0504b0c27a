/**
 * Small tasks with hidden checks, each in a separate repository. Without a model, the benchmark tests the checks, and
 * runs Bough with a scripted model; BOUGH_BENCH_AGENTS (bough, pi, opencode, codex, claude) and BOUGH_BENCH_MODEL
 * select agents that do the tasks.
 */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { type Benchmark, figure, type Row } from "./Benchmark.ts"
import { chatAt } from "./Bough.ts"
import { check } from "./Check.ts"
import * as Agents from "./coding/Agents.ts"
import * as Repository from "./coding/Repository.ts"
import type { Task } from "./coding/Task.ts"
import { tasks } from "./coding/Tasks.ts"
import * as ModelServer from "./ModelServer.ts"
import { environment } from "./Programs.ts"

/** Tests the check of a task, which must fail before the solution and pass after it. */
const prove = async (folder: string, task: Task): Promise<void> => {
  Repository.make(folder, task)
  check((await Repository.check(folder, task)) !== null, `${task.name}: the untouched repository passes`)
  Repository.solve(folder, task)
  const failure = await Repository.check(folder, task)
  check(failure === null, `${task.name}: the solution fails: ${failure ?? ""}`)
}

interface SolvedTask extends Agents.AgentUsage {
  readonly solved: boolean
}

const rowOf = (label: string, done: ReadonlyArray<SolvedTask>): Row => {
  const sum = (of: (one: SolvedTask) => number | null): number | null => {
    const known = done.map(of)
    return known.includes(null) ? null : known.reduce<number>((total, value) => total + (value ?? 0), 0)
  }
  const totals = [
    ["steps", sum(({ steps }) => steps), "steps"],
    ["tokens", sum(({ tokens }) => tokens), "tokens"],
    ["cost", sum(({ costUsd }) => costUsd), "US dollars"]
  ] as const
  return {
    label,
    ratio: null,
    figures: [
      figure("solved", done.filter(({ solved }) => solved).length, `of ${done.length}`),
      ...totals.flatMap(([name, value, unit]) => (value === null ? [] : [figure(name, value, unit)]))
    ],
    aim: null
  }
}

/** Runs Bough with a scripted model that writes the solution. */
const runScripted = async (folder: string, chosen: ReadonlyArray<Task>): Promise<ReadonlyArray<SolvedTask>> => {
  const [agent] = Agents.agents
  const server = await ModelServer.open()
  const { model, variables } = chatAt(server.baseUrl)
  const done: Array<SolvedTask> = []
  for (const task of chosen) {
    const [home, repository] = ["home", "repository"].map((name) => join(folder, task.name, name))
    mkdirSync(home, { recursive: true })
    Repository.make(repository, task)
    const steps = Object.entries(task.solution).map(([path, content]) =>
      content === ""
        ? { call: { name: "delete_path", arguments: { path } } }
        : { call: { name: "write_file", arguments: { path, content } } }
    )
    const played = server.play({ answer: (index) => steps[index] ?? { text: "done" } })
    const used = await Agents.work(agent, {
      folder: repository,
      prompt: task.prompt,
      model,
      environment: environment(home, { BOUGH_HOME: join(home, "data"), ...variables })
    })
    const failure = await Repository.check(repository, task)
    check(played.fault === null && failure === null, `${task.name}: ${played.fault?.message ?? failure ?? ""}`)
    done.push({ ...used, steps: played.exchanges.length, solved: true })
  }
  await server.close()
  return done
}

const real = async (folder: string, agent: Agents.Agent, chosen: ReadonlyArray<Task>): Promise<Row> => {
  const model = process.env["BOUGH_BENCH_MODEL"] ?? null
  const done: Array<SolvedTask> = []
  for (const task of chosen) {
    const repository = join(folder, agent.name, task.name)
    Repository.make(repository, task)
    const used = await Agents.work(agent, { folder: repository, prompt: task.prompt, model, environment: process.env })
    done.push({ ...used, solved: (await Repository.check(repository, task)) === null })
  }
  return rowOf(`${agent.name}${model === null ? "" : `, ${model}`}`, done)
}

export const benchmark: Benchmark = {
  name: "coding",
  title: "Small tasks with hidden checks",
  run: async ({ folder, quick }) => {
    await Promise.all(tasks.map((task) => prove(join(folder, "checks", task.name), task)))
    const chosen = quick ? tasks.filter((_, at) => at % 8 === 0) : tasks
    const agentNames = (process.env["BOUGH_BENCH_AGENTS"] ?? "").split(",").filter((name) => name !== "")
    const named = Agents.agents.filter(({ name }) => agentNames.includes(name))
    const rows = [
      { label: "checks hold", ratio: null, figures: [figure("tasks", tasks.length, "tasks")], aim: null },
      rowOf("bough, scripted model", await runScripted(join(folder, "scripted"), chosen))
    ]
    for (const agent of named.filter(Agents.isInstalled)) rows.push(await real(folder, agent, chosen))
    const missing = named.filter((agent) => !Agents.isInstalled(agent)).map(({ name }) => `${name} is not installed`)
    const unasked = agentNames.length > 0 ? [] : ["real models: set BOUGH_BENCH_AGENTS=bough and BOUGH_BENCH_MODEL"]
    return {
      rows,
      notes: ["An agent is judged by the hidden check alone, not by what it says."],
      notMeasured: [...missing, ...unasked]
    }
  }
}
