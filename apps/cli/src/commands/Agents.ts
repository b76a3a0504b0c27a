/** `agents`: lists the agents that a session can use, like `agents list`. `agents show` is its subcommand. */
import { command as declare, entry, lazyEntry } from "../command-line/CommandSpec.ts"
import * as List from "./agents/List.ts"

export const command = declare({
  description:
    "List the agents that --agent can name: those of the configuration, of ~/.config/bough/agents/*.md, and of .bough/agents/*.md in folders that you trust",
  parameters: List.parameters,
  run: List.list,
  subcommands: [
    entry("list", "List every agent, its origin and its purpose", List.command),
    lazyEntry(
      "show",
      "Show one agent: its model, tools, rules, limits and instructions",
      () => import("./agents/Show.ts")
    )
  ]
})
