/** The world of the page tests of one file. */
import { afterAll, beforeAll } from "@effect/vitest"
import type { Script } from "../../../cli/test/program/ModelServer.ts"
import * as PageWorld from "./PageWorld.ts"

/** Opens a world before the tests of the file, and closes it after them. It has no properties until then. */
export const openWorld = (script: Script, options?: PageWorld.WorldOptions): PageWorld.PageWorld => {
  const world = {} as PageWorld.PageWorld
  beforeAll(async () => {
    Object.defineProperties(world, Object.getOwnPropertyDescriptors(await PageWorld.open(script, options)))
  })
  afterAll(() => world.close())
  return world
}
