/** Queued input outlives its process: it returns to the user who opens the session again. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { thoroughOnly } from "../../../../../test/thorough.ts"
import * as InputQueue from "../../../src/ui/conversation/InputQueue.ts"
import * as QueueFile from "../../../src/ui/conversation/QueueFile.ts"
import type { UserInput } from "../../../src/ui/conversation/UserInput.ts"
import * as Configured from "../../program/Configured.ts"
import { say } from "../../program/ModelServer.ts"

const message = (text: string): UserInput => ({ _tag: "Say", text, media: [], waits: true })
const image = { _tag: "Say", text: "look", media: [{ mediaType: "image/png", data: "aGk=" }], waits: true } as const

const inFolder = (use: (dataDirectory: string) => void): void => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "bough-queue-"))
  try {
    use(dataDirectory)
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

const queueIn = (dataDirectory: string | null) =>
  InputQueue.make({ dataDirectory, report: (sentence) => assert.fail(sentence) })

describe("the queue of a conversation", () => {
  it("is there for the next process, in order, without a key that was typed", () =>
    inFolder((dataDirectory) => {
      const queue = queueIn(dataDirectory)
      assert.deepStrictEqual(queue.open("ses_1"), [])
      const command: UserInput = { _tag: "RunCommand", command: "ls" }
      for (const input of [message("one"), image, command]) queue.add(input)
      queue.add({ _tag: "RunSlashCommand", name: "login", arguments: "openai sk-1" })
      assert.deepStrictEqual(queueIn(dataDirectory).open("ses_1"), [message("one"), image, command])
      assert.deepStrictEqual(queueIn(dataDirectory).open("ses_2"), [])
    }))

  it("keeps a taken message until it is recorded, and one that was given back until the next input", () =>
    inFolder((dataDirectory) => {
      const queue = queueIn(dataDirectory)
      const left = () => QueueFile.read(dataDirectory, "ses_1")
      queue.open("ses_1")
      queue.add(message("one"))
      queue.add(message("two"))
      assert.deepStrictEqual(queue.take(), message("one"))
      assert.deepStrictEqual(left(), [message("one"), message("two")])
      queue.settle()
      assert.deepStrictEqual(left(), [message("two")])
      queue.giveBack(queue.waiting())
      assert.deepStrictEqual([queue.take(), left()], [null, [message("two")]])
      queue.forgetGivenBack()
      assert.deepStrictEqual([left(), readdirSync(join(dataDirectory, "queued"))], [[], []])
    }))

  it("moves with the conversation to another session, and quits before it sends", () =>
    inFolder((dataDirectory) => {
      const queue = queueIn(dataDirectory)
      queue.open("ses_1")
      queue.add(message("one"))
      queue.open("ses_2")
      assert.deepStrictEqual(QueueFile.read(dataDirectory, "ses_1"), [])
      queue.add({ _tag: "Quit" })
      assert.deepStrictEqual(queue.take(), { _tag: "Quit" })
      assert.deepStrictEqual(QueueFile.read(dataDirectory, "ses_2"), [message("one")])
    }))

  it("of a script is not kept", () =>
    inFolder((dataDirectory) => {
      const queue = queueIn(null)
      queue.open("ses_1")
      queue.add(message("one"))
      assert.deepStrictEqual([queue.take(), existsSync(join(dataDirectory, "queued"))], [message("one"), false])
    }))

  it("reports once that it cannot be kept, and works", () => {
    const reports: Array<string> = []
    const queue = InputQueue.make({ dataDirectory: "/dev/null", report: (sentence) => reports.push(sentence) })
    queue.open("ses_1")
    queue.add(message("one"))
    queue.add(message("two"))
    assert.match(reports.join("\n"), /^queued messages are not kept if this process is killed: .+$/u)
    assert.deepStrictEqual(queue.take(), message("one"))
  })
})

describe("a message that was queued before its process was killed", () => {
  it("is queued again, and sent after the turn that continues", thoroughOnly, () => {
    const talking = Configured.talking({ prompt: /queued|›\n.* workspace/ })
    const never = new Promise<void>(() => {})
    const script = [say("First"), { text: "Second", after: never }, say("Second"), say("Third")]
    return talking(script, async ({ converse }) => {
      await converse(async (screen) => {
        screen.type("one")
        await screen.shows(/First[\s\S]*›\n/)
        screen.type("two")
        await screen.shows("Second")
        screen.press("-l", "three words")
        screen.press("Tab")
        await screen.shows("queued: three words")
        process.kill(screen.pid(), "SIGKILL")
      })
      await converse(
        async (screen) => {
          assert.include(await screen.shows(/› three words\nThird/), "three words")
        },
        { args: ["--continue"] }
      )
    })
  })

  it("returns to the editor with Esc, and from there after a kill", thoroughOnly, () => {
    const talking = Configured.talking({ prompt: /›.*\n.* workspace/ })
    const never = new Promise<void>(() => {})
    return talking([{ text: "First", after: never }], async ({ converse }) => {
      await converse(async (screen) => {
        screen.type("one")
        await screen.shows("First")
        screen.press("-l", "two words")
        screen.press("Tab")
        await screen.shows("queued: two words")
        screen.press("Escape")
        await screen.shows(/› two words\n/)
        process.kill(screen.pid(), "SIGKILL")
      })
      await converse(
        async (screen) => {
          assert.include(await screen.shows(/in the editor again[\s\S]*› two words\n/), "two words")
        },
        { args: ["--continue"] }
      )
    })
  })
})
