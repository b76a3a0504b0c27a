/**
 * The scopes in which the descendants of an open Main run: the store's failure ends one, and the next use of the session
 * begins another.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type * as SessionCache from "./SessionCache.ts"

/** The scope of the running descendants of a Main in this process. */
export interface Life {
  readonly scope: Scope.Closeable
  isOver: boolean
}

export interface SessionLives {
  current: Life
  /** True if the next reading of the session begins a new life. */
  isFailed: boolean
  /** True once the session is closed or lost. */
  isClosed: boolean
}

export const make: Effect.Effect<SessionLives> = Effect.map(Scope.make(), (scope) => ({
  current: { scope, isOver: false },
  isFailed: false,
  isClosed: false
}))

/** Interrupts running children without ending them: the next process continues them. */
const endLife = (life: Life, exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> =>
  Effect.suspend(() => {
    life.isOver = true
    return Scope.close(life.scope, exit)
  })

/** Ends the current life for ever. */
export const end = (lives: SessionLives, exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> =>
  Effect.suspend(() => {
    lives.isClosed = true
    return endLife(lives.current, exit)
  })

/** Ends a failed life and begins the next one. */
export const restart = (lives: SessionLives): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (!lives.isFailed || lives.isClosed) return Effect.void
    lives.isFailed = false
    const failed = lives.current
    lives.current = { scope: Scope.makeUnsafe(), isOver: false }
    return endLife(failed, Exit.void)
  })

/** Unloads a session whose tree the store's failure has stopped, unless it is in use. */
export const unloadFailed = (opened: SessionCache.LoadedSession, lives: SessionLives): void => {
  if (opened.uses > 0 || opened.running?.tree.failure?._tag !== "StoreFailed") return
  lives.isFailed = true
  opened.running = null
}
