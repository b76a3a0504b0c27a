/**
 * Notes that a reflection replaces: a merge is committed as a whole or not at all, and not if it would need an
 * approval.
 */
import { assert, describe, it } from "@effect/vitest"
import { thoroughOnly } from "../../../test/thorough.ts"
import type { TestFolder } from "./program/Bough.ts"
import { put, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { type Answer, say, withModel } from "./program/ModelServer.ts"

const call = (name: string, args: unknown): Answer => ({ text: "", calls: [{ name, arguments: args }] })
const work = [call("read_file", { path: "a.txt" }), say("it says a")]
const verdict = call("return_result", { verdict: "complete", assessment: "it went well", lessons: [] })

interface ListedNote {
  readonly noteId: string
  readonly text: string
}

const notes = async (place: TestFolder) =>
  JSON.parse((await bough(place, ["memory", "list", "--format", "json"])).stdout) as ReadonlyArray<ListedNote>

const texts = async (place: TestFolder) => (await notes(place)).map(({ text }) => text).toSorted()

const old = ["Deploys on Mondays, never on Fridays", "Ships releases with the harbour script"]
const merged = "Deploys on Tuesdays with the harbour script"

/** Two notes, and a reflection whose save replaces both, followed by `after`. */
const reflecting = async (
  place: TestFolder,
  save: Readonly<Record<string, unknown>>,
  after: ReadonlyArray<Answer>,
  check: (ended: { readonly stderr: string; readonly requests: ReadonlyArray<unknown> }) => Promise<void>
) => {
  put(place, "a.txt", "a\n")
  for (const text of old) await bough(place, ["memory", "save", text])
  const supersedes = (await notes(place)).map(({ noteId }) => noteId)
  assert.lengthOf(supersedes, 2)
  await withModel([...work, call("save_memory", { ...save, supersedes }), ...after], async ({ env, requests }) => {
    const { code, stderr } = await bough(place, ["run", "--reflect", "read a.txt"], { env })
    assert.strictEqual(code, 0, stderr)
    await check({ stderr, requests })
  })
}

describe("a reflection that merges notes", () => {
  it("commits the replacement once it has completed", () =>
    withTestFolder((place) =>
      reflecting(place, { content: merged }, [verdict], async ({ stderr }) => {
        assert.include(stderr, `remembered: ${merged}\n`)
        assert.deepStrictEqual(await texts(place), [merged])
      })
    ))

  it("leaves them unchanged if it did not complete", thoroughOnly, () =>
    withTestFolder((place) =>
      reflecting(place, { content: merged }, [{ status: 400, message: "no more" }], async ({ stderr }) => {
        assert.notInclude(stderr, "remembered")
        assert.deepStrictEqual(await texts(place), old)
      })
    )
  )

  it("replaces nothing if its save would need an approval", () =>
    withTestFolder((place) =>
      reflecting(
        place,
        { content: "The deploy password is hunter2222", secrets: "keep" },
        [verdict],
        async ({ requests }) => {
          assert.match(
            JSON.stringify(requests.at(-1)),
            /Error: keeps what looks like a secret in memory, and asks are denied/
          )
          assert.include(JSON.stringify(requests.at(-1)), "No approval can be given here")
          assert.deepStrictEqual(await texts(place), old)
        }
      )
    ))
})
