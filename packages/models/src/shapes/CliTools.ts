/**
 * Makes a shape of tools that correspond to the session's tools one to one: each field of the family's tool is a field
 * of the session's tool under another name, or is converted.
 */
import type { Model } from "@bough/runtime"
import { parametersWith, type Arguments, type Call, withoutAbsent, objectOf, type ToolShape } from "./ToolShape.ts"

/** Converts a field that differs in more than its name. */
export interface Conversion {
  /** The fields of the session's tool that the family's field stands for. */
  readonly ours: ReadonlyArray<string>
  readonly toOurs: (value: unknown, theirs: Arguments) => Arguments
  /**
   * Undefined: the family's default has the same meaning; null: the family has no equivalent, and the session's field
   * is kept.
   */
  readonly toTheirs: (ours: Arguments) => unknown
}

/** The field of the session's tool; null: only the family's tool has the field. */
type Target = string | Conversion | null

export interface CliTool {
  readonly ours: string
  readonly description: string
  readonly fields: Readonly<Record<string, readonly [Target, schema: Readonly<Record<string, unknown>>]>>
  readonly required: ReadonlyArray<string>
  /** The family's defaults that differ from those of the session's tool. */
  readonly defaults?: Arguments
  /** Earlier names of fields, which some models still use. */
  readonly formerNames?: Readonly<Record<string, string>>
  /** Fields of the session's tool that the family's tool does not offer. */
  readonly without?: ReadonlyArray<string>
  /** The fields with which the model starts a command in the background, as by the session's `start_command`. */
  readonly background?: Background
}

interface Background {
  readonly flag: string
  readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The field with the time to wait for the first output; null: there is none. */
  readonly wait: string | null
}

const starter = "start_command"

export const make = (name: ToolShape["name"], tools: Readonly<Record<string, CliTool>>): ToolShape => {
  const namesOfOurs = new Map(
    Object.entries(tools).flatMap(([theirs, tool]) => oursOf(tool).map((one) => [one, theirs]))
  )
  return {
    name,
    tools: Object.fromEntries(Object.entries(tools).map(([theirs, tool]) => [theirs, oursOf(tool)])),
    declare: (theirs, ours) => declare(theirs, tools[theirs], ours),
    toOurs: (call) => [toOurs(call, tools[call.name])],
    toTheirs: ([call, ...others]) => {
      const theirs = namesOfOurs.get(call.name)
      return theirs === undefined || others.length > 0 ? null : toTheirs(call, theirs, tools[theirs])
    }
  }
}

const oursOf = ({ background, ours }: CliTool): ReadonlyArray<string> =>
  background === undefined ? [ours] : [ours, starter]

const declare = (name: string, tool: CliTool, ours: ReadonlyMap<string, Model.ToolDeclaration>) => {
  const fields = Object.entries(tool.fields).map(([field, [, schema]]) => [field, schema] as const)
  const background = ours.has(starter) ? tool.background?.schemas : undefined
  const known = [...targetsOf(tool), ...(tool.without ?? [])]
  return {
    name,
    description: tool.description,
    parameters: objectOf(
      { ...Object.fromEntries(fields), ...background, ...parametersWith(ours.get(tool.ours), known) },
      tool.required
    )
  }
}

const targetsOf = ({ fields, ours }: CliTool): ReadonlyArray<string> => [
  ...Object.values(fields).flatMap(([target]) =>
    target === null ? [] : typeof target === "string" ? [target] : target.ours
  ),
  ...(ours === "edit_file" ? ["edits"] : [])
]

const toOurs = ({ arguments: theirs }: Call, tool: CliTool): Call => {
  const { background, defaults = {}, fields, formerNames = {} } = tool
  const isStart = background !== undefined && theirs[background.flag] === true
  const ours: Record<string, unknown> = isStart ? {} : { ...defaults }
  for (const [name, value] of Object.entries(theirs)) {
    if (name === background?.flag) continue
    if (isStart && name === background.wait) ours["waitMillis"] = value
    else Object.assign(ours, convertField(fields[formerNames[name] ?? name]?.[0], { name, theirs, value }))
  }
  // A command in the background has no deadline.
  if (isStart) return { name: starter, arguments: withoutAbsent({ ...ours, timeoutMillis: undefined }) }
  return { name: tool.ours, arguments: tool.ours === "edit_file" ? toEditList(ours) : withoutAbsent(ours) }
}

interface Field {
  readonly name: string
  readonly value: unknown
  readonly theirs: Arguments
}

const convertField = (target: Target | undefined, { name, theirs, value }: Field): Arguments => {
  if (target === null) return {}
  if (target === undefined) return { [name]: value }
  return typeof target === "string" ? { [target]: value } : target.toOurs(value, theirs)
}

/** The session's tool takes a list of edits; the family's tool makes a single edit. */
const toEditList = ({ new: fresh, old, replaceAll, ...rest }: Arguments): Arguments =>
  withoutAbsent({
    ...rest,
    edits: [withoutAbsent({ old, new: fresh, replaceAll: replaceAll === true ? true : undefined })]
  })

const toSingleEdit = ({ edits, ...rest }: Arguments): Arguments | null => {
  if (!Array.isArray(edits) || edits.length !== 1) return null
  const [edit] = edits as ReadonlyArray<Arguments>
  return { ...rest, ...edit }
}

const toTheirs = ({ arguments: args, name }: Call, theirs: string, tool: CliTool): Call | null => {
  const ours = name === "edit_file" ? toSingleEdit(args) : args
  if (ours === null) return null
  const out: Record<string, unknown> = {}
  const seen = new Set<string>()
  for (const [field, [target]] of Object.entries(tool.fields)) {
    if (target === null) continue
    const value = typeof target === "string" ? ours[target] : target.toTheirs(ours)
    if (value === null && typeof target !== "string") continue
    out[field] = value
    for (const one of typeof target === "string" ? [target] : target.ours) seen.add(one)
  }
  if (tool.required.some((field) => tool.fields[field]?.[0] !== null && out[field] === undefined)) return null
  const rest = Object.entries(ours).filter(([field, value]) => !seen.has(field) && tool.defaults?.[field] !== value)
  const { waitMillis, ...others } = Object.fromEntries(rest)
  if (name !== starter || tool.background === undefined)
    return { name: theirs, arguments: withoutAbsent({ ...out, ...Object.fromEntries(rest) }) }
  const { flag, wait } = tool.background
  const waiting = wait === null ? { waitMillis } : { [wait]: waitMillis }
  return { name: theirs, arguments: withoutAbsent({ ...out, [flag]: true, ...waiting, ...others }) }
}

/** Converts the number of the last line to a number of lines. */
export const lastLine = (from: string, first: string, count: string): Conversion => ({
  ours: [count],
  toOurs: (last, theirs) => {
    const start = typeof theirs[from] === "number" ? theirs[from] : 1
    return { [count]: typeof last === "number" ? Math.max(1, last - start + 1) : last }
  },
  toTheirs: (ours) => {
    const { [count]: lines, [first]: start = 1 } = ours
    return typeof lines === "number" && typeof start === "number" ? start + lines - 1 : undefined
  }
})

/** Converts a line number that counts from 0 to one that counts from 1. */
export const fromZero = (ours: string): Conversion => ({
  ours: [ours],
  toOurs: (value) => ({ [ours]: typeof value === "number" ? value + 1 : value }),
  toTheirs: ({ [ours]: value }) => (typeof value === "number" ? value - 1 : undefined)
})

/** Converts one text to a list. */
export const listOfOne = (ours: string): Conversion => ({
  ours: [ours],
  toOurs: (value) => ({ [ours]: [value] }),
  toTheirs: ({ [ours]: value = [] }) => {
    if (!Array.isArray(value) || value.length > 1) return null
    return value[0] as unknown
  }
})

/** Negates a flag; the family's default is false. */
export const not = (ours: string): Conversion => ({
  ours: [ours],
  toOurs: (value) => ({ [ours]: value !== true }),
  toTheirs: ({ [ours]: value }) => (value === true ? undefined : true)
})
