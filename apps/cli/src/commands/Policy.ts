/** `policy`: lists the rules that apply here, as `policy list` does; parent of the commands that test and revoke rules. */
import { command as declare, entry, lazyEntry } from "../command-line/CommandSpec.ts"
import * as List from "./policy/List.ts"

export const command = declare({
  description: `List the rules that apply here. A rule is [allow|ask|deny] TOOL [FIELD=VALUE]…; * is any tool. It covers calls whose fields have these values: run_command argv=["npm","test"], write_file path=src/, ask * @tier=System. @agent, @channel, @kind and @tier restrict a rule to such sessions and calls`,
  parameters: List.parameters,
  run: List.list,
  subcommands: [
    entry("list", "List rules with their scope, origin and author", List.command),
    lazyEntry(
      "check",
      "Test every rule on its examples; exits with 2 if a rule is invalid or fails an example",
      () => import("./policy/Check.ts")
    ),
    lazyEntry(
      "test",
      "Show how a call would be decided, without running it; exits with 0 if allowed, 3 if it needs an approval, 1 if denied",
      () => import("./policy/Test.ts")
    ),
    lazyEntry("explain", "Show which rule, label or tier decides a call", () => import("./policy/Explain.ts")),
    lazyEntry("revoke", "Revoke a saved rule", () => import("./policy/Revoke.ts"))
  ]
})
