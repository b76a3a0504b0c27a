/** ImageFile: real files of real kinds are attached; the others are refused with the reason, or are not files. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as ImageFile from "../../../src/ui/tui/ImageFile.ts"

const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const inFolder = <A, E>(use: (folder: string) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-image-"))),
    use,
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

const find = (folder: string, paths: ReadonlyArray<string>) =>
  ImageFile.find({ workspaceRoot: folder, home: join(folder, "home") }, paths)

describe("ImageFile", () => {
  it.effect("reads images from the workspace, from home and from anywhere", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        mkdirSync(join(folder, "home"))
        const png = Buffer.from(onePixel, "base64")
        writeFileSync(join(folder, "a b.png"), png)
        writeFileSync(join(folder, "home", "c.jpg"), Buffer.from([0xff, 0xd8, 0xff, 0xe0]))
        const { images, refused } = yield* find(folder, ["a b.png", "~/c.jpg", join(folder, "a b.png")])
        assert.deepStrictEqual(refused, [])
        assert.deepStrictEqual(images, [
          { path: "a b.png", media: { mediaType: "image/png", data: onePixel } },
          { path: "~/c.jpg", media: { mediaType: "image/jpeg", data: "/9j/4A==" } },
          { path: join(folder, "a b.png"), media: { mediaType: "image/png", data: onePixel } }
        ])
      })
    )
  )

  it.effect("knows a kind by its content, not by its name", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        writeFileSync(join(folder, "a.jpg"), Buffer.from(onePixel, "base64"))
        writeFileSync(join(folder, "b.png"), "#!/bin/sh\n")
        const { images, refused } = yield* find(folder, ["a.jpg", "b.png"])
        assert.deepStrictEqual(
          images.map(({ media }) => media.mediaType),
          ["image/png"]
        )
        assert.deepStrictEqual(
          refused.map(({ message, path }) => [path, message]),
          [["b.png", "it is not a PNG, JPEG, GIF or WebP image"]]
        )
      })
    )
  )

  it.effect("refuses an oversized file, a folder and a FIFO, and does not hang on it", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        writeFileSync(join(folder, "large.png"), "")
        truncateSync(join(folder, "large.png"), ImageFile.maxBytes + 1)
        mkdirSync(join(folder, "folder.png"))
        execFileSync("mkfifo", [join(folder, "fifo.png")])
        const { images, refused } = yield* find(folder, ["large.png", "folder.png", "fifo.png"])
        assert.deepStrictEqual(images, [])
        assert.deepStrictEqual(
          refused.map(({ path }) => path),
          ["large.png", "folder.png", "fifo.png"]
        )
        assert.include(refused[0]?.message, `${ImageFile.maxBytes}`)
      })
    )
  )

  it.effect("ignores paths without a file", () =>
    inFolder((folder) =>
      Effect.map(find(folder, ["gone.png", "gone/a.png"]), (found) =>
        assert.deepStrictEqual(found, { images: [], refused: [] })
      )
    )
  )
})
