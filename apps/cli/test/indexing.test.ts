/** How notes are compared by meaning after an import, by the built program. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { type TestFolder, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { withScreen } from "./program/Screen.ts"

const tmux = requires("tmux")

const withNotes = (use: (place: TestFolder) => Promise<void>): Promise<void> =>
  withTestFolder(async (place) => {
    const folder = join(place.workspace, "notes")
    mkdirSync(folder)
    for (let n = 0; n < 600; n++) writeFileSync(join(folder, `${n}.md`), `The physician is on holiday on day ${n}\n`)
    assert.strictEqual((await bough(place, ["memory", "import", folder])).code, 0)
    await use(place)
  })

describe("notes after an import", () => {
  it("are compared by meaning from the first search on, without an index beside the database", () =>
    withNotes(async (place) => {
      for (let search = 0; search < 2; search++) {
        const { code, stderr, stdout } = await bough(place, ["memory", "search", "doctor"])
        assert.strictEqual(code, 0)
        assert.notMatch(stderr, /being built|words alone/)
        assert.match(stdout, /The physician is on holiday/)
      }
      assert.isFalse(existsSync(join(place.data, "memory/index")))
      const { stdout } = await bough(place, ["memory", "stats"])
      assert.match(stdout, /600 notes, 100 dimensions/)
    }))

  it.skipIf(tmux.skip)(
    `show a progress bar at a terminal while they are embedded again${tmux.suffix}`,
    thoroughOnly,
    () =>
      withNotes((place) =>
        withScreen(place, { args: ["memory", "reindex"] }, async (screen) => {
          await screen.shows(/index ░{20} 0\/600\n[\s\S]*index █{20} 600\/600/)
          assert.isAtMost(screen.text().match(/ index [█░]{20} /g)?.length ?? 0, 21)
        })
      )
  )
})
