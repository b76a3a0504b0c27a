/** The extensions of a session by the user and the project: texts for the model, commands, hooks and agents. */
import type { Agent } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Agents from "../agents/Agents.ts"
import * as CustomCommands from "../commands/CustomCommands.ts"
import * as ConfiguredHooks from "../hooks/ConfiguredHooks.ts"
import type { HostFailure } from "../HostFailure.ts"
import * as Skills from "../skills/Skills.ts"
import type * as ConfigSchema from "./ConfigSchema.ts"
import type { HostEnvironment } from "./HostEnvironment.ts"
import * as OperatorFile from "./OperatorFile.ts"
import * as ProjectSettings from "./ProjectSettings.ts"

export interface Extensions {
  readonly instructions: ReadonlyArray<Agent.Instruction>
  readonly skills: ReadonlyArray<Skills.Skill>
  /** The hooks of sessions. */
  readonly hooks: ReadonlyArray<ConfiguredHooks.Hook>
  /** The user-defined slash commands. */
  readonly commands: ReadonlyArray<CustomCommands.CustomCommand>
  /** The agents that a session can use. */
  readonly agents: ReadonlyArray<Agents.AgentDefinition>
}

interface ExtensionSources {
  readonly operator: ConfigSchema.User
  readonly project: ProjectSettings.ProjectSettings
  /** The name of the session's agent; null: none. */
  readonly agentName: string | null
  /** The folders that a session may write; a link out of the user's folder of skills may not lead there. */
  readonly writable: ReadonlyArray<string>
}

interface ReadExtensions {
  readonly extensions: Extensions
  /** The agent that narrows the session; null: none. */
  readonly agent: Agents.AgentDefinition | null
  /** Sentences for the user about files that are ignored. */
  readonly notices: ReadonlyArray<string>
}

export const read = Effect.fnUntraced(function* (
  environment: HostEnvironment,
  { agentName, operator, project, writable }: ExtensionSources
): Effect.fn.Return<ReadExtensions, HostFailure> {
  const userSkills = Skills.userSkills(environment, writable)
  const { notices, skills } = yield* Skills.choose([...project.skills, ...userSkills.folders])
  const custom = yield* CustomCommands.read(environment, { project: project.commands, skills })
  const { agents, notices: agentNotices } = yield* Agents.read(environment, {
    configured: operator.agents ?? {},
    program: environment.agents ?? {},
    project: project.agents
  })
  const agent = yield* Agents.find(agents, agentName, project.untrustedAgents)
  return {
    agent,
    extensions: {
      instructions: [
        ...(yield* OperatorFile.instructions(environment)),
        ...project.instructions,
        ...Agents.instructions(agent),
        ...Agents.offer(agents),
        ...Skills.instructions(skills)
      ],
      skills,
      hooks: ConfiguredHooks.toHooks(operator.hooks ?? {}, {
        hooks: project.config.hooks ?? {},
        folder: project.configFolder
      }),
      commands: custom.commands,
      agents
    },
    notices: [
      ...userSkills.unreadable.map(ProjectSettings.describeUnreadable),
      ...notices,
      ...agentNotices,
      ...custom.notices
    ]
  }
})
