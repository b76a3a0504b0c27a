/**
 * Small implementations of Bough's capabilities, in memory, for tests of tools and for `provide` of the conformance kit.
 * Their calls succeed, and `state` shows their effects. A real workspace is in `@bough/sdk/testing`.
 */
import type { TestWorld } from "./conformance/Subject.ts"

export { memory, type MemoryContent } from "./worlds/MemoryWorld.ts"
export { network, type Page } from "./worlds/NetworkWorld.ts"
export { attachments, environment, vault } from "./worlds/PrivateWorld.ts"
export { commands, languageServer } from "./worlds/ProcessWorld.ts"
export { session, type SessionContent } from "./worlds/SessionWorld.ts"

/** Joins worlds. A capability of a later world replaces that of an earlier one, and so does `root`. */
export const join = (...worlds: ReadonlyArray<TestWorld>): TestWorld => {
  const root = worlds.findLast((world) => world.root !== undefined)?.root
  return {
    provisions: worlds.flatMap(({ provisions = [] }) => provisions),
    ...(root === undefined ? {} : { root }),
    state: () => worlds.map(({ state }) => state?.() ?? null),
    dispose: () => Promise.all(worlds.map(({ dispose }) => Promise.resolve(dispose?.()))).then(() => undefined)
  }
}
