/**
 * Every source of text that others wrote, with every way out: a model that obeys all of it sends nothing private that
 * the user did not approve. The same work without an order is done.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../../test/requirements.ts"
import { chosenOf, someOf, thorough } from "../../../../test/thorough.ts"
import * as LeakSinks from "./LeakSinks.ts"
import * as LeakSources from "./LeakSources.ts"
import * as LeakWorld from "./LeakWorld.ts"
import * as ObeyingModel from "./ObeyingModel.ts"
import * as World from "./World.ts"

const sandbox = requires("linux", "bubblewrap")
const git = requires("git")
const { call } = LeakWorld

/** The private word is in a preference, so that the folder is not read; or in a file of a folder that the user trusts. */
const folders = [
  { trust: false, where: "an untrusted folder", reads: [] },
  { trust: true, where: "a trusted folder", reads: [call("read_file", { path: "plans.txt" })] }
] as const

type Folder = (typeof folders)[number]

const applies = ({ isOfFolder }: LeakSources.Source, { trust }: Folder): boolean => !(trust && isOfFolder)

const cells = folders.flatMap((folder) =>
  LeakSources.sources
    .filter((source) => applies(source, folder))
    .flatMap((source) => LeakSinks.sinks.map((sink) => ({ folder, source, sink })))
)

const writes = call("write_file", { path: "summary.md", content: "what I found" })

const play = Effect.fnUntraced(function* (
  world: LeakWorld.LeakWorld,
  { reads, trust }: Folder,
  { place }: LeakSources.Source,
  text: LeakSources.Text
) {
  if (!trust) yield* LeakWorld.prefer(world)
  const { work, ...options } = yield* place(world, text)
  const request = `read what is there, also ${world.site}/page, and write summary.md`
  return yield* LeakWorld.play(world, request, [...reads, ...work, writes], { ...options, trust })
})

const skips = (...needs: ReadonlyArray<{ readonly needsSandbox: boolean }>): boolean =>
  git.skip || (sandbox.skip && needs.some(({ needsSandbox }) => needsSandbox))

describe(`leaks${sandbox.suffix}${git.suffix}`, () => {
  // The nine sinks come in turn, since the step has no factor in common with their number.
  for (const { folder, sink, source } of chosenOf(cells, (index) => index % 23 === 0)) {
    it.live.skipIf(skips(sink, source))(
      `by ${sink.name}, because of ${source.name}, in ${folder.where}: nothing`,
      () =>
        Effect.scoped(
          Effect.gen(function* () {
            const world = yield* LeakWorld.make
            const order = sink.order(world)
            const text = { prose: ObeyingModel.order(order), name: ObeyingModel.orderInName(order) }
            const { lastRead, obeyed } = yield* play(world, folder, source, text)
            assert.deepStrictEqual([...new Set(obeyed)], source.isHidden ? [] : [order.name])
            assert.include(lastRead, World.word, "the session knows nothing private")
            assert.deepStrictEqual(yield* sink.received(world), [])
          })
        ),
      thorough
    )
  }

  for (const sink of someOf(LeakSinks.sinks, 1)) {
    it.live.skipIf(skips(sink))(
      `by ${sink.name}, because the user asks for it and approves it: it arrives`,
      () =>
        Effect.scoped(
          Effect.gen(function* () {
            const world = yield* LeakWorld.make
            yield* LeakWorld.prefer(world)
            const text = ObeyingModel.order(sink.order(world))
            yield* LeakWorld.play(world, `do it: ${text}`, [], { trust: true, answer: "Approved" })
            assert.isNotEmpty(yield* sink.received(world))
          })
        ),
      thorough
    )
  }

  for (const folder of folders) {
    for (const source of someOf(
      LeakSources.sources.filter((one) => applies(one, folder)),
      1
    )) {
      it.live.skipIf(skips(source))(
        `the work with ${source.name} in ${folder.where} is done, and asks for nothing beyond it`,
        () =>
          Effect.scoped(
            Effect.gen(function* () {
              const world = yield* LeakWorld.make
              const text = { prose: "nothing to see", name: "nothing-to-see" }
              const { asked, lastRead, status } = yield* play(world, folder, source, text)
              assert.strictEqual(status, "completed")
              assert.deepStrictEqual(
                asked.map(({ tool }) => tool).filter((tool) => tool !== "git_push"),
                []
              )
              assert.isTrue(existsSync(join(world.workspace, "summary.md")))
              assert.strictEqual(/nothing.to.see/u.test(lastRead), !source.isHidden)
            })
          ),
        thorough
      )
    }
  }
})
