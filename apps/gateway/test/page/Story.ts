/**
 * The model's replies in the tests of the page, by the first words of each conversation, so that many of them can run
 * in parallel over one server.
 */
import type { Answer, Call, Request } from "../../../cli/test/program/ModelServer.ts"

const textOf = ({ content }: Request["messages"][number]): string =>
  typeof content === "string" ? content : JSON.stringify(content)

const call = (name: string, given: unknown): Call => ({ name, arguments: given })
const calls = (text: string, ...named: ReadonlyArray<Call>): Answer => ({ text, calls: named })
const say = (text: string): Answer => ({ text })

/** A promise that a test resolves. */
export const gate = () => {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

export const notes = "# Release notes\n\n- sessions over HTTP\n- a page for approvals\n"

export const report = `Here is what I found in **three** files.

| file | lines | state |
| --- | ---: | --- |
| \`notes.md\` | 4 | written |
| \`old-notes.md\` | 12 | removed |

1. The notes name every change.
2. Nothing refers to the old file any more.

\`\`\`ts
export const version = "1.0.0"
\`\`\`

See [the guide](https://example.org/guide). ![a diagram](https://example.org/diagram.png)

<img src="https://example.org/pixel.png" onerror="alert(1)"> stays text.`

/** The text of a user or a parent, and the model's replies step by step. */
const scripts: Readonly<Record<string, ReadonlyArray<Answer>>> = {
  "Prepare the release": [
    calls(
      "I look at what is there and write the notes.",
      call("write_file", { path: "notes.md", content: "# Release notes\n\n- sessions over HTTP\n" }),
      call("write_file", { path: "old-notes.md", content: "an old note\n".repeat(12) })
    ),
    calls(
      "The page is missing in the notes.",
      call("edit_file", {
        path: "notes.md",
        edits: [{ old: "- sessions over HTTP\n", new: "- sessions over HTTP\n- a page for approvals\n" }]
      }),
      call("list_files", {})
    ),
    calls(
      "Two branches do the rest.",
      call("spawn_branch", { task: "Check the changelog against the notes" }),
      call("spawn_branch", { task: "Clean up what is left over" }),
      call("wait_for_sessions", {})
    ),
    say(report)
  ],
  "Check the changelog": [say("The changelog names both changes.")],
  "Clean up what is left": [
    calls("A branch removes the old notes.", call("spawn_branch", { task: "Remove the old notes" })),
    calls("", call("wait_for_sessions", {})),
    say("The old notes are gone, or their user wants to keep them.")
  ],
  "Remove the old notes": [
    calls("", call("delete_path", { path: "old-notes.md" })),
    say("I am done with the old notes.")
  ],
  "Delete the draft": [
    calls("", call("write_file", { path: "draft.md", content: "a draft\n" })),
    calls("", call("delete_path", { path: "draft.md" })),
    say("I leave it as it is decided.")
  ]
}

export interface StoryOptions {
  /** Answers to the user's last message, tried before the scripts; `step` counts the replies to it. */
  readonly answers?: (said: string, step: number) => Answer | null
}

/** Makes the script of the model server. */
export const story =
  ({ answers = () => null }: StoryOptions = {}) =>
  (request: Request): Answer => {
    const spoken = request.messages.filter(({ role }) => role === "user" || role === "assistant")
    const requestIndex = spoken.findLastIndex(
      (message) => message.role === "user" && Object.keys(scripts).some((words) => textOf(message).includes(words))
    )
    const last = spoken.findLastIndex(({ role }) => role === "user")
    const own = answers(last < 0 ? "" : textOf(spoken[last]), spoken.slice(last + 1).length)
    if (own !== null) return own
    if (requestIndex < 0) return say("Hello. Tell me what shall be done.")
    const [, answersOf = []] =
      Object.entries(scripts).find(([words]) => textOf(spoken[requestIndex]).includes(words)) ?? []
    const step = spoken.slice(requestIndex).filter(({ role }) => role === "assistant").length
    return answersOf[step] ?? say("That is all.")
  }
