/**
 * Separates a handler from a service of a pack. A returned value that can act reaches the handler as a proxy that is
 * bound to the call; data is passed unchanged. A proxy that the handler passes back is replaced by its original object,
 * and the handler's callbacks also receive proxies. Errors of the service are treated in the same way, and so are
 * values that the service has put into an object of the handler by the time its function ends.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as CallStyles from "./internal/CallStyles.ts"
import * as Exchanges from "./internal/Exchanges.ts"
import { convertCause, convertExit } from "./internal/HandedOutcome.ts"
import * as HandlerValues from "./internal/HandlerValues.ts"
import * as Handles from "./internal/Handles.ts"
import * as Shadow from "./internal/Shadow.ts"
import * as Sink from "./internal/Sink.ts"
import { type AnyEffect, canAct, isIteratorResult, isListMethod, isPlainPromise } from "./internal/ValueKinds.ts"

/** The call that a membrane belongs to. */
export interface Owner {
  readonly isOver: () => boolean
  /** Runs the effect as a use of the call, or fails if the call has ended. */
  readonly whileOpen: (effect: AnyEffect) => AnyEffect
  /** The error of uses after the end. */
  readonly ended: () => unknown
}

/** The values behind proxies, of all calls. */
const originals = new WeakMap<object, object>()

type ToHandler = (value: unknown) => unknown

/** Returns the function that converts a value of the service for the handler. */
export const make = (owner: Owner): ToHandler => {
  const proxies = new WeakMap<object, object>()
  const verdicts = Handles.noVerdicts()
  const styles = CallStyles.make(owner.ended)
  const exchanges = Exchanges.make({
    hand: (value) => toHandler(value),
    isHanded: (value) => originals.has(value)
  })
  const { handlerValueOf, toService } = HandlerValues.make({
    originals,
    toHandler: (value) => toHandler(value),
    exchanges
  })

  const toHandler: ToHandler = (value) => {
    if (!canAct(value)) return value
    const known = proxies.get(value) ?? handlerValueOf(value)
    if (known !== undefined) return known
    if (originals.has(value)) return value
    if (typeof value === "object" && !(value instanceof Error)) {
      if (Exit.isExit(value)) return convertExit(value, toHandler)
      if (Effect.isEffect(value)) return gatedEffect(value)
      if (isPlainPromise(value)) return value.then(toHandler, reject)
      if (value instanceof WritableStream) return register(value, Sink.make(value, owner))
    }
    return Handles.isHandle(value, verdicts) ? proxied(value) : value
  }

  const proxied = (original: object): object => {
    const proxy = typeof original === "function" ? functionOf(original) : new Proxy(Shadow.ofFixed(original), members)
    return register(original, proxy)
  }

  const register = (original: object, proxy: object): object => {
    proxies.set(original, proxy)
    originals.set(proxy, original)
    return proxy
  }

  /** Converts an error that the service throws. */
  const failing = <A>(use: () => A, exchange: Exchanges.Exchange | null = null): A => {
    const used = Result.try({ try: use, catch: toHandler })
    if (exchange !== null) exchanges.end(exchange)
    return Result.getOrThrowWith(used, (thrown) => thrown)
  }

  const reject = (error: unknown): never => {
    throw toHandler(error)
  }

  const refuseIfOver = (): void => {
    if (owner.isOver()) throw owner.ended()
  }

  const argumentsOf = (args: ReadonlyArray<unknown>, { isMixed }: Exchanges.Exchange): ReadonlyArray<unknown> =>
    args.map((value) => toService(value, isMixed))

  const callFunction = (member: Function, self: unknown, args: ReadonlyArray<unknown>): unknown => {
    if (owner.isOver()) return styles.refuse(member)
    const exchange = args.some(canAct) ? exchanges.begin(args) : null
    const passed = exchange === null ? args : argumentsOf(args, exchange)
    const returned = failing(() => Reflect.apply(member, self, passed) as unknown, exchange)
    styles.note(member, returned)
    if (member.name === "next" && isIteratorResult(returned)) {
      return { value: toHandler(returned.value), done: returned.done }
    }
    return toHandler(exchange === null ? returned : exchanges.endAfter(returned, exchange))
  }

  const construct = (member: Function, args: ReadonlyArray<unknown>, newTarget: Function): object => {
    refuseIfOver()
    // A class of the handler may extend the service's class.
    const maker = originals.get(newTarget) === member ? member : newTarget
    const exchange = exchanges.begin(args)
    const instance = failing(() => Reflect.construct(member, argumentsOf(args, exchange), maker) as unknown, exchange)
    return toHandler(instance) as object
  }

  /** Wraps an Effect. If it has further members, such as a statement of SQL, the wrapper keeps them. */
  const gatedEffect = (effect: AnyEffect): AnyEffect => {
    const gated = owner.whileOpen(
      Effect.matchCauseEffect(effect, {
        onFailure: (cause) => Effect.failCause(convertCause(cause, toHandler)),
        onSuccess: (value) => Effect.succeed(toHandler(value))
      })
    )
    return Handles.hasOwnMembers(effect, gated)
      ? new Proxy(gated, {
          get: (target, name, receiver) =>
            name in target ? Reflect.get(target, name, receiver) : memberOf(effect, name),
          has: (target, name) => name in target || name in effect
        })
      : gated
  }

  const memberOf = (original: object, name: PropertyKey): unknown => {
    if (owner.isOver() && Handles.isAccessor(original, name)) throw owner.ended()
    const member = failing(() => Reflect.get(original, name) as unknown)
    if (typeof member !== "function") return toHandler(member)
    if (name === "constructor") return member
    if (Handles.readsThroughThis(original, name)) return member
    // A list's own methods run on the proxy, and so convert each item that they read.
    if (isListMethod(original, name, member)) return member
    return Handles.isReading(name) ? member.bind(original) : functionOf(member, original)
  }

  /** Wraps a function of the service. If it is called as a method, its receiver is the service's own object. */
  const functionOf = (member: Function, self?: object): object => {
    const guarded: object = new Proxy(Shadow.ofFixed(member), new FunctionTraps(member, self))
    originals.set(guarded, member)
    return guarded
  }

  const members: ProxyHandler<object> = {
    get: (target, name) => memberOf(Shadow.originalOf(target), name),
    // Uses the service itself as the receiver, because a setter may write private fields.
    set: (target, name, value) => {
      refuseIfOver()
      return Reflect.set(Shadow.originalOf(target), name, toService(value))
    },
    defineProperty: (target, name, member) => {
      refuseIfOver()
      return Reflect.defineProperty(Shadow.originalOf(target), name, member)
    },
    deleteProperty: (target, name) => {
      refuseIfOver()
      return Reflect.deleteProperty(Shadow.originalOf(target), name)
    },
    getOwnPropertyDescriptor: (target, name) => {
      const member = Reflect.getOwnPropertyDescriptor(target, name)
      return member?.configurable === true && canAct(member.value)
        ? { ...member, value: memberOf(Shadow.originalOf(target), name) }
        : member
    }
  }

  /**
   * The proxy traps of a function. They are a class, because a handler may get a function from each of thousands of
   * objects.
   */
  class FunctionTraps {
    readonly member: Function
    readonly self: object | undefined

    constructor(member: Function, self: object | undefined) {
      this.member = member
      this.self = self
    }

    apply(_: object, receiver: unknown, args: ReadonlyArray<unknown>): unknown {
      return callFunction(this.member, this.self ?? toService(receiver), args)
    }

    construct(_: object, args: ReadonlyArray<unknown>, newTarget: Function): object {
      return construct(this.member, args, newTarget)
    }
  }
  Object.assign(FunctionTraps.prototype, members)

  return toHandler
}
