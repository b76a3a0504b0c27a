/** The floors and names of the capabilities that Bough declares itself. */
import { type Any, type Floor, shortName } from "../CapabilityClass.ts"
import * as services from "./services.ts"

const builtIn: ReadonlyArray<Any> = Object.values(services)

const floors: ReadonlyMap<string, Floor> = new Map(builtIn.map(({ floor, key }) => [key, floor]))

/** The floor of a capability: a built-in one has its own, whatever an untyped declaration claims. */
export const floorOf = ({ floor, key }: Any): Floor => floors.get(key) ?? floor

/** Short names that an own capability cannot take: the built-in ones, and what an async handler gets beside capabilities. */
export const reservedNames: ReadonlySet<string> = new Set([
  ...builtIn.map(({ key }) => shortName(key)),
  "Invocation",
  "Progress",
  "invocation",
  "progress",
  "signal"
])

/** Namespaces whose services mean something to the dispatcher or to Effect. */
export const reservedNamespace = /^(?:@bough|~?@?effect)\//u
