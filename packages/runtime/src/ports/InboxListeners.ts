/** Listeners of a tree's inbox, which are called when it may have grown. For adapters of SessionStore. */
import type { Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** Receives the tree whose inbox may have grown; null: any inbox may have grown. */
export type InboxListener = (treeId: Session.SessionId | null) => void

export interface InboxListeners {
  /** Calls the listener at once and with every `notify`, until the scope closes. Null: listens to every tree. */
  readonly watch: (treeId: Session.SessionId | null, listener: InboxListener) => Effect.Effect<void, never, Scope.Scope>
  readonly notify: (treeId: Session.SessionId) => void
  readonly notifyAll: () => void
}

/** Makes the listeners. `changed` is called when the first listener is added and when the last one is removed. */
export const make = (changed: (watched: boolean) => void = () => {}): InboxListeners => {
  // Optimised for many trees with one listener each.
  const listeners = new Map<Session.SessionId | null, ReadonlyArray<InboxListener>>()
  const listenersOf = (treeId: Session.SessionId | null) => listeners.get(treeId) ?? []

  const add = (treeId: Session.SessionId | null, listener: InboxListener): void => {
    // A spread would allocate space for sixteen more elements.
    listeners.set(treeId, listenersOf(treeId).concat(listener))
    if (listeners.size === 1) changed(true)
    listener(null)
  }

  const remove = (treeId: Session.SessionId | null, listener: InboxListener): void => {
    const others = listenersOf(treeId).filter((other) => other !== listener)
    if (others.length > 0) listeners.set(treeId, others)
    else if (listeners.delete(treeId) && listeners.size === 0) changed(false)
  }

  return {
    watch: (treeId, listener) =>
      Effect.acquireRelease(
        Effect.sync(() => add(treeId, listener)),
        () => Effect.sync(() => remove(treeId, listener))
      ),
    notify: (treeId) => {
      for (const listener of listenersOf(treeId)) listener(treeId)
      for (const listener of listenersOf(null)) listener(treeId)
    },
    notifyAll: () => {
      for (const group of Array.from(listeners.values())) for (const listener of group) listener(null)
    }
  }
}
