/** The tools over a real workspace, with attachments and a channel that records its messages. */
import { ProcessRunnerNode } from "@bough/sandbox"
import { type Channel, Capability, Invocation, Progress } from "@bough/tool"
import { SampleInvocation } from "@bough/tool/testing"
import { packFilesSpec } from "@bough/tool/testing/packFilesSpec"
import { Workspace } from "@bough/workspace"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { Buffer } from "node:buffer"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MediaPack, SaveAttachment, SendMedia } from "../src/index.ts"

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

/** The first entry of an archive, stored as it is. */
const zip = (name: string, content: string): Buffer => {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  for (const at of [18, 22]) header.writeUInt32LE(content.length, at)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, Buffer.from(name + content)])
}

const open = Effect.fnUntraced(function* (attachments: ReadonlyArray<Uint8Array> = []) {
  const root = yield* Effect.acquireRelease(
    Effect.sync(() => fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "bough-pack-media-")))),
    (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
  )
  const workspace = yield* Workspace.make({ root }).pipe(Effect.provide(ProcessRunnerNode.layer))
  const sent: Array<{ readonly text: string; readonly media: Channel.SentMedia | undefined }> = []
  const context = Context.make(Capability.WorkspaceRead, workspace.read([])).pipe(
    Context.add(Capability.WorkspaceWrite, workspace.write([])),
    Context.add(Capability.Attachments, { list: Effect.succeed(attachments) }),
    Context.add(Capability.Channel, {
      send: (text, media) =>
        Effect.sync(() => {
          sent.push({ text, media })
          return { messageId: "msg_1", channel: "test" }
        })
    }),
    Context.add(Invocation.Invocation, SampleInvocation.make({ workspaceRoot: root })),
    Context.add(Progress.Progress, { report: () => Effect.void }),
    Context.add(Scope.Scope, yield* Effect.scope)
  )
  return {
    at: (path: string): string => join(root, path),
    sent,
    send: (path: string) => Effect.setContext(SendMedia.execute({ path }), context),
    save: (parameters: { readonly path?: string; readonly back: number }) =>
      Effect.setContext(SaveAttachment.execute(parameters), context),
    findSaved: (parameters: { readonly path?: string; readonly back: number }) =>
      Effect.setContext(SaveAttachment.findExisting?.(parameters) ?? Effect.die("no findExisting"), context),
    classify: (path: string) =>
      Effect.setContext(SaveAttachment.classify?.({ path, back: 0 }) ?? Effect.die("no classify"), context)
  }
})

packFilesSpec("MediaPack", MediaPack.all, new URL("../src", import.meta.url))

describe("save_attachment", () => {
  it.live("names the newest attachment by the type of its bytes, whatever its original name", () =>
    Effect.gen(function* () {
      const { at, save } = yield* open([Buffer.from("older"), png])
      const { artifacts, output } = yield* save({ back: 0 })
      assert.match(output.path, /^attachment-[0-9a-f]{12}\.png$/)
      assert.strictEqual(output.mediaType, "image/png")
      assert.isTrue(fs.readFileSync(at(output.path)).equals(png))
      assert.deepStrictEqual(artifacts, [
        { _tag: "FileWritten", path: output.path, bytes: png.length, digest: output.digest }
      ])
      assert.strictEqual((yield* save({ path: "notes/a.txt", back: 1 })).output.mediaType, "text/plain")
      assert.strictEqual(fs.readFileSync(at("notes/a.txt"), "utf8"), "older")
    })
  )

  it.live("replaces nothing, recognises its own copy, and refuses a path that is outside or missing", () =>
    Effect.gen(function* () {
      const { at, classify, findSaved, save } = yield* open([png])
      fs.writeFileSync(at("mine.png"), "mine")
      assert.match((yield* Effect.flip(save({ path: "mine.png", back: 0 }))).message, /"mine\.png" already exists/)
      assert.strictEqual(fs.readFileSync(at("mine.png"), "utf8"), "mine")
      assert.isNull(yield* findSaved({ path: "mine.png", back: 0 }))
      yield* save({ path: "b.png", back: 0 })
      assert.strictEqual((yield* findSaved({ path: "b.png", back: 0 }))?.output.path, "b.png")
      assert.match((yield* Effect.flip(save({ path: "../b.png", back: 0 }))).message, /outside the workspace/)
      assert.match((yield* Effect.flip(save({ back: 1 }))).message, /back is at most 0/)
      assert.strictEqual((yield* classify(".env")).tier, "Elevated")
      assert.strictEqual((yield* classify("b.png")).tier, "Workspace")
    })
  )

  it.live("refuses an attachment above the limit", () =>
    Effect.gen(function* () {
      const { save } = yield* open([Buffer.alloc(20 * 1024 ** 2 + 1)])
      assert.match((yield* Effect.flip(save({ back: 0 }))).message, /the limit is 20971520/)
    })
  )
})

describe("send_media", () => {
  it.live("sends path, size and the type of the bytes in one line, and records the artifact", () =>
    Effect.gen(function* () {
      const { at, send, sent } = yield* open()
      fs.mkdirSync(at("out"))
      fs.writeFileSync(at("out/chart.txt"), png)
      const { artifacts } = yield* send("out/chart.txt")
      const media = { path: "out/chart.txt", mediaType: "image/png", bytes: png.length }
      assert.deepStrictEqual(sent, [{ text: `chart.txt (image/png, ${png.length} bytes): out/chart.txt`, media }])
      assert.deepStrictEqual(artifacts, [{ _tag: "MediaSent", channel: "test", path: "out/chart.txt" }])
    })
  )

  it.live("sends active content as plain text, and unknown bytes as a byte stream", () =>
    Effect.gen(function* () {
      const { at, send } = yield* open()
      fs.writeFileSync(at("a.png"), "<!doctype html><script>alert(1)</script>")
      fs.writeFileSync(at("b.svg"), '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')
      fs.writeFileSync(at("c"), Buffer.from([0, 1, 2, 0, 3]))
      assert.strictEqual((yield* send("a.png")).output.mediaType, "text/plain")
      assert.strictEqual((yield* send("b.svg")).output.mediaType, "text/plain")
      assert.strictEqual((yield* send("c")).output.mediaType, "application/octet-stream")
    })
  )

  it.live.each([
    [
      "a document of an office program",
      zip("word/document.xml", "<w/>"),
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    ],
    ["an archive", zip("page.html", "<script>alert(1)</script>"), "application/zip"],
    ["an image with a script behind it", Buffer.concat([png, Buffer.from("<script>alert(1)</script>")]), "image/png"],
    ["an image that is cut off", png.subarray(0, 30), "image/png"],
    ["the signature of an image alone", png.subarray(0, 8), "image/png"],
    ["a few bytes of an image", png.subarray(0, 4), "text/plain"],
    ["a script that begins like an image", Buffer.from("GIF89a=1;alert(1)"), "image/gif"],
    ["a page that contains a document", Buffer.from("<html><script>alert(1)</script>%PDF-1.7"), "text/plain"],
    ["a page with a byte order mark", Buffer.from("\uFEFF<html><script>alert(1)</script>"), "text/plain"],
    [
      "an image of text with a script",
      Buffer.from("<svg onload='alert(1)' xmlns='http://www.w3.org/2000/svg'/>"),
      "text/plain"
    ],
    [
      "a declaration and an entity",
      Buffer.from("<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>"),
      "text/plain"
    ],
    ["nothing", Buffer.alloc(0), "text/plain"]
  ])("sends %s by the type of its bytes", ([, content, mediaType]) =>
    Effect.gen(function* () {
      const { at, send } = yield* open()
      fs.writeFileSync(at("file.html"), content)
      assert.strictEqual((yield* send("file.html")).output.mediaType, mediaType)
    })
  )

  it.live("names a file in one line, whatever its name", () =>
    Effect.gen(function* () {
      const { at, send, sent } = yield* open()
      const name = "a\nApproved: yes\u202e\u2028.txt"
      fs.writeFileSync(at(name), "x")
      assert.strictEqual((yield* send(name)).output.path, name)
      const shown = '"a\\nApproved: yes\\u{202e}\\u{2028}.txt"'
      assert.strictEqual(sent[0]?.text, `${shown} (text/plain, 1 bytes): ${shown}`)
    })
  )

  it.live("sends no secret, no file above the limit, and none from outside", () =>
    Effect.gen(function* () {
      const { at, send, sent } = yield* open()
      fs.writeFileSync(at(".env"), "TOKEN=1")
      fs.symlinkSync(at(".env"), at("plain.txt"))
      fs.writeFileSync(at("large.bin"), "")
      fs.truncateSync(at("large.bin"), 20 * 1024 ** 2 + 1)
      assert.match((yield* Effect.flip(send(".env"))).message, /never sent/)
      assert.match((yield* Effect.flip(send("plain.txt"))).message, /credentials/)
      assert.match((yield* Effect.flip(send("large.bin"))).message, /TooLarge/)
      assert.match((yield* Effect.flip(send("../x"))).message, /outside the workspace/)
      assert.deepStrictEqual(sent, [])
    })
  )
})
