/** `--watch` as a process: it compiles changed files, keeps the last good output, and ends on SIGINT. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import * as path from "node:path"
import { makeProject } from "./project.ts"

const main = path.join(import.meta.dirname, "../src/main.ts")
const project = makeProject("watch")
const running: Array<ChildProcessWithoutNullStreams> = []
afterAll(() => {
  for (const child of running) child.kill("SIGKILL")
  project.remove()
})

/** A watching process and its output since the last read. */
class Watcher {
  readonly child: ChildProcessWithoutNullStreams
  #unread = ""

  constructor(files: ReadonlyArray<string>) {
    this.child = spawn(process.execPath, [main, "--project", project.config, "--watch", ...files])
    running.push(this.child)
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.on("data", (chunk: Buffer) => (this.#unread += chunk.toString()))
    }
  }

  /** Waits for the text and returns everything up to it. */
  async until(text: string): Promise<string> {
    while (!this.#unread.includes(text)) {
      await Promise.race([once(this.child.stdout, "data"), once(this.child.stderr, "data")])
    }
    const end = this.#unread.indexOf(text) + text.length
    const read = this.#unread.slice(0, end)
    this.#unread = this.#unread.slice(end)
    return read
  }
}

const source = (type: string) =>
  `import type { Place } from "./place.ts"\n/** Counts. @tier ReadOnly @replay Safe */\nexport async function count(step: ${type}, place: Place): Promise<string> {\n  return place.zone + step\n}\n`

describe("bough-tool-compiler --watch", () => {
  it("compiles changed files, keeps the last good output, and ends with SIGINT", async () => {
    const [file = "", place = ""] = project.put({
      "count.ts": source("number"),
      "place.ts": "export interface Place { zone: string }\n"
    })
    const output = file.replace(/\.ts$/u, ".tools.ts")
    const read = () => fs.readFileSync(output, "utf8")
    const watcher = new Watcher([file])
    await watcher.until("watching")
    assert.include(read(), "readonly step: number")

    fs.writeFileSync(file, source("string"))
    await watcher.until("watching")
    assert.include(read(), "readonly step: string")

    // A file that the source imports.
    fs.writeFileSync(place, "export interface Place { zone: string; rack: number }\n")
    await watcher.until("watching")
    assert.include(read(), "readonly rack: number")

    fs.writeFileSync(file, source("Date"))
    const shown = await watcher.until("watching")
    assert.match(shown, /count\.ts:3:29: step is of type Date[\s\S]*\n3 \| export async function count\(step: Date/u)
    assert.include(shown, "the last good outputs stay")
    assert.include(read(), "readonly step: string")

    // Like an editor: another file replaces it.
    fs.writeFileSync(`${file}.new`, source("boolean"))
    fs.renameSync(`${file}.new`, file)
    await watcher.until("watching")
    assert.include(read(), "readonly step: boolean")

    watcher.child.kill("SIGINT")
    const [code] = (await once(watcher.child, "exit")) as [number | null]
    assert.strictEqual(code, 0)
  })
})
