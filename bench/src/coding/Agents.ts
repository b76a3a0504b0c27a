/** The agents that do the tasks, as programs: the command that starts each, and the usage that it reports. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { root } from "../PublishedLayout.ts"

/** The usage; null: the agent does not report it. */
export interface AgentUsage {
  readonly steps: number | null
  readonly tokens: number | null
  readonly costUsd: number | null
}

export interface Agent {
  readonly name: string
  /** The program: its name on PATH, or its path. */
  readonly command: string
  readonly argv: (prompt: string, model: string | null) => ReadonlyArray<string>
  readonly used: (stdout: string) => AgentUsage
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {})

/** The JSON objects of an output, one a line. */
const objectsOf = (stdout: string): ReadonlyArray<Fields> =>
  stdout.split("\n").flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line)
      return typeof value === "object" && value !== null ? [fieldsOf(value)] : []
    } catch {
      return []
    }
  })

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null)

const sumOf = (first: unknown, second: unknown): number | null => {
  const [a, b] = [numberOf(first), numberOf(second)]
  return a === null || b === null ? null : a + b
}

/** Adds the usage of each step; unknown if no step is reported. */
const sumOfSteps = (steps: ReadonlyArray<Omit<AgentUsage, "steps">>): AgentUsage =>
  steps.length === 0
    ? unknown
    : steps.reduce<AgentUsage>(
        (sum, { costUsd, tokens }) => ({
          steps: (sum.steps ?? 0) + 1,
          tokens: sumOf(sum.tokens, tokens),
          costUsd: sumOf(sum.costUsd, costUsd)
        }),
        { steps: 0, tokens: 0, costUsd: 0 }
      )

const unknown: AgentUsage = { steps: null, tokens: null, costUsd: null }
const modelFlag = (model: string | null): ReadonlyArray<string> => (model === null ? [] : ["--model", model])

const bough: Agent = {
  name: "bough",
  command: process.execPath,
  argv: (prompt, model) => [
    join(root, "apps/cli/dist/bough.js"),
    "run",
    "--format",
    "stream-json",
    "--approve",
    "allow",
    ...modelFlag(model),
    prompt
  ],
  used: (stdout) => {
    const objects = objectsOf(stdout)
    const steps = objects.flatMap((object) => numberOf(object["step"]) ?? [])
    const usage = fieldsOf(objects.findLast((object) => "usage" in object)?.["usage"])
    return {
      steps: steps.length === 0 ? null : Math.max(...steps),
      tokens: sumOf(usage["inputTokens"], usage["outputTokens"]),
      costUsd: numberOf(usage["costUsd"])
    }
  }
}

const claude: Agent = {
  name: "claude",
  command: "claude",
  argv: (prompt, model) => [
    "-p",
    prompt,
    "--output-format",
    "json",
    // Unlike bypassing permissions, allowed for root, who runs a benchmark in a container.
    "--permission-mode",
    "acceptEdits",
    "--allowedTools",
    "Bash,Read,Write,Edit,Glob,Grep",
    ...modelFlag(model)
  ],
  used: (stdout) => {
    const last = objectsOf(stdout).at(-1) ?? {}
    const usage = fieldsOf(last["usage"])
    return {
      steps: numberOf(last["num_turns"]),
      tokens: sumOf(usage["input_tokens"], usage["output_tokens"]),
      costUsd: numberOf(last["total_cost_usd"])
    }
  }
}

const codex: Agent = {
  name: "codex",
  command: "codex",
  argv: (prompt, model) => [
    "exec",
    "--json",
    "--skip-git-repo-check",
    "--sandbox",
    "workspace-write",
    ...modelFlag(model),
    prompt
  ],
  used: (stdout) => {
    const usage = fieldsOf(objectsOf(stdout).findLast((object) => "usage" in object)?.["usage"])
    return { ...unknown, tokens: sumOf(usage["input_tokens"], usage["output_tokens"]) }
  }
}

const opencode: Agent = {
  name: "opencode",
  command: "opencode",
  argv: (prompt, model) => ["run", "--format", "json", ...modelFlag(model), prompt],
  used: (stdout) =>
    sumOfSteps(
      objectsOf(stdout)
        .filter(({ type }) => type === "step_finish")
        .map(({ part }) => {
          const { cost, tokens } = fieldsOf(part)
          return { tokens: sumOf(fieldsOf(tokens)["input"], fieldsOf(tokens)["output"]), costUsd: numberOf(cost) }
        })
    )
}

const pi: Agent = {
  name: "pi",
  command: "pi",
  argv: (prompt, model) => ["-p", "--mode", "json", ...modelFlag(model), prompt],
  used: (stdout) =>
    sumOfSteps(
      objectsOf(stdout)
        .filter(({ message, type }) => type === "message_end" && fieldsOf(message)["role"] === "assistant")
        .map(({ message }) => {
          const { cost, input, output } = fieldsOf(fieldsOf(message)["usage"])
          return { tokens: sumOf(input, output), costUsd: numberOf(fieldsOf(cost)["total"]) }
        })
    )
}

export const agents: ReadonlyArray<Agent> = [bough, pi, opencode, codex, claude]

export const isInstalled = ({ command }: { readonly command: string }): boolean =>
  command.includes("/") ||
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, command)))

const patienceMillis = 600_000

export interface Work {
  readonly folder: string
  readonly prompt: string
  readonly model: string | null
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Runs the agent. Its exit code is ignored, because the check decides. */
export const work = (agent: Agent, { environment, folder, model, prompt }: Work): Promise<AgentUsage> =>
  new Promise((resolve) => {
    const options = { cwd: folder, env: environment, timeout: patienceMillis, maxBuffer: 256 * 1024 ** 2 }
    const child = execFile(agent.command, [...agent.argv(prompt, model)], options, (_, stdout) =>
      resolve(agent.used(stdout))
    )
    child.stdin?.end()
  })
