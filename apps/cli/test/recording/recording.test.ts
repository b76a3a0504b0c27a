/**
 * The recording in `docs/recording` shows its story, the current program can reproduce it, and the picture is of the
 * recording.
 */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { homedir, hostname, tmpdir } from "node:os"
import { requires } from "../../../../test/requirements.ts"
import { thoroughOnly } from "../../../../test/thorough.ts"
import * as Cast from "../../recording/Cast.ts"
import * as Player from "../../recording/Player.ts"
import * as Recorder from "../../recording/Recorder.ts"
import * as Recording from "../../recording/Recording.ts"
import * as Story from "../../recording/Story.ts"

const tmux = requires("tmux")
const bubblewrap = requires("bubblewrap")

const committed = Cast.decode(readFileSync(Recording.castFile, "utf8"))

/** The screen until each mark that lacks its claimed text. */
const untold = async (cast: Cast.Cast): Promise<ReadonlyArray<string>> => {
  const shown = await Promise.all(Story.marks.map(async (mark) => ({ mark, ...(await Player.play(cast, mark)) })))
  return shown.filter(({ mark, text }) => !Story.claims[mark].test(text)).map(({ mark, text }) => `${mark}:\n${text}`)
}

describe.skipIf(tmux.skip)(`the recording${tmux.suffix}`, () => {
  it("shows the claims of its story", async () => {
    assert.deepStrictEqual(await untold(committed), [])
  })

  it("matches the picture", async () => {
    assert.strictEqual(await Recording.picture(committed), readFileSync(Recording.pictureFile, "utf8"))
  })

  it.skipIf(bubblewrap.skip)(
    `can be reproduced with the current program, and names no machine${bubblewrap.suffix}`,
    thoroughOnly,
    async () => {
      const taken = await Recorder.record(Recorder.atOnce)
      assert.deepStrictEqual(await untold(taken), [])
      const file = Cast.encode(taken)
      for (const secret of [homedir(), tmpdir(), hostname(), process.cwd()]) assert.notInclude(file, secret)
    }
  )
})
