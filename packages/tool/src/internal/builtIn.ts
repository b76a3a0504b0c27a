/** The floors and names of the capabilities that Bough declares itself. */
import { type Any, type Floor, shortName } from "../CapabilityClass.ts"
import * as services from "./services.ts"

const builtIn: ReadonlyArray<Any> = Object.values(services)

const floors: ReadonlyMap<string, Floor> = new Map(builtIn.map(({ floor, key }) => [key, floor]))

/** True for a capability of Bough, false for one that a pack declares. */
export const isBuiltIn = ({ key }: Any): boolean => floors.has(key)

/**
 * Returns the floor of a capability: a built-in capability keeps its own floor, even if an untyped declaration claims
 * another.
 */
export const floorOf = ({ floor, key }: Any): Floor => floors.get(key) ?? floor

/**
 * Short names that a pack's capability cannot have: the built-in ones, and the other members of an async handler's
 * context.
 */
export const reservedNames: ReadonlySet<string> = new Set([
  ...builtIn.map(({ key }) => shortName(key)),
  "Invocation",
  "Progress",
  "invocation",
  "progress",
  "signal"
])

/** Namespaces whose services have a meaning for the dispatcher or for Effect. */
export const reservedNamespace = /^(?:@bough|~?@?effect)\//u
