/** The kinds of values that a membrane treats in different ways. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Handles from "./Handles.ts"

export type AnyEffect = Effect.Effect<unknown, unknown, unknown>

/** True for an object or a function. */
export const canAct = (value: unknown): value is object =>
  value !== null && (typeof value === "object" || typeof value === "function")

/** A result of an iterator. It needs no proxy, because the loop reads it at once. */
export const isIteratorResult = (value: unknown): value is IteratorResult<unknown> =>
  typeof value === "object" &&
  value !== null &&
  Handles.isPlain(value) &&
  Object.keys(value).length === 2 &&
  typeof Reflect.getOwnPropertyDescriptor(value, "done")?.value === "boolean" &&
  Reflect.getOwnPropertyDescriptor(value, "value")?.get === undefined

/**
 * True for a method that every list has. Subclasses of Array are excluded, because their methods may create instances
 * of the subclass.
 */
export const isListMethod = (original: object, name: PropertyKey, member: Function): boolean =>
  Array.isArray(original) &&
  Object.getPrototypeOf(original) === Array.prototype &&
  Reflect.getOwnPropertyDescriptor(Array.prototype, name)?.value === member &&
  !Object.hasOwn(original, "constructor")

/** True for an Effect that does something; an error or an exit is an Effect too. */
export const isStep = (value: unknown): value is AnyEffect =>
  Effect.isEffect(value) && !(value instanceof Error) && !Exit.isExit(value)

export const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === "object" && value !== null && isPlainPromise(value)

export const isPlainPromise = (value: object): value is Promise<unknown> =>
  Object.getPrototypeOf(value) === Promise.prototype && Reflect.ownKeys(value).length === 0
