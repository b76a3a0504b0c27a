/** The tool versions of a session tree. Pure. */
import { Experiment, type Tool } from "@bough/tool"
import type { Agent } from "./Agent.ts"

/** Returns the agent with the versions of this tree; the same agent if it has no experiments. */
export const assign = (agent: Agent, treeId: string): Agent => {
  const chosen = (agent.experiments ?? [])
    .filter(({ name }) => Object.hasOwn(agent.tools.pack.tools, name))
    .map((experiment) => [experiment.name, Experiment.assigned(experiment, treeId)] as const)
  if (chosen.length === 0) return agent
  const { pack } = agent.tools
  const tools = { ...agent.tools, pack: { ...pack, tools: { ...pack.tools, ...Object.fromEntries(chosen) } } }
  return { ...agent, tools, registry: new Map<string, Tool.Any>([...agent.registry, ...chosen]) }
}

/** Returns the tool of a recorded version; null: no experiment has that version. */
export const versionOf =
  ({ experiments = [] }: Pick<Agent, "experiments">) =>
  (name: string, version: number): Tool.Any | null => {
    const experiment = experiments.find((one) => one.name === name)
    return experiment === undefined ? null : Experiment.ofVersion(experiment, version)
  }
