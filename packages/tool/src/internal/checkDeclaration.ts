/**
 * Checks a declaration once, when it is made, so that a fault is reported at the declaration, with the tool, the field
 * and the fix, instead of by the first call. Cheap enough for every start: it walks the schema and derives no JSON
 * Schema.
 */
import { Tier } from "@bough/protocol"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { clash } from "../CapabilityClass.ts"
import { faultOfFields, faultOfParameters } from "./checkParameters.ts"
import * as ForeignSchemas from "./ForeignSchemas.ts"
import { faultOfParts } from "./ownFields.ts"
import { endless, isTooDeep, tooDeep } from "./schemaParts.ts"

type UntypedParts = Readonly<Record<string, unknown>>

/** Throws an Error whose message names the tool, the field and the fix. */
export const checkDeclaration = (name: unknown, facts: unknown, handlers: UntypedParts): void => {
  const wrong = Result.getOrElse(
    Result.try(() => faultOf(name, facts, handlers)),
    (thrown) =>
      thrown instanceof RangeError ? endless("parameters") : `its declaration cannot be read: ${messageOf(thrown)}`
  )
  if (wrong !== null) {
    throw new Error(`the tool ${typeof name === "string" ? formatValue(name) : `(a ${typeof name})`}: ${wrong}`)
  }
}

const faultOf = (name: unknown, facts: unknown, handlers: UntypedParts): string | null => {
  if (typeof name !== "string" || !/^[a-z][a-z0-9_]{0,63}$/u.test(name)) {
    return "name: providers take lower-case letters, digits and _, at most 64 and a letter first, as in read_file"
  }
  if (name === "then") return "name: an opened pack would be taken for a promise; choose another name"
  if (facts === null || typeof facts !== "object") return "its facts are missing"
  const declaration = facts as UntypedParts
  return (
    faultOfNames(declaration) ??
    faultOfFacts(declaration) ??
    faultOfCapabilities(declaration["capabilities"]) ??
    faultOfTier(declaration["tier"], declaration["capabilities"] as ReadonlyArray<Capability>) ??
    faultOfCache(declaration) ??
    faultOfRequires(declaration["requires"], declaration["capabilities"] as ReadonlyArray<Capability>) ??
    faultOfHandlers(declaration, handlers) ??
    faultOfParameters(declaration["parameters"]) ??
    faultOfOutput(declaration["output"])
  )
}

const faultOfOutput = (output: unknown): string | null => {
  if (!Schema.isSchema(output)) {
    return "output: must be a Schema of effect; without Effect, declare the tool with Tool.fromAsync"
  }
  if (isTooDeep(ForeignSchemas.get(output))) return tooDeep("output")
  const fault = Result.try({
    try: () => faultOfFields("output", output.ast) ?? faultOfParts("output", output.ast),
    catch: (thrown) => thrown
  })
  if (Result.isFailure(fault) && fault.failure instanceof RangeError) return endless("output")
  return Result.getOrThrowWith(fault, (thrown) => thrown)
}

/** The parts of a declaration. Without this check, a misspelled part would be ignored silently. */
const parts: ReadonlySet<string> = new Set(
  (
    "description version parameters output capabilities tier replay execute classify preview findExisting forModel timeoutMillis " +
    "egress commands cache requires incidental ruleScope maxModelBytes releasesPermit role"
  ).split(" ")
)

const faultOfNames = (declaration: UntypedParts): string | null => {
  const odd = Object.keys(declaration).find((name) => !parts.has(name))
  return odd === undefined
    ? null
    : `${odd.slice(0, maxShown)}: there is no such part; there are ${[...parts].join(", ")}`
}

const replays: ReadonlyArray<unknown> = ["Safe", "Idempotent", "Unsafe"]
const roles: ReadonlyArray<unknown> = ["Plan", "Command"]

const faultOfFacts = (declaration: UntypedParts): string | null => {
  const { description, maxModelBytes, replay, timeoutMillis, role, ruleScope, version, releasesPermit } = declaration
  if (typeof description !== "string" || description.trim() === "") {
    const state = typeof description === "string" ? "empty" : formatValue(description)
    return `description: must be a text that tells the model what the tool does (it is ${state})`
  }
  if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 0) {
    return `version: must be a whole number, raised when the tool's behaviour changes (it is ${formatValue(version)})`
  }
  if (!replays.includes(replay)) return `replay: must be one of ${replays.join(", ")} (it is ${formatValue(replay)})`
  if (typeof timeoutMillis !== "function" && timeoutMillis !== undefined && !isPositive(timeoutMillis)) {
    return `timeoutMillis: must be a positive number of milliseconds or a function of the arguments (it is ${formatValue(timeoutMillis)})`
  }
  if (maxModelBytes !== undefined && !isPositive(maxModelBytes)) {
    return `maxModelBytes: must be a positive number (it is ${formatValue(maxModelBytes)})`
  }
  if (role !== undefined && !roles.includes(role))
    return `role: must be one of ${roles.join(", ")} (it is ${formatValue(role)})`
  if (ruleScope !== undefined && ruleScope !== "Tool")
    return `ruleScope: must be Tool (it is ${formatValue(ruleScope)})`
  return releasesPermit === undefined || typeof releasesPermit === "boolean"
    ? null
    : "releasesPermit: must be true or false"
}

const isPositive = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value) && value > 0

interface Capability {
  readonly key: string
  readonly floor: Tier.Tier
}

/** The name after the last "/" of a capability's key. */
const shortName = (key: string): string => key.slice(key.lastIndexOf("/") + 1)

const floors: ReadonlySet<unknown> = new Set(["ReadOnly", "Workspace", "System"])

const faultOfCapabilities = (value: unknown): string | null => {
  if (!Array.isArray(value)) return "capabilities: must be a list, [] for a tool that needs none"
  const known = new Map<string, Capability>()
  for (const [index, capability] of value.entries()) {
    const { floor, key } = (capability ?? {}) as UntypedParts
    if (typeof key !== "string" || key === "" || !floors.has(floor)) {
      return `capabilities[${index}]: must be a capability, such as Capability.WorkspaceRead or a result of Capability.make`
    }
    const short = shortName(key)
    if (known.has(short)) {
      const other = known.get(short)
      if (other === capability) return `capabilities[${index}]: ${short} is listed twice`
      return other?.key === key
        ? `capabilities[${index}]: ${clash(key)}`
        : `capabilities[${index}]: two capabilities are called ${short}; a handler could not tell them apart`
    }
    known.set(short, capability as Capability)
  }
  return null
}

const faultOfTier = (tier: unknown, capabilities: ReadonlyArray<Capability>): string | null => {
  if (!Tier.isTier(tier))
    return `tier: must be one of ReadOnly, Workspace, System, Elevated (it is ${formatValue(tier)})`
  const above = capabilities.filter(({ floor }) => Tier.exceeds(floor, tier))
  if (above.length === 0) return null
  const minTier = above.reduce<Tier.Tier>((floor, capability) => Tier.max(floor, capability.floor), tier)
  return `tier: must be at least ${minTier}, the floor of ${above
    .filter(({ floor }) => floor === minTier)
    .map(({ key }) => shortName(key))
    .join(", ")} (it is ${tier})`
}

const faultOfCache = ({ cache, replay, tier }: UntypedParts): string | null => {
  if (isAbsent(cache)) return null
  if (cache !== "reads") return `cache: must be "reads", or left out (it is ${formatValue(cache)})`
  return tier === "ReadOnly" && replay === "Safe"
    ? null
    : `cache: is for ReadOnly tools that are Safe; leave it out (this one is ${formatValue(tier)} and ${formatValue(replay)})`
}

const faultOfRequires = (requires: unknown, capabilities: ReadonlyArray<Capability>): string | null => {
  if (isAbsent(requires)) return null
  if (!Array.isArray(requires))
    return `requires: must be a list, as in ["NetworkRead.search"] (it is ${formatValue(requires)})`
  const names = capabilities.map(({ key }) => shortName(key))
  const wrong = requires.findIndex(
    (one: unknown) => typeof one !== "string" || !/^\w+(\.[\w-]+)?$/u.test(one) || !names.includes(one.split(".")[0])
  )
  return wrong === -1
    ? null
    : `requires[${wrong}]: must be a declared capability or a feature of one, as in ${names[0] ?? "NetworkRead"}.search (it is ${formatValue(requires[wrong])})`
}

const egressParts: ReadonlySet<string> = new Set(["address", "texts", "service"])

const optionalHandlers = ["classify", "preview", "findExisting"] as const

const faultOfHandlers = (facts: UntypedParts, handlers: UntypedParts): string | null => {
  if (typeof handlers["execute"] !== "function") return "execute: must be a function"
  for (const name of optionalHandlers) {
    if (!isAbsent(handlers[name]) && typeof handlers[name] !== "function") return `${name}: must be a function`
  }
  if (!isAbsent(handlers["findExisting"]) && facts["replay"] !== "Idempotent") {
    return `findExisting: is only for Idempotent tools; leave it out, or declare replay: "Idempotent" (it is ${formatValue(facts["replay"])})`
  }
  const { egress, forModel } = facts
  if (!isAbsent(forModel) && typeof forModel !== "function") return "forModel: must be a function of the output"
  if (isAbsent(egress)) return null
  const parts = Result.getOrElse(
    Result.try(() => Object.entries(egress as object)),
    () => []
  )
  return parts.length > 0 && parts.every(([name, part]) => egressParts.has(name) && typeof part === "function")
    ? null
    : "egress: must have address or texts, functions of the arguments"
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

const maxShown = 100

const formatValue = (value: unknown): string => {
  if (typeof value === "string") return JSON.stringify(value.slice(0, maxShown))
  if (typeof value === "number") return JSON.stringify(value)
  if (value === undefined) return "missing"
  return value === null ? "null" : typeof value
}

const messageOf = (thrown: unknown): string =>
  Result.getOrElse(
    Result.try(() => (thrown instanceof Error ? thrown.message : String(thrown))),
    () => `a thrown ${typeof thrown} that cannot be shown`
  )
