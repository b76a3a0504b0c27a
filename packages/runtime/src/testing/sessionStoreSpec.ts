/** The tests that every SessionStore adapter passes; call it once per adapter's layer. */
import { layer } from "@effect/vitest"
import type * as Layer from "effect/Layer"
import type * as SessionStore from "../ports/SessionStore.ts"
import { commitSpec } from "./sessionStore/commits.ts"
import { inboxSpec } from "./sessionStore/inbox.ts"
import { leaseSpec } from "./sessionStore/leases.ts"
import { listSpec } from "./sessionStore/lists.ts"
import { unreadableSpec } from "./sessionStore/unreadable.ts"

export const sessionStoreSpec = <E>(name: string, adapter: Layer.Layer<SessionStore.SessionStore, E>): void =>
  layer(adapter)(`SessionStore (${name})`, (it) => {
    commitSpec(it)
    leaseSpec(it)
    inboxSpec(it)
    unreadableSpec(it)
    listSpec(it)
  })
