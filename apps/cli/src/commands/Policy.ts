/** `policy`: lists the rules that apply here, as `policy list` does; parent of the commands that test and revoke rules. */
import { entry, lazyEntry } from "../command-line/CommandSpec.ts"
import * as List from "./policy/List.ts"

export const command = {
  ...List.command,
  subcommands: [
    entry("list", "List rules with their scope, origin and author", List.command),
    lazyEntry(
      "check",
      "Test every rule on its examples; exits with 2 if one is wrong",
      () => import("./policy/Check.ts")
    ),
    lazyEntry(
      "test",
      "Show how a call would be decided, without running it; exits with 0 if allowed, 3 if it needs an approval, 1 if denied",
      () => import("./policy/Test.ts")
    ),
    lazyEntry("explain", "Show what decides a call, and why", () => import("./policy/Explain.ts")),
    lazyEntry("revoke", "Revoke a rule that was added with an approval", () => import("./policy/Revoke.ts"))
  ]
}
