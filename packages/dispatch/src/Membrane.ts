/**
 * Separates a handler from a service of a pack. A returned value that can act reaches the handler as a proxy that is
 * bound to the call; data is passed unchanged. A proxy that the handler passes back is replaced by its original object,
 * and the handler's callbacks also receive proxies. Errors of the service are treated in the same way, and so are
 * values that the service has put into an object of the handler by the time its function ends.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Handles from "./internal/Handles.ts"
import * as Passed from "./internal/Passed.ts"
import * as Shadow from "./internal/Shadow.ts"
import * as Sink from "./internal/Sink.ts"
import * as Unwrapped from "./internal/Unwrapped.ts"

type AnyEffect = Effect.Effect<unknown, unknown, unknown>

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

/** One call of a function of the service: the handler's objects into which it may put handles. */
interface Exchange {
  /** True if functions or handles are within the arguments. */
  readonly isMixed: boolean
  readonly sweeps: Array<() => void>
}

const sweepAll = ({ sweeps }: Exchange): void => {
  for (const sweep of sweeps) sweep()
}

type Handed = (value: unknown) => unknown

/** Returns the function that converts a value for the handler. */
export const make = (owner: Owner): Handed => {
  const proxies = new WeakMap<object, object>()
  const verdicts = Handles.noVerdicts()
  /**
   * Objects and functions of the handler, by their proxies in the service. They are unwrapped when they are passed
   * back.
   */
  const handlers = new WeakMap<object, object>()
  /** True for each function of the service that returns Effects: a use after the end fails in the same way. */
  const styles = new WeakMap<Function, "Effect" | "Plain">()
  let lastStyle: "Effect" | "Plain" = "Plain"

  const refuse = (member: Function): unknown => {
    if ((styles.get(member) ?? lastStyle) === "Plain") throw owner.ended()
    return Effect.fail(owner.ended())
  }

  const called = (member: Function, self: unknown, args: ReadonlyArray<unknown>): unknown => {
    if (owner.isOver()) return refuse(member)
    const exchange = args.some(canAct) ? begin(args) : null
    const own = exchange === null ? args : ownOf(args, exchange)
    const returned = failing(() => Reflect.apply(member, self, own) as unknown, exchange)
    lastStyle = Effect.isEffect(returned) && !(returned instanceof Error) ? "Effect" : "Plain"
    styles.set(member, lastStyle)
    if (member.name === "next" && isIteratorResult(returned)) {
      return { value: handed(returned.value), done: returned.done }
    }
    return handed(exchange === null ? returned : afterwards(returned, exchange))
  }

  const watching: Passed.Membrane = { hand: (value) => handed(value), isHanded: (value) => originals.has(value) }

  /** The running calls of functions of the service. */
  const exchanges = new Set<Exchange>()

  const begin = (args: ReadonlyArray<unknown>): Exchange => {
    const { isMixed, sweep } = Passed.watch(args, watching)
    const exchange: Exchange = { isMixed, sweeps: sweep === null ? [] : [sweep] }
    exchanges.add(exchange)
    return exchange
  }

  const end = (exchange: Exchange): void => {
    exchanges.delete(exchange)
    sweepAll(exchange)
  }

  /** Checks the objects again when the asynchronous work of the function ends. */
  const afterwards = (returned: unknown, exchange: Exchange): unknown => {
    if (isPromise(returned)) {
      exchanges.add(exchange)
      return returned.finally(() => end(exchange))
    }
    if (!isStep(returned)) return returned
    const swept = Effect.suspend(() => {
      exchanges.add(exchange)
      return Effect.onExit(returned, () => Effect.sync(() => end(exchange)))
    })
    return Handles.hasOwnMembers(returned, swept) ? returned : swept
  }

  /** Passes on an error that the service throws. */
  const failing = <A>(use: () => A, exchange: Exchange | null = null): A => {
    const used = Result.try({ try: use, catch: handed })
    if (exchange !== null) end(exchange)
    return Result.getOrThrowWith(used, (thrown) => thrown)
  }

  const rejecting = (error: unknown): never => {
    throw handed(error)
  }

  const handed: Handed = (value) => {
    if (!canAct(value)) return value
    const known = proxies.get(value) ?? handlers.get(value)
    if (known !== undefined) return known
    if (originals.has(value)) return value
    if (typeof value === "object" && !(value instanceof Error)) {
      if (Exit.isExit(value)) return handedExit(value)
      if (Effect.isEffect(value)) return handedEffect(value)
      if (isPlainPromise(value)) return value.then(handed, rejecting)
      if (value instanceof WritableStream) return kept(value, Sink.make(value, owner))
    }
    return Handles.isHandle(value, verdicts) ? proxied(value) : value
  }

  const handedExit = (exit: Exit.Exit<unknown, unknown>): unknown => {
    if (Exit.isFailure(exit)) {
      const cause = handedCause(exit.cause)
      return cause === exit.cause ? exit : Exit.failCause(cause)
    }
    const value = handed(exit.value)
    return value === exit.value ? exit : Exit.succeed(value)
  }

  const handedCause = (cause: Cause.Cause<unknown>): Cause.Cause<unknown> => {
    const reasons = cause.reasons.map((reason) => {
      if (Cause.isInterruptReason(reason)) return reason
      const before = Cause.isFailReason(reason) ? reason.error : reason.defect
      const after = handed(before)
      if (after === before) return reason
      const made = Cause.isFailReason(reason) ? Cause.makeFailReason(after) : Cause.makeDieReason(after)
      return made.annotate(Cause.reasonAnnotations(reason))
    })
    return reasons.every((reason, index) => reason === cause.reasons[index]) ? cause : Cause.fromReasons(reasons)
  }

  /** Wraps an Effect. If it has further members, such as a statement of SQL, the wrapper keeps them. */
  const handedEffect = (effect: AnyEffect): AnyEffect => {
    const gated = owner.whileOpen(
      Effect.matchCauseEffect(effect, {
        onFailure: (cause) => Effect.failCause(handedCause(cause)),
        onSuccess: (value) => Effect.succeed(handed(value))
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
    if (typeof member !== "function") return handed(member)
    if (name === "constructor") return member
    if (Handles.readsThroughThis(original, name)) return member
    // A list's own methods run on the proxy, and so hand over each item that they read.
    if (isOfLists(original, name, member)) return member
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
      if (owner.isOver()) throw owner.ended()
      return Reflect.set(Shadow.originalOf(target), name, given(value))
    },
    defineProperty: (target, name, member) => {
      if (owner.isOver()) throw owner.ended()
      return Reflect.defineProperty(Shadow.originalOf(target), name, member)
    },
    deleteProperty: (target, name) => {
      if (owner.isOver()) throw owner.ended()
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
      return called(this.member, this.self ?? given(receiver), args)
    }

    construct(_: object, args: ReadonlyArray<unknown>, made: Function): object {
      if (owner.isOver()) throw owner.ended()
      const { member } = this
      // A class of the handler may extend the service's class.
      const maker = originals.get(made) === member ? member : made
      const exchange = begin(args)
      const instance = failing(() => Reflect.construct(member, ownOf(args, exchange), maker) as unknown, exchange)
      return handed(instance) as object
    }
  }
  Object.assign(FunctionTraps.prototype, members)

  const proxied = (original: object): object => {
    const proxy = typeof original === "function" ? functionOf(original) : new Proxy(Shadow.ofFixed(original), members)
    return kept(original, proxy)
  }

  const kept = (original: object, proxy: object): object => {
    proxies.set(original, proxy)
    originals.set(proxy, original)
    return proxy
  }

  const ownOf = (args: ReadonlyArray<unknown>, { isMixed }: Exchange): ReadonlyArray<unknown> =>
    args.map((value) => given(value, isMixed))

  /** Returns the value that the service receives for a value of the handler, which may contain functions or handles. */
  const given = (value: unknown, isMixed = true): unknown => {
    if (!canAct(value)) return value
    const original = originals.get(value)
    if (original !== undefined) return original
    const held = typeof value === "function" ? callbackOf(value) : isMixed ? Unwrapped.unwrap(value, conversion) : value
    handlers.set(held, value)
    return held
  }

  /** Returns the value that the service receives for the result of a callback. The service may put handles into it too. */
  const lend = (returned: unknown): unknown => {
    if (isPromise(returned)) return returned.then(lend, rejectingOwn)
    const { isMixed, sweep } = Passed.watch([returned], watching)
    if (sweep !== null) for (const { sweeps } of exchanges) sweeps.push(sweep)
    return given(returned, isMixed)
  }

  /** The handler gets its own error back. */
  const noteOwn = (thrown: unknown): unknown => {
    if (thrown instanceof Error && !originals.has(thrown)) handlers.set(thrown, thrown)
    return thrown
  }

  const rejectingOwn = (thrown: unknown): never => {
    throw noteOwn(thrown)
  }

  const conversion: Unwrapped.Conversion = {
    isConverted: (value): value is object => typeof value === "function" || (canAct(value) && originals.has(value)),
    convert: (value) => given(value)
  }

  const callbacks = new WeakMap<Function, Function>()

  const callbackOf = (callback: Function): Function => {
    if (Handles.isClass(callback)) return callback
    const known = callbacks.get(callback)
    if (known !== undefined) return known
    const made = new Proxy(callback, {
      apply: (target, self, args: ReadonlyArray<unknown>) => {
        const used = Result.try({
          try: () => lend(Reflect.apply(target, handed(self), args.map(handed)) as unknown),
          catch: noteOwn
        })
        return Result.getOrThrowWith(used, (thrown) => thrown)
      }
    })
    callbacks.set(callback, made)
    return made
  }

  return handed
}

/** A result of an iterator. It needs no proxy, because the loop reads it at once. */
const isIteratorResult = (value: unknown): value is IteratorResult<unknown> =>
  typeof value === "object" &&
  value !== null &&
  Handles.isPlain(value) &&
  Object.keys(value).length === 2 &&
  typeof Reflect.getOwnPropertyDescriptor(value, "done")?.value === "boolean" &&
  Reflect.getOwnPropertyDescriptor(value, "value")?.get === undefined

/** True for an object or a function. */
const canAct = (value: unknown): value is object =>
  value !== null && (typeof value === "object" || typeof value === "function")

/**
 * True for a method that every list has. Subclasses of Array are excluded, because their methods may create instances
 * of the subclass.
 */
const isOfLists = (original: object, name: PropertyKey, member: Function): boolean =>
  Array.isArray(original) &&
  Object.getPrototypeOf(original) === Array.prototype &&
  Reflect.getOwnPropertyDescriptor(Array.prototype, name)?.value === member &&
  !Object.hasOwn(original, "constructor")

/** True for an Effect that does something; an error or an exit is an Effect too. */
const isStep = (value: unknown): value is AnyEffect =>
  Effect.isEffect(value) && !(value instanceof Error) && !Exit.isExit(value)

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === "object" && value !== null && isPlainPromise(value)

const isPlainPromise = (value: object): value is Promise<unknown> =>
  Object.getPrototypeOf(value) === Promise.prototype && Reflect.ownKeys(value).length === 0
