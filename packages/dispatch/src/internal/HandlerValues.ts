/**
 * Values of a handler as a service receives them: a proxy is replaced by its original object, and the handler's
 * callbacks receive proxies in turn. The same objects are unwrapped when the service passes them back.
 */
import * as Result from "effect/Result"
import type * as Exchanges from "./Exchanges.ts"
import * as Handles from "./Handles.ts"
import * as Unwrapped from "./Unwrapped.ts"
import { canAct, isPromise } from "./ValueKinds.ts"

export interface HandlerValuesOptions {
  /** The values behind proxies. */
  readonly originals: WeakMap<object, object>
  /** Converts a value of the service for the handler. */
  readonly toHandler: (value: unknown) => unknown
  readonly exchanges: Exchanges.Exchanges
}

export interface HandlerValues {
  /** Returns the handler's own value behind a value of the service; undefined: it is not the handler's. */
  readonly handlerValueOf: (value: object) => object | undefined
  /** Converts a value of the handler for the service. `isMixed`: it may contain functions or handles; default true. */
  readonly toService: (value: unknown, isMixed?: boolean) => unknown
}

export const make = ({ exchanges, originals, toHandler }: HandlerValuesOptions): HandlerValues => {
  /** Objects and functions of the handler, by their proxies in the service. */
  const handlers = new WeakMap<object, object>()
  const callbacks = new WeakMap<Function, Function>()

  const toService = (value: unknown, isMixed = true): unknown => {
    if (!canAct(value)) return value
    const original = originals.get(value)
    if (original !== undefined) return original
    const passed =
      typeof value === "function" ? callbackOf(value) : isMixed ? Unwrapped.unwrap(value, conversion) : value
    handlers.set(passed, value)
    return passed
  }

  const conversion: Unwrapped.Conversion = {
    isConverted: (value): value is object => typeof value === "function" || (canAct(value) && originals.has(value)),
    convert: (value) => toService(value)
  }

  /** Converts the result of a callback. The service may put handles into it too. */
  const toServiceResult = (returned: unknown): unknown =>
    isPromise(returned) ? returned.then(toServiceResult, rejectOwn) : toService(returned, exchanges.lend(returned))

  /** The handler gets its own error back. */
  const noteOwn = (thrown: unknown): unknown => {
    if (thrown instanceof Error && !originals.has(thrown)) handlers.set(thrown, thrown)
    return thrown
  }

  const rejectOwn = (thrown: unknown): never => {
    throw noteOwn(thrown)
  }

  const callbackOf = (callback: Function): Function => {
    if (Handles.isClass(callback)) return callback
    const known = callbacks.get(callback)
    if (known !== undefined) return known
    const proxy = new Proxy(callback, {
      apply: (target, self, args: ReadonlyArray<unknown>) => {
        const used = Result.try({
          try: () => toServiceResult(Reflect.apply(target, toHandler(self), args.map(toHandler)) as unknown),
          catch: noteOwn
        })
        return Result.getOrThrowWith(used, (thrown) => thrown)
      }
    })
    callbacks.set(callback, proxy)
    return proxy
  }

  return { handlerValueOf: (value) => handlers.get(value), toService }
}
