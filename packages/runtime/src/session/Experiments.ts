/** The tool versions of a session tree. Pure. */
import { Experiment, type Tool } from "@bough/tool"
import type { Agent } from "./Agent.ts"

/** Returns the agent with the versions of this tree; the same agent if it has no experiments. */
export const assign = (agent: Agent, treeId: string): Agent => {
  const chosen = (agent.tools.experiments ?? [])
    .filter(({ name }) => Object.hasOwn(agent.tools.pack.tools, name))
    .map((experiment) => [experiment.name, Experiment.assigned(experiment, treeId)] as const)
  if (chosen.length === 0) return agent
  const { pack } = agent.tools
  return {
    ...agent,
    tools: {
      ...agent.tools,
      pack: { ...pack, tools: { ...pack.tools, ...Object.fromEntries(chosen) } },
      registry: new Map<string, Tool.Any>([...agent.tools.registry, ...chosen])
    }
  }
}

/** Returns the tool of a recorded version; null: no experiment has that version. */
export const versionOf =
  ({ tools: { experiments = [] } }: Pick<Agent, "tools">) =>
  (name: string, version: number): Tool.Any | null => {
    const experiment = experiments.find((one) => one.name === name)
    return experiment === undefined ? null : Experiment.ofVersion(experiment, version)
  }
