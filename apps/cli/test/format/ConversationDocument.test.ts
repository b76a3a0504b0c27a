/** An exported conversation can be read, and no text of it becomes markup of the page. */
import type { Entry } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as ConversationDocument from "../../src/format/ConversationDocument.ts"

const entry = (body: unknown): Entry.Entry => ({ body }) as Entry.Entry
const userMessage = (text: string, principal = "ann") => entry({ _tag: "UserMessage", text, principal })
const answered = (text: string) => entry({ _tag: "ModelReplied", parts: [{ _tag: "Text", text }] })
const called = (display: string) =>
  entry({ _tag: "CallEnded", tool: "run_command", outcome: { _tag: "Succeeded", display } })

const hostile = `<script>alert(1)</script><img src=x onerror='a("b")'>&amp;`

describe("the document of a conversation", () => {
  it("is Markdown with the messages of the user and the agent, and calls as code", () => {
    const text = ConversationDocument.toMarkdown("A\ntitle", [
      userMessage("hi"),
      called("ran `x`\nwell"),
      answered("**yes**")
    ])
    assert.strictEqual(
      text,
      "# A title\n\n## You\n\nhi\n\n- `` run_command: ran `x` well ``\n\n## Agent\n\n**yes**\n\n"
    )
  })

  it("is a page in which all text is escaped", () => {
    const page = ConversationDocument.toHtml(hostile, [userMessage(hostile), answered(hostile), called(hostile)])
    assert.notMatch(page, /<script|<img|onerror='/u)
    assert.lengthOf(page.match(/&lt;script&gt;alert\(1\)/gu) ?? [], 5)
    assert.include(page, "default-src 'none'")
  })
})
