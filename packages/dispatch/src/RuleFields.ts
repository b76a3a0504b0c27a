/** What rules may speak of: the parameters of every compiled-in tool. */
import type { Rule } from "@bough/policy"
import type { Registry } from "./Caller.ts"
import * as Compiled from "./Compiled.ts"

export const of = (registry: Registry): Rule.KnownFields =>
  new Map(Array.from(registry, ([name, tool]) => [name, Compiled.of(tool).fieldNames()]))
