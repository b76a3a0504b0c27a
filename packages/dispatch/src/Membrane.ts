/**
 * Separates a handler from a service of a pack. A returned value that can act is passed to the handler behind a proxy
 * of the same call; data is passed unchanged. A proxy that is passed back to the service becomes the original object
 * again, and the handler's functions also receive proxies. The same holds for the errors of the service, and for the
 * values that it has put into an object of the handler when its function ends.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Handles from "./internal/Handles.ts"
import * as Passed from "./internal/Passed.ts"
import * as Shadow from "./internal/Shadow.ts"
import * as Sink from "./internal/Sink.ts"

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

type Handed = (value: unknown) => unknown

/** Returns the function that passes a value to the handler. */
export const make = (owner: Owner): Handed => {
  const proxies = new WeakMap<object, object>()
  const verdicts = Handles.noVerdicts()
  /**
   * Objects and functions of the handler, by their proxies in the service. They are unwrapped when they are passed
   * back.
   */
  const handlers = new WeakMap<object, object>()
  /** Functions of the service, by whether they return Effects: a use after the end fails in the same style. */
  const styles = new WeakMap<Function, "Effect" | "Plain">()
  let lastStyle: "Effect" | "Plain" = "Plain"

  const refuse = (member: Function): unknown => {
    if ((styles.get(member) ?? lastStyle) === "Plain") throw owner.ended()
    return Effect.fail(owner.ended())
  }

  const called = (member: Function, self: unknown, args: ReadonlyArray<unknown>): unknown => {
    if (owner.isOver()) return refuse(member)
    const sweep = Passed.watch(args, { hand: handed, isHanded: (value) => originals.has(value) })
    const returned = failing(() => Reflect.apply(member, self, args.map(given)) as unknown, sweep)
    lastStyle = Effect.isEffect(returned) && !(returned instanceof Error) ? "Effect" : "Plain"
    styles.set(member, lastStyle)
    return handed(sweep === null ? returned : afterwards(returned, sweep))
  }

  /** Sweeps once more when the work that the function has begun ends. */
  const afterwards = (returned: unknown, sweep: () => void): unknown => {
    if (isPromise(returned)) return returned.finally(sweep)
    if (!isStep(returned)) return returned
    const swept = Effect.onExit(returned, () => Effect.sync(sweep))
    return Handles.hasOwnMembers(returned, swept) ? returned : swept
  }

  /** Passes on an error that the service throws. */
  const failing = <A>(use: () => A, sweep: (() => void) | null = null): A => {
    const used = Result.try({ try: use, catch: handed })
    sweep?.()
    return Result.getOrThrowWith(used, (thrown) => thrown)
  }

  const rejecting = (error: unknown): never => {
    throw handed(error)
  }

  const handed: Handed = (value) => {
    if (value === null || (typeof value !== "object" && typeof value !== "function")) return value
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
    return Handles.isReading(name) ? member.bind(original) : functionOf(member, original)
  }

  /** Wraps a function of the service. Called as a method, it gets the service's own object. */
  const functionOf = (member: Function, self?: object): object => {
    const guarded: object = new Proxy(Shadow.ofFixed(member), {
      ...members,
      apply: (_, receiver, args: ReadonlyArray<unknown>) => called(member, self ?? given(receiver), args),
      construct: (_, args: ReadonlyArray<unknown>, made: Function) => {
        if (owner.isOver()) throw owner.ended()
        const instance = failing(
          () => Reflect.construct(member, args.map(given), made === guarded ? member : made) as unknown
        )
        return handed(instance) as object
      }
    })
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
      return member?.configurable === true && "value" in member
        ? { ...member, value: memberOf(Shadow.originalOf(target), name) }
        : member
    }
  }

  const proxied = (original: object): object => {
    const proxy = typeof original === "function" ? functionOf(original) : new Proxy(Shadow.ofFixed(original), members)
    return kept(original, proxy)
  }

  const kept = (original: object, proxy: object): object => {
    proxies.set(original, proxy)
    originals.set(proxy, original)
    return proxy
  }

  /** Returns the value that the service receives for a value of the handler. */
  const given = (value: unknown): unknown => {
    if (value === null || (typeof value !== "object" && typeof value !== "function")) return value
    const original = originals.get(value)
    if (original !== undefined) return original
    const held = typeof value === "function" ? callbackOf(value) : unwrapped(value)
    handlers.set(held, value)
    return held
  }

  const callbacks = new WeakMap<Function, Function>()

  const callbackOf = (callback: Function): Function => {
    if (Handles.isClass(callback)) return callback
    const known = callbacks.get(callback)
    if (known !== undefined) return known
    const made = new Proxy(callback, {
      apply: (target, self, args: ReadonlyArray<unknown>) => {
        const used = Result.try({
          try: () => given(Reflect.apply(target, handed(self), args.map(handed))),
          catch: (thrown) => {
            // The handler gets its own error back.
            if (thrown instanceof Error && !originals.has(thrown)) handlers.set(thrown, thrown)
            return thrown
          }
        })
        return Result.getOrThrowWith(used, (thrown) => thrown)
      }
    })
    callbacks.set(callback, made)
    return made
  }

  /** Copies lists and options of the handler if they contain handles or functions. */
  const unwrapped = (value: object): object => {
    if (Array.isArray(value)) {
      const items = value.map(inner)
      return items.some((item, index) => item !== value[index]) ? items : value
    }
    if (!Handles.isPlain(value)) return value
    const entries = Object.entries(value).map(([name, one]) => [name, inner(one), one] as const)
    return entries.some(([, one, before]) => one !== before)
      ? { ...value, ...Object.fromEntries(entries.map(([name, one]) => [name, one])) }
      : value
  }

  const inner = (value: unknown): unknown =>
    typeof value === "function" || (typeof value === "object" && value !== null && originals.has(value))
      ? given(value)
      : value

  return handed
}

/** True for an Effect that does something; an error or an exit is an Effect too. */
const isStep = (value: unknown): value is AnyEffect =>
  Effect.isEffect(value) && !(value instanceof Error) && !Exit.isExit(value)

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === "object" && value !== null && isPlainPromise(value)

const isPlainPromise = (value: object): value is Promise<unknown> =>
  Object.getPrototypeOf(value) === Promise.prototype && Reflect.ownKeys(value).length === 0
