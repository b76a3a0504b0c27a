/** The paths of a call, as written and as resolved by the workspace, compared with the paths of rules. */
import {
  countedFrom,
  isPathField,
  isWorkingDirectory,
  maybeWithin,
  pathField,
  surelySame,
  surelyWithin
} from "./PathRule.ts"
import type { Rule } from "./Rule.ts"

/** Facts about the paths of a call that are not in its arguments. */
export interface Places {
  /** Arguments that are declared as paths, regardless of their names; dotted if nested. */
  readonly pathFields?: ReadonlySet<string>
  /**
   * Maps the text of each path, of the call and of rules, to its location after links are followed. Absent: links were
   * not followed. A path that is missing from the map leads to no location in the workspace.
   */
  readonly leadsTo?: ReadonlyMap<string, string>
  /** True if the call acts on everything below its paths, as a move or a removal does. */
  readonly actsBelow?: boolean
}

export interface CallPath {
  readonly field: string
  readonly written: string
}

/** Returns every path in the arguments, including those in lists and nested objects. */
export const callPaths = (parameters: unknown, fields: ReadonlySet<string> = new Set()): ReadonlyArray<CallPath> => {
  const found: Array<CallPath> = []
  const look = (value: unknown, field: string): void => {
    if (typeof value === "string") {
      if (isPathField(field) || fields.has(field)) found.push({ field, written: value })
    } else if (Array.isArray(value)) for (const item of value) look(item, field)
    else if (value !== null && typeof value === "object") {
      for (const [name, nested] of Object.entries(value)) look(nested, field === "" ? name : `${field}.${name}`)
    }
  }
  look(parameters, "")
  return found
}

/** Returns every path that a rule names, as it counts from the workspace root of a call. */
export const rulePaths = (
  { fields, folder }: Pick<Rule, "fields" | "folder">,
  declared: ReadonlySet<string>
): ReadonlyArray<string> =>
  fields
    .flatMap(({ name, value }) => callPaths({ [name]: value }, declared))
    .map(({ written }) => countedFrom(folder, written))

/** A field of a rule that names a path, which counts from the workspace root. */
export interface NamedPath {
  readonly name: string
  readonly path: string
}

/** The call with which a rule's path is compared. */
interface Subject extends Places {
  readonly arguments: unknown
  readonly workspaceRoot: string
}

/** True if an ask or a deny with this path applies to any path of the call, in any form. */
export const mayMean = (named: NamedPath, subject: Subject): boolean => {
  const { actsBelow = false, leadsTo, workspaceRoot } = subject
  const rules = formsOf(named.path, leadsTo)
  return callPaths(subject.arguments, subject.pathFields).some(({ field, written }) => {
    if (named.name !== pathField && named.name !== field) return false
    const isTree = actsBelow && !isWorkingDirectory(field)
    return formsOf(written, leadsTo).some((path) =>
      rules.some((rule) => maybeWithin(rule, path, workspaceRoot) || (isTree && maybeWithin(path, rule, workspaceRoot)))
    )
  })
}

/** True if an allow with this path covers every path of its field, both as written and as resolved. */
export const surelyMeans = (named: NamedPath, subject: Subject): boolean =>
  everyOwn(
    named,
    subject,
    (written, resolved) =>
      surelyWithin(named.path, written, subject.workspaceRoot) &&
      surelyWithin(named.path, resolved, subject.workspaceRoot)
  )

/** True if an allow that must name the path itself, and not a path above it, covers the call. */
export const surelyNames = (named: NamedPath, subject: Subject): boolean =>
  everyOwn(
    named,
    subject,
    (written, resolved) =>
      surelySame(named.path, written, subject.workspaceRoot) &&
      surelyWithin(named.path, resolved, subject.workspaceRoot) &&
      surelyWithin(resolved, named.path, subject.workspaceRoot)
  )

/**
 * True if `covers` holds for each path in the argument that has the rule's name. It is false if there is no such
 * argument, or if the location of a path is unknown.
 */
const everyOwn = (
  { name }: NamedPath,
  { arguments: callArguments, leadsTo, pathFields }: Subject,
  covers: (written: string, resolved: string) => boolean
): boolean => {
  const pathsOfField = callPaths(callArguments, pathFields).filter(({ field }) => field === name)
  return (
    pathsOfField.length > 0 &&
    pathsOfField.every(({ written }) => {
      const resolved = leadsTo === undefined ? written : leadsTo.get(written)
      return resolved !== undefined && covers(written, resolved)
    })
  )
}

const formsOf = (written: string, leadsTo: Places["leadsTo"]): ReadonlyArray<string> => {
  const resolved = leadsTo?.get(written)
  return resolved === undefined ? [written] : [written, resolved]
}
