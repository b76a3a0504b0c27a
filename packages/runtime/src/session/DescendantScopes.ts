/**
 * The scopes in which the descendants of an open Main run: a failure of the store ends one, and the next use of the
 * session opens another.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type * as SessionCache from "./SessionCache.ts"

export interface DescendantScope {
  readonly scope: Scope.Closeable
  isClosed: boolean
}

export interface DescendantScopes {
  current: DescendantScope
  /** True if the next reading of the session opens a new scope. */
  isFailed: boolean
  /** True once the session is closed or its lease is lost. */
  isEnded: boolean
}

export const make: Effect.Effect<DescendantScopes> = Effect.map(Scope.make(), (scope) => ({
  current: { scope, isClosed: false },
  isFailed: false,
  isEnded: false
}))

/** Interrupts running descendants without ending them: the next process continues them. */
const close = (descendants: DescendantScope, exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> =>
  Effect.suspend(() => {
    descendants.isClosed = true
    return Scope.close(descendants.scope, exit)
  })

/** Closes the current scope; none is opened after it. */
export const end = (scopes: DescendantScopes, exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> =>
  Effect.suspend(() => {
    scopes.isEnded = true
    return close(scopes.current, exit)
  })

/** Closes the scope that a failure ended, and opens the next one. */
export const reopen = (scopes: DescendantScopes): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (!scopes.isFailed || scopes.isEnded) return Effect.void
    scopes.isFailed = false
    const failed = scopes.current
    scopes.current = { scope: Scope.makeUnsafe(), isClosed: false }
    return close(failed, Exit.void)
  })

/** Unloads a session whose tree a failure of the store has stopped, unless the session is in use. */
export const unloadFailed = (opened: SessionCache.LoadedSession, scopes: DescendantScopes): void => {
  if (opened.uses > 0 || opened.running?.tree.failure?._tag !== "StoreFailed") return
  scopes.isFailed = true
  opened.running = null
}
