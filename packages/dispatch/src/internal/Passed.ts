/**
 * Objects and lists that a handler passes to a service. The service may put handles into them, which `hand` replaces by
 * proxies of the call. It changes only these objects.
 */
import * as Handles from "./Handles.ts"

/** A list of more items may have holes, and be longer than can be iterated. */
const maxItems = 100_000

export interface ValueMembrane {
  readonly hand: (value: unknown) => unknown
  readonly isHanded: (value: object) => boolean
}

export interface PassedArguments {
  /** Replaces the values that the service has put into the arguments; null: nothing can be put into them. */
  readonly sweep: (() => void) | null
  /** True if functions or handles are within the arguments. */
  readonly isMixed: boolean
}

/** Looks at all objects within the arguments, before the service gets them. */
export const watch = (args: ReadonlyArray<unknown>, { hand, isHanded }: ValueMembrane): PassedArguments => {
  const before = new Set<unknown>()
  const containers: Array<object> = []
  let isMixed = false
  const note = (value: unknown): void => {
    if (!isObject(value) || before.has(value)) return
    before.add(value)
    if (typeof value === "function" || isHanded(value)) isMixed = true
    else if (isContainer(value)) containers.push(value)
  }
  for (const value of args) if (typeof value === "object") note(value)
  if (containers.length === 0) return { sweep: null, isMixed }
  // The list grows while it is read.
  for (const container of containers) eachMember(container, note)
  const sweep = (): void => {
    for (const container of containers) {
      eachMember(container, (value, name) => {
        if (!isObject(value) || before.has(value)) return
        const handed = hand(value)
        if (handed !== value) replace(container, { name, value, handed })
      })
    }
  }
  return { sweep, isMixed }
}

const isObject = (value: unknown): value is object =>
  value !== null && (typeof value === "object" || typeof value === "function")

const isContainer = (value: object): boolean =>
  Array.isArray(value) || value instanceof Map || value instanceof Set || Handles.isFillable(value)

type Visit = (value: unknown, name: unknown) => void

/** Visits the values in a container. The values that a getter would compute are not read. */
const eachMember = (container: object, visit: Visit): void => {
  if (Array.isArray(container)) return eachItem(container, visit)
  // A copy, because the visit may change the container.
  if (container instanceof Map) {
    for (const [key, value] of Array.from(Map.prototype.entries.call(container))) {
      visit(value, key)
      visit(key, key)
    }
  }
  if (container instanceof Set)
    for (const value of Array.from(Set.prototype.values.call(container))) visit(value, value)
  for (const name of Object.getOwnPropertyNames(container)) visitField(container, name, visit)
  eachSymbol(container, visit)
}

const eachItem = (list: ReadonlyArray<unknown>, visit: Visit): void => {
  const names = Object.getOwnPropertyNames(list)
  const isLong = list.length > maxItems
  if (!isLong) for (let at = 0; at < list.length; at++) visit(list[at], at)
  // The names that are not numbers follow the length.
  for (const name of isLong ? names : names.slice(names.lastIndexOf("length"))) visitField(list, name, visit)
  eachSymbol(list, visit)
}

const eachSymbol = (container: object, visit: Visit): void => {
  for (const name of Object.getOwnPropertySymbols(container)) visitField(container, name, visit)
}

const visitField = (container: object, name: PropertyKey, visit: Visit): void =>
  visit(Reflect.getOwnPropertyDescriptor(container, name)?.value, name)

interface Replacement {
  readonly name: unknown
  readonly value: unknown
  readonly handed: unknown
}

const replace = (container: object, { handed, name, value }: Replacement): void => {
  if (container instanceof Set && container.delete(value)) container.add(handed)
  else if (container instanceof Map && name === value) replaceKey(container, value, handed)
  else if (container instanceof Map && container.get(name) === value) container.set(name, handed)
  else Reflect.set(container, name as PropertyKey, handed)
}

const replaceKey = (map: Map<unknown, unknown>, key: unknown, handed: unknown): void => {
  const value = map.get(key)
  map.delete(key)
  map.set(handed, value === key ? handed : value)
}
