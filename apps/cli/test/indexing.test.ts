/** What is said while the index of notes is built in the background, by the built program. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { type Place, start, until, withPlace } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { say, withModel } from "./program/ModelServer.ts"
import { withScreen } from "./program/Screen.ts"

const tmux = requires("tmux")

const question = "when is the physician on holiday?"

/** More notes than are embedded while a search waits, and no index of them. */
const withNotes = (use: (place: Place) => Promise<void>): Promise<void> =>
  withPlace(async (place) => {
    const folder = join(place.workspace, "notes")
    mkdirSync(folder)
    for (let n = 0; n < 600; n++) writeFileSync(join(folder, `${n}.md`), `The physician is on holiday on day ${n}\n`)
    assert.strictEqual((await bough(place, ["memory", "import", folder])).code, 0)
    await use(place)
  })

describe("an index that is built in the background", { timeout: 120_000 }, () => {
  it("is told in plain lines when it begins and when it is there, and not at all in a run whose stderr is no terminal", () =>
    withNotes((place) =>
      withModel([say("in May"), say("in May")], async ({ env }) => {
        const { child, ended, stderr } = start(place, [], { env })
        child.stdin?.write(`${question}\n`)
        await until(() => stderr().includes("the index of notes is built\n"))
        child.stdin?.end("/quit\n")
        assert.strictEqual((await ended).code, 0)
        const told = /^the index of 600 notes is being built; until then they are found by their words alone$/gm
        assert.lengthOf(stderr().match(told) ?? [], 1)
        rmSync(join(place.data, "memory/index"), { recursive: true })
        const run = await bough(place, ["run", question], { env })
        assert.isTrue(existsSync(join(place.data, "memory/index")))
        assert.deepStrictEqual([run.code, run.stdout, /index/.test(run.stderr)], [0, "in May\n", false])
      })
    ))

  it.skipIf(tmux.skip)(`is a bar in a run at a terminal${tmux.suffix}`, () =>
    withNotes(async (place) => {
      const built = Promise.withResolvers<void>()
      await withModel([{ text: "in May", after: built.promise }], ({ env }) =>
        withScreen(place, { args: ["run", question], env }, async (screen) => {
          await screen.shows(/index ░{20} 0\/600\n[\s\S]*index █{20} 600\/600/)
          built.resolve()
          await screen.shows(/in May\nEXIT 0/)
          assert.isAtMost(screen.text().match(/ index [█░]{20} /g)?.length ?? 0, 21)
        })
      )
    })
  )
})
