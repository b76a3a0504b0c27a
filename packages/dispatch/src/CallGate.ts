/**
 * Binds capabilities to the call that they were made for. If a handler keeps a service, or leaves a fibre behind that uses
 * one, then at the end of the call running uses are interrupted and later ones refused.
 */
import { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

type AnyEffect = Effect.Effect<unknown, unknown, unknown>

export interface CallGate {
  /** The service, as long as the call has not ended. */
  readonly guard: (service: unknown) => unknown
  /** Refuses later uses, and returns an effect that interrupts the running ones, if there are any. */
  readonly end: () => Effect.Effect<void> | undefined
}

const ended = new ToolError.ExecutionError({
  message: "the tool's call has ended: its capabilities have ended with it"
})

/** The gate of a call without capabilities. */
export const ofNothing: CallGate = { guard: (service) => service, end: () => undefined }

export const make = (): CallGate => {
  /** Fibres that use a capability now: at the end of the call, those that its handler did not wait for. */
  const using = new Set<Fiber.Fiber<unknown, unknown>>()
  let isOver = false

  const whileOpen = (effect: AnyEffect): AnyEffect =>
    Effect.withFiber((fiber) => {
      if (isOver) return Effect.fail(ended)
      // A capability that uses another one does so within its own use.
      if (using.has(fiber)) return effect
      using.add(fiber)
      return Effect.onExitPrimitive(effect, () => void using.delete(fiber))
    })

  const guarded = (member: unknown): unknown => (Effect.isEffect(member) ? whileOpen(member) : member)

  const traps: ProxyHandler<object> = {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      return typeof member === "function"
        ? (...args: ReadonlyArray<unknown>) => guarded(Reflect.apply(member, target, args))
        : guarded(member)
    }
  }

  return {
    guard: (service) => (typeof service === "object" && service !== null ? new Proxy(service, traps) : service),
    end: () => {
      isOver = true
      return using.size === 0 ? undefined : Fiber.interruptAll(using)
    }
  }
}
