/** Orders the links of a chain, and finds every fault that can be detected before a link runs. Pure. */
import * as ToolCodecs from "@bough/dispatch/ToolCodecs"
import type { ToolError } from "@bough/protocol"
import { type Chain, type Tool, ToolSchema } from "@bough/tool"
import * as Result from "effect/Result"
import * as References from "./References.ts"
import * as Shapes from "./Shapes.ts"

export const maxLinks = 16
/** The maximum number of links that refer to one another in a row. */
export const maxDepth = 8

export interface PlannedLink extends Chain.Link {
  readonly references: ReadonlyArray<References.Reference>
  /** True if no other link refers to it. */
  readonly isLast: boolean
}

/**
 * Returns the links in execution order. A failure of `toolOf` is the reason why a chain of this session cannot use the
 * tool.
 */
export const plan = (
  links: ReadonlyArray<Chain.Link>,
  toolOf: (name: string) => Result.Result<Tool.Any, string>
): Result.Result<ReadonlyArray<PlannedLink>, ReadonlyArray<ToolError.Issue>> => {
  if (links.length > maxLinks) {
    return Result.fail([{ path: "links", message: `at most ${maxLinks} links, and these are ${links.length}` }])
  }
  const found = links.map(({ arguments: callArguments }) => References.find(callArguments))
  const issues = links.flatMap((link, index) => issuesOf({ link, index, found: found[index] }, links, toolOf))
  if (issues.length > 0) return Result.fail(issues)
  const referring = new Set(
    found.flatMap((references) => references.flatMap((one) => ("from" in one ? [one.from] : [])))
  )
  const planned = links.map((link, index) => ({
    ...link,
    references: found[index].filter((one) => "from" in one),
    isLast: !referring.has(link.name)
  }))
  return sortSteps(planned)
}

interface PlacedLink {
  readonly link: Chain.Link
  readonly index: number
  readonly found: ReturnType<typeof References.find>
}

const issuesOf = (
  { found, index, link }: PlacedLink,
  links: ReadonlyArray<Chain.Link>,
  toolOf: (name: string) => Result.Result<Tool.Any, string>
): ReadonlyArray<ToolError.Issue> => {
  const at = (path: string): string => `links.${index}${path === "" ? "" : `.${path}`}`
  const twice = links.findIndex(({ name }) => name === link.name)
  if (twice !== index) return [{ path: at("name"), message: `link ${twice} has this name too` }]
  const tool = toolOf(link.tool)
  if (Result.isFailure(tool)) return [{ path: at("tool"), message: tool.failure }]
  const wrong = found.flatMap((one) => {
    const path = at(one.path === "" ? "arguments" : `arguments.${one.path}`)
    if ("message" in one) return [{ path, message: one.message }]
    const message = faultOf(one, { target: tool.success, links, toolOf })
    return message === null ? [] : [{ path, message }]
  })
  return wrong.length > 0
    ? wrong
    : faultsOfArguments(link, tool.success, found.length > 0).map((issue) => ({
        ...issue,
        path: at(issue.path === "" ? "arguments" : `arguments.${issue.path}`)
      }))
}

const faultOf = (
  { at, from, path }: References.Reference,
  {
    links,
    target,
    toolOf
  }: {
    readonly target: Tool.Any
    readonly links: ReadonlyArray<Chain.Link>
    readonly toolOf: (name: string) => Result.Result<Tool.Any, string>
  }
): string | null => {
  const source = links.find(({ name }) => name === from)
  if (source === undefined) {
    return `there is no link ${JSON.stringify(from)}; there is ${links.map(({ name }) => name).join(", ")}`
  }
  const tool = Result.getOrNull(toolOf(source.tool))
  if (tool === null) return null
  const output = ToolSchema.output(tool)
  const part = Shapes.partOf(output, References.tokensOf(at) ?? [])
  if (part === null) {
    const names = Shapes.partNames(output)
    const availablePaths = names.length === 0 ? "" : `; it has ${names.map((name) => `/${name}`).join(", ")}`
    return `the output of ${source.tool} has no part ${JSON.stringify(at)}${availablePaths}`
  }
  const parameterType = path === "" ? { type: "object" } : Shapes.partOf(ToolSchema.parameters(target), path.split("."))
  if (parameterType === null) return `${target.name} takes no such argument`
  return Shapes.areApart(parameterType, part)
    ? `${target.name} takes ${Shapes.typesText(parameterType)} here, and ${JSON.stringify(at)} of ${source.tool} is ${Shapes.typesText(part)}`
    : null
}

/** Decodes arguments without references; for others only the names of the fields are checked. */
const faultsOfArguments = (
  { arguments: callArguments }: Chain.Link,
  tool: Tool.Any,
  hasReferences: boolean
): ReadonlyArray<ToolError.Issue> => {
  if (!hasReferences) {
    const decoded = ToolCodecs.codecsOf(tool).decodeParameters(callArguments)
    return Result.isSuccess(decoded) ? [] : ToolCodecs.issuesOf(decoded.failure)
  }
  const { properties = {}, required = [] } = ToolSchema.parameters(tool) as {
    readonly properties?: Readonly<Record<string, unknown>>
    readonly required?: ReadonlyArray<string>
  }
  return [
    ...Object.keys(callArguments)
      .filter((key) => !Object.hasOwn(properties, key))
      .map((key) => ({ path: key, message: `${tool.name} takes ${Object.keys(properties).join(", ") || "nothing"}` })),
    ...required.filter((key) => !Object.hasOwn(callArguments, key)).map((key) => ({ path: key, message: "is missing" }))
  ]
}

/** Orders each link after the links that it refers to, and otherwise keeps the order. */
const sortSteps = (
  links: ReadonlyArray<PlannedLink>
): Result.Result<ReadonlyArray<PlannedLink>, ReadonlyArray<ToolError.Issue>> => {
  const depths = new Map<string, number>()
  const order: Array<PlannedLink> = []
  while (order.length < links.length) {
    const next = links.find(
      ({ name, references }) => !depths.has(name) && references.every(({ from }) => depths.has(from))
    )
    if (next === undefined) return Result.fail([circleOf(links, depths)])
    const depth = 1 + Math.max(0, ...next.references.map(({ from }) => depths.get(from) ?? 0))
    if (depth > maxDepth) {
      const message = `at most ${maxDepth} links may follow from each other`
      return Result.fail([{ path: `links.${links.indexOf(next)}`, message }])
    }
    depths.set(next.name, depth)
    order.push(next)
  }
  return Result.succeed(order)
}

const circleOf = (links: ReadonlyArray<PlannedLink>, done: ReadonlyMap<string, number>): ToolError.Issue => {
  const unresolved = links.filter(({ name }) => !done.has(name))
  const cycle: Array<string> = []
  let at: PlannedLink | undefined = unresolved[0]
  while (at !== undefined && !cycle.includes(at.name)) {
    cycle.push(at.name)
    const onward: ReadonlyArray<References.Reference> = at.references
    at = unresolved.find(({ name }) => onward.some(({ from }) => from === name))
  }
  const circle = at === undefined ? cycle : [...cycle.slice(cycle.indexOf(at.name)), at.name]
  const first = links.findIndex(({ name }) => name === circle[0])
  return { path: `links.${first}.arguments`, message: `these links wait for each other: ${circle.join(", ")}` }
}
