/**
 * The running calls of a service's functions. The service may put handles into the handler's objects that such a call
 * passes, at once or until its asynchronous work ends; they are replaced by proxies at both times.
 */
import * as Effect from "effect/Effect"
import * as Handles from "./Handles.ts"
import * as Passed from "./Passed.ts"
import { isPromise, isStep } from "./ValueKinds.ts"

/** One call of a function of the service. */
export interface Exchange {
  /** True if functions or handles are within the arguments. */
  readonly isMixed: boolean
  readonly sweeps: Array<() => void>
}

export interface Exchanges {
  readonly begin: (args: ReadonlyArray<unknown>) => Exchange
  /** Replaces the handles in the passed objects when the function returns. */
  readonly end: (exchange: Exchange) => void
  /** Returns the function's result, which replaces them again when its asynchronous work ends. */
  readonly endAfter: (returned: unknown, exchange: Exchange) => unknown
  /** Adds an object that a callback returns to every running call. True: functions or handles are within it. */
  readonly lend: (returned: unknown) => boolean
}

export const make = (membrane: Passed.ValueMembrane): Exchanges => {
  const running = new Set<Exchange>()
  const end = (exchange: Exchange): void => {
    running.delete(exchange)
    for (const sweep of exchange.sweeps) sweep()
  }
  return {
    begin: (args) => {
      const { isMixed, sweep } = Passed.watch(args, membrane)
      const exchange: Exchange = { isMixed, sweeps: sweep === null ? [] : [sweep] }
      running.add(exchange)
      return exchange
    },
    end,
    endAfter: (returned, exchange) => {
      if (isPromise(returned)) {
        running.add(exchange)
        return returned.finally(() => end(exchange))
      }
      if (!isStep(returned)) return returned
      const ending = Effect.suspend(() => {
        running.add(exchange)
        return Effect.onExit(returned, () => Effect.sync(() => end(exchange)))
      })
      return Handles.hasOwnMembers(returned, ending) ? returned : ending
    },
    lend: (returned) => {
      const { isMixed, sweep } = Passed.watch([returned], membrane)
      if (sweep !== null) for (const { sweeps } of running) sweeps.push(sweep)
      return isMixed
    }
  }
}
