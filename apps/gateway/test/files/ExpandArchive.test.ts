/** Malicious archives: none of them puts a file outside of its folder, a link into it, or more than was allowed. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import * as ArchivePath from "../../src/files/ArchivePath.ts"
import * as ExpandArchive from "../../src/files/ExpandArchive.ts"
import { temporaryFolder } from "../accounts/database.ts"
import { tar, zip } from "../archives.ts"

const bounds = { archiveBytes: 1_000_000, archiveFiles: 100 }
const zeros = new Uint8Array(bounds.archiveBytes + 1)
const many = Array.from({ length: bounds.archiveFiles + 1 }, (_, at) => ({ name: `f${at}` }))

const all = (folder: string): ReadonlyArray<string> =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : []

describe("ExpandArchive", () => {
  for (const [name, archive, code] of [
    ["a path that leads out", () => tar([{ name: "ok" }, { name: "a/../../b", content: "x" }]), "invalid_archive"],
    ["an absolute path", () => tar([{ name: "/tmp/bough-archive", content: "x" }]), "invalid_archive"],
    ["a path of another system", () => tar([{ name: "a\\..\\b", content: "x" }]), "invalid_archive"],
    [
      "a link and a file behind it",
      () =>
        tar([
          { name: "out", type: "2", link: "/tmp" },
          { name: "out/x", content: "x" }
        ]),
      "invalid_archive"
    ],
    ["a hard link", () => tar([{ name: "passwd", type: "1", link: "/etc/passwd" }]), "invalid_archive"],
    ["a device", () => tar([{ name: "null", type: "3" }]), "invalid_archive"],
    ["the same file twice", () => tar([{ name: "a" }, { name: "./a" }]), "invalid_archive"],
    ["a file as a folder", () => tar([{ name: "a" }, { name: "a/b" }]), "invalid_archive"],
    ["half an archive", () => tar([{ name: "a", content: "x".repeat(2_000) }]).subarray(0, 1_024), "invalid_archive"],
    [
      "a packed archive that is cut",
      () => gzipSync(tar([{ name: "a", content: "x" }])).subarray(0, 40),
      "invalid_archive"
    ],
    ["no archive", () => Buffer.from("hello"), "invalid_archive"],
    ["a zip path that leads out", () => zip([{ name: "../b", content: "x" }]), "invalid_archive"],
    ["an absolute zip path", () => zip([{ name: "/b", content: "x" }]), "invalid_archive"],
    ["a zip link", () => zip([{ name: "l", content: "/etc/passwd", mode: 0o120777 }]), "invalid_archive"],
    [
      "a zip that says less than it holds",
      () => zip([{ name: "a", content: zeros.subarray(0, 100_000), size: 10 }]),
      "invalid_archive"
    ],
    ["half a zip", () => zip([{ name: "a", content: "x" }]).subarray(0, 50), "invalid_archive"],
    ["too many files", () => tar(many), "archive_too_large"],
    ["a tar bomb", () => gzipSync(tar([{ name: "a", content: zeros }]), { level: 1 }), "archive_too_large"],
    ["a zip bomb", () => zip([{ name: "a", content: zeros }]), "archive_too_large"],
    [
      "zeros behind the end of a tar",
      () => gzipSync(Buffer.concat([tar([{ name: "a" }]), new Uint8Array(3_000_000)])),
      "archive_too_large"
    ]
  ] as const) {
    it.live(`refuses ${name}`, () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const inner = join(folder, "deep", "deeper")
        mkdirSync(inner, { recursive: true })
        writeFileSync(join(folder, "archive"), archive())
        const before = all(folder)
        const into = join(inner, "new")
        const refused = yield* Effect.flip(ExpandArchive.intoFolder(join(folder, "archive"), into, bounds))
        assert.strictEqual(refused.code, code, refused.detail)
        assert.isTrue(all(into).every((one) => !lstatSync(join(into, one)).isSymbolicLink()))
        assert.deepStrictEqual(
          all(folder).filter((one) => !one.startsWith("deep/deeper/new")),
          before
        )
        assert.isFalse(existsSync("/tmp/bough-archive"))
      })
    )
  }

  it("maps a name to a path below the root, or refuses it", () => {
    for (const name of ["a/b", "./a//b/", "a/./b"]) assert.deepStrictEqual(ArchivePath.fromName(name), { path: "a/b" })
    for (const name of ["..", "a/..", "/a", "C:/a", "a\0b", "a\nb", "a\\b", "\ud800", "a/".repeat(70)])
      assert.property(ArchivePath.fromName(name), "fault", name)
  })
})
