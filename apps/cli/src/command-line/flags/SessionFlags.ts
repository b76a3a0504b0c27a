/** The flags of commands that open a session. */
import { Effort } from "@bough/models"
import * as Flag from "effect/cli/Flag"
import type { CommandOptions } from "../CommandSpec.ts"
import * as Shapes from "./Shapes.ts"

export const session = Shapes.optionalText("session", "ID", "Continue the session with this id or prefix").pipe(
  Flag.withAlias("s")
)

export const approve = Shapes.optional(
  Flag.Literals("approve", ["ask", "deny", "allow", "commands"]).pipe(
    Flag.withDescription(
      "Decision on calls that need approval. ask: ask at a terminal; deny: deny them; allow: approve those that are not Elevated; commands: approve only commands, also outside of the sandbox"
    )
  )
)

export const allow = Shapes.repeatedText(
  "allow",
  "RULE",
  `Allow calls that match this rule, such as 'run_command argv=["npm","test"]'; repeatable`
)

export const kind = Flag.ChoiceWithValue("kind", [
  ["main", "Main"],
  ["branch", "Branch"],
  ["worker", "Worker"]
] as const).pipe(
  Flag.withDescription("Session kind whose tools and capabilities apply"),
  Flag.withDefault("Main" as const)
)

export const addDir = Shapes.repeatedText(
  "add-dir",
  "DIR",
  "Add a directory to the workspace for file tools and commands; DIR:ro makes it read-only; repeatable"
)

/** The flags of commands that run turns. */
export const turns = {
  model: Shapes.optionalText(
    "model",
    "PROVIDER/MODEL",
    "Model to use, such as openai-compatible/llama3.2 or offline/planner"
  ).pipe(Flag.withAlias("m")),
  agent: Shapes.optionalText(
    "agent",
    "NAME",
    "Agent of the session, with at most the rights of the default agent, as listed by `agents list`"
  ),
  effort: Shapes.optional(
    Flag.Literals("effort", Effort.levels).pipe(
      Flag.withDescription("Reasoning effort of the model; default: medium if the model supports it")
    )
  ),
  continue: Shapes.toggle("continue", "Continue the newest session of this workspace").pipe(Flag.withAlias("c")),
  session,
  approve,
  allow,
  addDir,
  maxSteps: Shapes.optional(
    Flag.Int("max-steps").pipe(
      Flag.withMetavar("N"),
      Flag.withDescription("Maximum number of model calls in one turn, at least 1")
    )
  ),
  maxCostUsd: Shapes.optional(
    Flag.Finite("max-cost").pipe(
      Flag.withMetavar("USD"),
      Flag.withDescription("Maximum cost of the session; needs a model with a known price")
    )
  ),
  trust: Shapes.toggle(
    "trust",
    "Trust this folder's AGENTS.md, skills, agents and .bough/config.jsonc as they are now, and remember it"
  ),
  reflect: Shapes.optional(
    Flag.Boolean("reflect").pipe(
      Flag.withDescription("Save memories afterwards (on by default in conversations; --no-reflect turns it off)")
    )
  )
}

export type TurnOptions = CommandOptions<typeof turns>
