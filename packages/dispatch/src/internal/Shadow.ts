/** Shadows of frozen objects, because a proxy of a frozen object may only return the object's own members. */

const originals = new WeakMap<object, object>()

/** Returns the object itself, or a shadow of it if a proxy of the object could not change a member. */
export const ofFixed = (original: object): object => (isFixed(original) ? inFrontOf(original) : original)

/** Returns the original object of a proxy's target. */
export const originalOf = (target: object): object => originals.get(target) ?? target

/**
 * Functions known to have no fixed members. The set is a cache, because a method is read once for each of its objects.
 */
const unfixed = new WeakSet<object>()

const isFixed = (original: object): boolean => {
  if (!Object.isExtensible(original)) return true
  if (typeof original !== "function") return hasFixedMember(original)
  if (unfixed.has(original)) return false
  const isFixedFunction = hasFixedMember(original)
  if (!isFixedFunction) unfixed.add(original)
  return isFixedFunction
}

const hasFixedMember = (original: object): boolean => {
  // A typed array has a fixed member for each element; none of these members can act.
  if (ArrayBuffer.isView(original)) return false
  return (
    Object.getOwnPropertyNames(original).some((name) => isFixedMember(original, name)) ||
    Object.getOwnPropertySymbols(original).some((name) => isFixedMember(original, name))
  )
}

const isFixedMember = (original: object, name: PropertyKey): boolean => {
  const member = Object.getOwnPropertyDescriptor(original, name)
  return member?.configurable === false && member.writable !== true
}

/** Returns an object with the same members, which a proxy can change. */
export const inFrontOf = (original: object): object => {
  const members = Reflect.ownKeys(original).map((name) => {
    const member = Reflect.getOwnPropertyDescriptor(original, name)
    return [name, { ...member, configurable: true }] as const
  })
  const shadow = emptyOf(original)
  for (const [name, member] of members) {
    // The length of an array and the prototype of a function cannot be redefined; the shadow keeps its own.
    Reflect.defineProperty(shadow, name, member)
  }
  originals.set(shadow, original)
  return shadow
}

const emptyOf = (original: object): object => {
  if (typeof original === "function")
    return Object.setPrototypeOf(function () {}, Object.getPrototypeOf(original) as object)
  if (Array.isArray(original)) return Array.from({ length: original.length })
  return Object.create(Object.getPrototypeOf(original) as object | null) as object
}
