/**
 * Objects and lists that a handler passes to a service. The service may put handles into them, which `hand` replaces by those of
 * the call. Pure, except for the objects.
 */
import * as Handles from "./Handles.ts"

/** More containers than this, in all arguments of a call of the service, are not looked at. */
const mostContainers = 1000

type Hand = (value: unknown) => unknown

/**
 * Returns a function that hands over the values that the arguments have got since now, or null if nothing can be put into
 * them.
 */
export const watch = (
  args: ReadonlyArray<unknown>,
  { hand, isHanded }: { readonly hand: Hand; readonly isHanded: (value: object) => boolean }
): (() => void) | null => {
  const seen = new Set<object>()
  const note = (value: unknown): void => {
    if (value === null || typeof value !== "object" || seen.size >= mostContainers) return
    if (!isHanded(value) && isContainer(value)) seen.add(value)
  }
  args.forEach(note)
  if (seen.size === 0) return null
  // A set is read on while it grows.
  const sweeps = Array.from(seenWithin(seen, note), (container) => watchOne(container, hand))
  return () => {
    for (const sweep of sweeps) sweep()
  }
}

function* seenWithin(seen: ReadonlySet<object>, note: (value: unknown) => void): Iterable<object> {
  for (const container of seen) {
    membersOf(container).forEach(note)
    yield container
  }
}

const isContainer = (value: object): boolean =>
  Array.isArray(value) || value instanceof Map || value instanceof Set || Handles.isFillable(value)

/** The values in a container. The values that a getter would compute are not read. */
const membersOf = (container: object): Map<unknown, unknown> => {
  if (Array.isArray(container)) return new Map(container.entries())
  if (container instanceof Map) return new Map(Map.prototype.entries.call(container))
  if (container instanceof Set) return new Map(Set.prototype.entries.call(container))
  return new Map(
    Reflect.ownKeys(container).map((name) => [
      name,
      Reflect.getOwnPropertyDescriptor(container, name)?.value as unknown
    ])
  )
}

const watchOne = (container: object, hand: Hand): (() => void) => {
  const before = membersOf(container)
  return () => {
    for (const [name, value] of membersOf(container)) {
      if (before.has(name) && Object.is(before.get(name), value)) continue
      const handed = hand(value)
      if (handed === value) continue
      if (container instanceof Set) container.delete(value)
      put(container, name, handed)
    }
  }
}

const put = (container: object, name: unknown, handed: unknown): void => {
  if (container instanceof Map) container.set(name, handed)
  else if (container instanceof Set) container.add(handed)
  else Reflect.set(container, name as PropertyKey, handed)
}
