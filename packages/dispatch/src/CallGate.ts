/**
 * Binds capabilities to the call that they were made for. A handler may keep a service, or start a fiber that uses one
 * and outlives the handler: at the end of the call, running uses are interrupted and later ones refused. The handles
 * that a capability of a pack returns end with it: connections, transactions, iterators.
 */
import { ToolError } from "@bough/protocol"
import { HandlerOrigin } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import { runOutside } from "./internal/runOutside.ts"
import * as Shadow from "./internal/Shadow.ts"
import * as Membrane from "./Membrane.ts"

type AnyEffect = Effect.Effect<unknown, unknown, unknown>

/** The values that a service returns: `Data` for Bough's own services, which return no handles. */
export type Returns = "Data" | "Handles"

export interface CallGate {
  /** Returns the service bound to this call. */
  readonly guard: (service: unknown, returns: Returns) => unknown
  /** Refuses later uses, and returns an effect that interrupts the running ones, if there are any. */
  readonly end: () => Effect.Effect<void> | undefined
  /** Allows `reading` to read the value that the handler returned, which may contain handles of this call. */
  readonly allowReading: (returned: unknown) => void
}

const callEndedError = (): ToolError.ExecutionError =>
  new ToolError.ExecutionError({ message: "the tool's call has ended: its capabilities have ended with it" })

/** The gate of a call without capabilities. */
export const ofNothing: CallGate = { guard: (service) => service, end: () => undefined, allowReading: () => {} }

/** The functions that reopen the gates of handles for one read, by the result that contains the handles. */
const readers = new WeakMap<object, <A>(read: () => A) => A>()

/** Reads the result of an ended call. Handles in the result respond as if the call were still running. */
export const reading = <A>(returned: unknown, read: () => A): A => {
  const reader = typeof returned === "object" && returned !== null ? readers.get(returned) : undefined
  return reader === undefined ? read() : reader(read)
}

export const make = (): CallGate => {
  /**
   * The fibers that use a capability now; at the end of the call, those that its handler did not await.
   */
  const using = new Set<Fiber.Fiber<unknown, unknown>>()
  let isOver = false

  const whileOpen = (effect: AnyEffect): AnyEffect =>
    Effect.withFiber((fiber) => {
      if (isOver) return Effect.fail(callEndedError())
      // A capability that uses another one does so within its own use.
      if (using.has(fiber)) return effect
      return HandlerOrigin.current() === undefined
        ? used(effect, fiber)
        : runOutside(Effect.withFiber((outsideFiber) => used(effect, outsideFiber)))
    })

  const used = (effect: AnyEffect, fiber: Fiber.Fiber<unknown, unknown>): AnyEffect => {
    using.add(fiber)
    return Effect.onExitPrimitive(effect, () => void using.delete(fiber))
  }

  /**
   * Functions that returned no Effect: after the end of the call they throw, because a failed Effect would not be run.
   */
  const plain = new WeakSet<object>()

  const called = (member: Function, self: object, args: ReadonlyArray<unknown>): unknown => {
    if (isOver) {
      if (plain.has(member)) throw callEndedError()
      return Effect.fail(callEndedError())
    }
    const returned: unknown = HandlerOrigin.runOutside((): unknown => Reflect.apply(member, self, args))
    if (Effect.isEffect(returned)) return whileOpen(returned)
    plain.add(member)
    return returned
  }

  const guarded = (member: unknown, self: object): unknown => {
    if (Effect.isEffect(member)) return whileOpen(member)
    if (typeof member === "function") {
      const bound = (...args: ReadonlyArray<unknown>): unknown => called(member, self, args)
      const names = Object.keys(member)
      for (const name of names) Reflect.set(bound, name, guarded(Reflect.get(member, name), member))
      return bound
    }
    return isPart(member) ? guardObject(member) : member
  }

  const traps: ProxyHandler<object> = {
    get: (target, name) => {
      const service = Shadow.originalOf(target)
      return guarded(Reflect.get(service, name), service)
    },
    // Uses the service itself as the receiver, because a setter may write private fields.
    set: (target, name, value) => {
      if (isOver) throw callEndedError()
      return Reflect.set(Shadow.originalOf(target), name, value)
    }
  }

  const guardObject = (service: object): object =>
    new Proxy(Object.isFrozen(service) ? Shadow.inFrontOf(service) : service, traps)

  let isRead = false
  let handed: ((value: unknown) => unknown) | null = null

  return {
    guard: (service, returns) => {
      if (returns === "Handles") {
        handed ??= Membrane.make({ isOver: () => isOver && !isRead, whileOpen, ended: callEndedError })
        return handed(service)
      }
      return typeof service === "object" && service !== null ? guardObject(service) : guarded(service, nothing)
    },
    end: () => {
      isOver = true
      return using.size === 0 ? undefined : Fiber.interruptAll(using)
    },
    allowReading: (returned) => {
      if (handed === null || typeof returned !== "object" || returned === null) return
      readers.set(returned, (read) => {
        isRead = true
        const result = Result.try({ try: read, catch: (thrown) => thrown })
        isRead = false
        return Result.getOrThrowWith(result, (thrown) => thrown)
      })
    }
  }
}

const nothing = Object.freeze({})

/** True for a part of a service with methods. Data of JavaScript and of Effect is not wrapped. */
const isPart = (member: unknown): member is object => {
  if (member === null || typeof member !== "object" || Object.prototype.toString.call(member) !== "[object Object]") {
    return false
  }
  for (const name in member) if (name.startsWith("~effect")) return false
  return true
}
