/** The recording in `docs/recording` is of the program as it is now, and the picture is of the recording. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { homedir, hostname, tmpdir } from "node:os"
import { requires } from "../../../../test/requirements.ts"
import * as Cast from "../../recording/Cast.ts"
import * as Player from "../../recording/Player.ts"
import * as Recorder from "../../recording/Recorder.ts"
import * as Recording from "../../recording/Recording.ts"
import * as Story from "../../recording/Story.ts"
import { steady } from "../program/Steady.ts"

const tmux = requires("tmux")
const bubblewrap = requires("bubblewrap")

const committed = Cast.decode(readFileSync(Recording.castFile, "utf8"))

const texts = (cast: Cast.Cast): Promise<ReadonlyArray<string>> =>
  Promise.all(Story.marks.map(async (mark) => steady((await Player.play(cast, mark)).text)))

describe.skipIf(tmux.skip)(`the recording${tmux.suffix}`, { timeout: 120_000 }, () => {
  it("shows a plan, a worker, a diff before it is approved, a command, the cost and the tree", async () => {
    const [question, result, tree] = await texts(committed)
    assert.match(question, /0 of 4 done[\s\S]*Started a worker[\s\S]*may this run\? edit_file/)
    assert.match(question, /│ -printf .*\n│ \+printf .*\n[\s\S]*└ y yes .*\n›\n.*1 session below/)
    assert.match(
      result,
      /└ yes, once\n✓ Edited slug\.sh[\s\S]*sh test\.sh exited with 0[\s\S]*│ ok .*\n[\s\S]*✓ worker completed/
    )
    assert.match(
      tree,
      /› \/cost\ntokens in .*\ntokens out .*\ncost {2,}\$\d[\s\S]*\$ bough tree\nmain “[\s\S]*└─ worker “/
    )
  })

  it("is what the picture shows", async () => {
    assert.strictEqual(await Recording.picture(committed), readFileSync(Recording.pictureFile, "utf8"))
  })

  it.skipIf(bubblewrap.skip)(`shows the program as it is now, or run "pnpm record"${bubblewrap.suffix}`, async () => {
    const taken = await Recorder.record(Recorder.atOnce)
    assert.deepStrictEqual(await texts(taken), await texts(committed))
    const file = Cast.encode(taken)
    for (const secret of [homedir(), tmpdir(), hostname(), process.cwd()]) assert.notInclude(file, secret)
  })
})
