/**
 * Resolves the paths of a call and of the rules that may cover it, so that real locations are compared instead of
 * spellings.
 */
import { CallPaths, type Rule } from "@bough/policy"
import { Capability, type Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { DecodedCall } from "./Call.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import * as JudgingWorkspace from "./JudgingWorkspace.ts"
import * as ToolCodecs from "./ToolCodecs.ts"

/** The paths that a tool's declaration marks among its parameters. */
export const declaredPaths = (tool: Tool.Any): CallPaths.Places => ({
  pathFields: ToolCodecs.codecsOf(tool).pathFields(),
  actsBelow: tool.tier !== "ReadOnly"
})

/** True if a rule about a path may cover calls of the tool; links are followed only then. */
export const areRuled = (tool: Tool.Any, rules: ReadonlyArray<Rule.Rule>): boolean => pathsIn(tool, rules).length > 0

/** True if `classify` or a rule depends on the real locations of the call's paths. */
export const areJudged = (tool: Tool.Any, rules: ReadonlyArray<Rule.Rule>): boolean =>
  tool.classify !== null || (rules.length > 0 && areRuled(tool, rules))

const pathsIn = (tool: Tool.Any, rules: ReadonlyArray<Rule.Rule>): ReadonlyArray<string> =>
  rules
    .filter((rule) => rule.tool === "*" || rule.tool === tool.name)
    .flatMap((rule) => CallPaths.rulePaths(rule, ToolCodecs.codecsOf(tool).pathFields()))

const ofWorkspace: ReadonlySet<string> = new Set(
  [Capability.WorkspaceRead, Capability.WorkspaceWrite, Capability.RepositoryRead, Capability.Execution].map(
    ({ key }) => key
  )
)

/**
 * Follows the links of the call's paths, and of the paths in the rules that may cover it. It reads only names, never
 * content.
 */
export const follow = Effect.fnUntraced(function* (
  call: DecodedCall,
  caller: DispatchContext
): Effect.fn.Return<CallPaths.Places> {
  const { tool } = call
  const places = declaredPaths(tool)
  const named = CallPaths.callPaths(JSON.parse(call.canonicalArguments), places.pathFields).map(
    ({ written }) => written
  )
  if (named.length === 0) return places
  const workspace = JudgingWorkspace.make(call, caller, { judged: call.judged })
  if (workspace === null) return places
  const isOfWorkspace = tool.capabilities.some(({ key }) => ofWorkspace.has(key))
  const leadsTo = new Map<string, string>()
  for (const path of new Set([...named, ...pathsIn(tool, caller.policy.rules)])) {
    const subject = yield* Effect.catchCause(
      Effect.suspend(() => workspace.inspect(path)),
      () => Effect.succeed(null)
    )
    // A path outside the workspace's scope resolves to itself.
    if (subject !== null) leadsTo.set(path, subject.path)
    else if (!isOfWorkspace) leadsTo.set(path, path)
  }
  return { ...places, leadsTo }
})
