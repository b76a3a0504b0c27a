/**
 * Distinguishes handles from data among the values that a capability of a pack returns. A handle can act: it is a
 * function, has methods, or contains a value that can act. Pure, except that it reads the value.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** Methods that any value may have, and that only read it. */
const readingNames: ReadonlySet<PropertyKey> = new Set(["constructor", "toString", "toJSON", "valueOf"])

/** Methods of Effect's data, such as Option and Chunk, which read it through `this`. */
const dataNames: ReadonlySet<PropertyKey> = new Set(["pipe", "asEffect", Symbol.iterator])

/** Classes of the platform whose instances can act; instances of all others are data. */
const actingClasses: ReadonlySet<string> = new Set([
  "AbortController",
  "BroadcastChannel",
  "EventSource",
  "MessagePort",
  "WebSocket",
  "WritableStreamDefaultController",
  "WritableStreamDefaultWriter"
])

/** True for a member that reads the value without acting. */
export const isReading = (name: PropertyKey): boolean => readingNames.has(name)

/** True for a member of Effect's data that must be called on the wrapping object. */
export const readsThroughThis = (value: object, name: PropertyKey): boolean => dataNames.has(name) && isBranded(value)

/** True for an object of Effect; its key may be inherited or own. */
const isBranded = (value: object): boolean => {
  for (const name in value) if (name.startsWith("~effect")) return true
  return false
}

/** The verdicts of one call, so that a value within many values is not searched once for each of them. */
export interface Verdicts {
  readonly handles: WeakSet<object>
  readonly data: WeakSet<object>
}

export const noVerdicts = (): Verdicts => ({ handles: new WeakSet(), data: new WeakSet() })

/**
 * The number of objects above which data is not searched again in the same call, because the handler already has all of
 * it.
 */
const maxSearchedAgain = 64

/** True if the value, or any value in it, can act. The caller caches the verdict on a handle itself. */
export const isHandle = (value: object, { data, handles }: Verdicts): boolean => {
  if (handles.has(value)) return true
  if (data.has(value)) return false
  // Most handles act themselves, and need no search.
  if (!Array.isArray(value) && !isPlain(value) && hasActions(value, ignore)) return true
  /** The container of each value that was found. */
  const holders = new Map<object, object | null>([[value, null]])
  const acting = nearestActing(holders, handles)
  if (acting === null && holders.size > maxSearchedAgain) data.add(value)
  for (let one = acting; one !== null && one !== value; one = holders.get(one) ?? null) handles.add(one)
  return acting !== null
}

const ignore = (): void => {}

const nearestActing = (holders: Map<object, object | null>, handles: WeakSet<object>): object | null => {
  let holder: object
  let acting: object | null = null
  const note = (part: unknown): void => {
    if (part === null || (typeof part !== "object" && typeof part !== "function") || holders.has(part)) return
    holders.set(part, holder)
    if (handles.has(part) || (typeof part === "function" && hasActions(part, note))) acting = part
  }
  // A map is read on while it grows.
  for (holder of holders.keys()) {
    if (hasActions(holder, note)) return holder
    if (acting !== null) return acting
  }
  return null
}

/** True if the value itself can act. If it cannot, the values in it are noted. */
const hasActions = (value: object, note: (part: unknown) => void): boolean => {
  if (typeof value === "function") return !isPlatformClass(value)
  if (Array.isArray(value)) {
    // A list with holes may be longer than can be iterated.
    for (const item of value.length > 100_000 ? Object.values(value) : value) note(item)
    return false
  }
  const prototype = prototypeOf(value)
  if (prototype === null || prototype === Object.prototype) return actsByFields(value, note)
  if (value instanceof Promise || value instanceof WritableStream) return true
  if (value instanceof Error) return errorActs(value, prototype, note)
  if (Effect.isEffect(value)) {
    if (!Exit.isExit(value)) return true
    if (Exit.isSuccess(value)) note(value.value)
    return false
  }
  const platform = platformOf(value, prototype)
  if (platform !== null && actingClasses.has(platform)) return true
  if (value instanceof Map) for (const entry of Map.prototype.entries.call(value)) entry.forEach(note)
  else if (value instanceof Set) for (const item of Set.prototype.values.call(value)) note(item)
  if (platform !== null) return false
  return actsByPrototype(prototype, isBranded(value)) || actsByFields(value, note)
}

/**
 * True if a class of the error declares methods. Getters are not methods here, because they compute the message, and
 * neither are the members of Effect's errors, which only make the error an Effect that fails with itself.
 */
const errorActs = (error: Error, prototype: object, note: (part: unknown) => void): boolean => {
  for (const name of Reflect.ownKeys(error)) {
    const part = Reflect.getOwnPropertyDescriptor(error, name)?.value as unknown
    if (typeof name !== "string" || !name.startsWith("~effect")) note(part)
  }
  for (let one: object | null = prototype; one !== null && !isOfErrors(one); one = prototypeOf(one)) {
    for (const name of Reflect.ownKeys(one)) {
      if (isReading(name) || isOfErrorsOfEffect(name)) continue
      if (typeof Reflect.getOwnPropertyDescriptor(one, name)?.value === "function") return true
    }
  }
  return false
}

/** True for a class of errors of the platform. */
const isOfErrors = (prototype: object): boolean => {
  const constructor_: unknown = Reflect.getOwnPropertyDescriptor(prototype, "constructor")?.value
  return typeof constructor_ === "function" && isPlatformClass(constructor_)
}

const isOfErrorsOfEffect = (name: PropertyKey): boolean =>
  typeof name === "symbol" || dataNames.has(name) || name === "commit" || String(name).startsWith("~effect")

/** True if a field runs code when it is read. The values of the other fields are noted; no accessor is called. */
const actsByFields = (value: object, note: (part: unknown) => void): boolean => {
  for (const name of Reflect.ownKeys(value)) {
    const field = Reflect.getOwnPropertyDescriptor(value, name)
    if (field?.get !== undefined) return true
    // A brand contains functions only in its type.
    if (typeof field?.value === "object" || typeof field?.value === "function") {
      if (typeof name !== "string" || !name.startsWith("~effect")) note(field.value)
    }
  }
  return false
}

/** Verdicts by prototype, with and without the methods of Effect's data. */
const verdicts = { data: new WeakMap<object, boolean>(), other: new WeakMap<object, boolean>() }

const actsByPrototype = (prototype: object, isData: boolean): boolean => {
  const known = verdicts[isData ? "data" : "other"]
  const verdict = known.get(prototype)
  if (verdict !== undefined) return verdict
  const acts = hasActing(prototype, isData)
  known.set(prototype, acts)
  return acts
}

const hasActing = (prototype: object, isData: boolean): boolean => {
  const next = Object.getPrototypeOf(prototype) as object | null
  if (next === null || nameOfPlatformClass(prototype) !== null) return false
  const acts = Reflect.ownKeys(prototype).some((name) => {
    if (readingNames.has(name)) return false
    if (isData && (dataNames.has(name) || typeof name === "symbol" || name.startsWith("~effect"))) return false
    // The inspector of the platform uses this member.
    if (name === Symbol.for("nodejs.util.inspect.custom") || name === Symbol.toStringTag) return false
    const member = Reflect.getOwnPropertyDescriptor(prototype, name)
    return member !== undefined && ((member.get !== undefined && !isData) || typeof member.value === "function")
  })
  return acts || hasActing(next, isData)
}

/** Returns the platform's class of which a value is a direct instance; null: it is an instance of another class. */
const platformOf = (value: object, prototype: object): string | null => {
  if (ArrayBuffer.isView(value)) return "ArrayBufferView"
  return nameOfPlatformClass(prototype)
}

/** True for an object whose fields other code may write, but not for objects of the platform or of Effect. */
export const isFillable = (value: object): boolean => {
  if (isPlain(value)) return true
  if (ArrayBuffer.isView(value) || isBranded(value)) return false
  return nameOfPlatformClass(Object.getPrototypeOf(value) as object) === null
}

const platformNames = new WeakMap<object, string | null>()

const nameOfPlatformClass = (prototype: object): string | null => {
  const known = platformNames.get(prototype)
  if (known !== undefined) return known
  const candidate: unknown = Object.hasOwn(prototype, "constructor") ? Reflect.get(prototype, "constructor") : undefined
  const name = typeof candidate === "function" && isPlatformClass(candidate) ? candidate.name : nativeTag(prototype)
  platformNames.set(prototype, name)
  return name
}

/** The classes of Temporal and Intl are members of a namespace. */
const nativeTag = (prototype: object): string | null => {
  const tag = Reflect.getOwnPropertyDescriptor(prototype, Symbol.toStringTag)?.value as unknown
  return typeof tag === "string" && /^(?:Intl|Temporal)\./u.test(tag) ? tag : null
}

const isPlatformClass = (candidate: Function): boolean =>
  typeof candidate.name === "string" && candidate.name !== "" && Reflect.get(globalThis, candidate.name) === candidate

/** True for a class: it can only be called with `new`, to make instances. */
export const isClass = (value: Function): boolean =>
  Reflect.getOwnPropertyDescriptor(value, "prototype")?.writable === false || isPlatformClass(value)

/** True for an object without a class. */
export const isPlain = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value) as object | null
  return prototype === null || prototype === Object.prototype
}

const words: ReadonlySet<PropertyKey> = new Set(["message", "name", "stack"])

/** True if reading this member runs code of the value. The words of an error are read after the end of the call too. */
export const isAccessor = (value: object, name: PropertyKey): boolean => {
  if (value instanceof Error && words.has(name)) return false
  for (let one: object | null = value; one !== null; one = Object.getPrototypeOf(one) as object | null) {
    const member = Reflect.getOwnPropertyDescriptor(one, name)
    if (member !== undefined) return member.get !== undefined
  }
  return false
}

/** True if an Effect has members that an ordinary one lacks, such as the methods of a statement. */
export const hasOwnMembers = (effect: object, usual: object): boolean => {
  for (let one: object | null = effect; one !== null && one !== Object.prototype; one = prototypeOf(one)) {
    for (const name of Reflect.ownKeys(one)) {
      if (typeof name === "string" && name !== "constructor" && !name.startsWith("~effect") && !(name in usual))
        return true
    }
  }
  return false
}

const prototypeOf = (value: object): object | null => Object.getPrototypeOf(value) as object | null
