/**
 * Converts the functions and handles inside a value that a handler passes to a service. Objects, lists, Maps and Sets
 * that contain any are copied; all other values are passed unchanged.
 */
import * as Handles from "./Handles.ts"

export interface Conversion {
  /** True for a value that must be converted before the service receives it: a function, or the proxy of a handle. */
  readonly isConverted: (value: unknown) => value is object
  readonly convert: (value: object) => unknown
}

/** Returns the value, or a copy in which everything that needs a conversion is converted. */
export const unwrap = (value: object, { convert, isConverted }: Conversion): object => {
  const holders = new Map<object, Array<object>>([[value, []]])
  const copied = new Set<object>()
  // The map grows while it is read.
  for (const container of holders.keys()) {
    for (const part of partsOf(container)) {
      if (part === null || (typeof part !== "object" && typeof part !== "function")) continue
      if (isConverted(part)) copied.add(container)
      else if (holders.has(part)) holders.get(part)?.push(container)
      else if (isCopyable(part)) holders.set(part, [container])
    }
  }
  if (copied.size === 0) return value
  // A container of a copy is copied too.
  for (const container of copied) for (const holder of holders.get(container) ?? []) copied.add(holder)
  const copies = new Map(Array.from(copied, (container) => [container, emptyOf(container)]))
  const copyOf = (part: unknown): unknown => (isConverted(part) ? convert(part) : (copies.get(part as object) ?? part))
  for (const [container, copy] of copies) fill(copy, container, copyOf)
  return copyOf(value) as object
}

const isCopyable = (value: object): boolean =>
  Array.isArray(value) || Handles.isPlain(value) || isExactly(value, Map) || isExactly(value, Set)

const isExactly = (value: object, constructor_: { readonly prototype: object }): boolean =>
  Object.getPrototypeOf(value) === constructor_.prototype

const partsOf = (container: object): Iterable<unknown> => {
  if (isExactly(container, Set)) return Set.prototype.values.call(container)
  if (isExactly(container, Map)) return [...Map.prototype.entries.call(container)].flat()
  return isCopyable(container) ? Object.values(container) : []
}

const emptyOf = (container: object): object => {
  if (isExactly(container, Map)) return new Map()
  if (isExactly(container, Set)) return new Set()
  return Array.isArray(container) ? [] : (Object.create(Object.getPrototypeOf(container) as object | null) as object)
}

const fill = (copy: object, container: object, copyOf: (part: unknown) => unknown): void => {
  if (copy instanceof Map) {
    for (const [key, part] of Map.prototype.entries.call(container)) copy.set(copyOf(key), copyOf(part))
  } else if (copy instanceof Set) {
    for (const part of Set.prototype.values.call(container)) copy.add(copyOf(part))
  } else {
    for (const [name, part] of Object.entries(container)) {
      // A field can have any name, also "__proto__".
      const value = copyOf(part)
      Object.defineProperty(copy, name, { value, writable: true, enumerable: true, configurable: true })
    }
  }
}
