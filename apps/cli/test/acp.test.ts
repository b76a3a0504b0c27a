/** An editor that speaks the Agent Client Protocol: prompts, calls, approvals, interruption, modes, stored sessions. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { put, withTestFolder } from "./program/Bough.ts"
import { type Editor, type EditorOptions, withEditor } from "./program/Editor.ts"
import { type Answer, remove, say, withModel } from "./program/ModelServer.ts"

interface Setting {
  readonly editor: Editor
  readonly sessionId: string
  readonly prompt: (...texts: ReadonlyArray<string>) => Promise<unknown>
  /** The texts of the users' messages in each request of the model. */
  readonly asked: () => ReadonlyArray<string>
  readonly isThere: (path: string) => boolean
}

const editing = (
  script: ReadonlyArray<Answer>,
  use: (setting: Setting) => Promise<void>,
  options: Partial<EditorOptions> = {}
): Promise<void> =>
  withTestFolder((place) =>
    withModel(script, (server) => {
      put(place, "a.txt", "one\ntwo\n")
      return withEditor(place, { env: server.env, ...options }, async (editor) => {
        const { sessionId } = await editor.request("session/new", { cwd: place.workspace, mcpServers: [] })
        await use({
          editor,
          sessionId: String(sessionId),
          prompt: async (...texts) => {
            const blocks = texts.map((text) =>
              text.startsWith("@")
                ? { type: "resource_link", name: text, uri: pathToFileURL(join(place.workspace, text.slice(1))).href }
                : { type: "text", text }
            )
            return (await editor.request("session/prompt", { sessionId, prompt: blocks }))["stopReason"]
          },
          asked: () =>
            server.requests.map(({ messages }) =>
              messages.flatMap(({ content, role }) => (role === "user" ? [String(content)] : [])).join("\n")
            ),
          isThere: (path) => existsSync(join(place.workspace, path))
        })
      })
    })
  )

describe("bough acp", () => {
  it("agrees on version 1, and lists its capabilities", () =>
    editing([], async ({ editor }) => {
      const agreed = await editor.request("initialize", { protocolVersion: 1, clientCapabilities: {} })
      assert.strictEqual(agreed["protocolVersion"], 1)
      assert.deepInclude(agreed["agentCapabilities"], {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true }
      })
    }))

  it("shows reasoning, answer, calls with their files, and the plan, and links files by their paths", () => {
    const plan = { items: [{ text: "Read it", status: "done" }] }
    const calls = [
      { name: "read_file", arguments: { path: "a.txt" } },
      { name: "edit_file", arguments: { path: "a.txt", edits: [{ old: "two", new: "zwei" }] } },
      { name: "read_file", arguments: { path: "none.txt" } },
      { name: "update_plan", arguments: plan }
    ]
    return editing(
      [{ text: "I look.", reasoning: "Perhaps there.", calls }, say("It has two lines.")],
      async ({ asked, editor, prompt }) => {
        assert.strictEqual(await prompt("How long is ", "@a.txt", "?"), "end_turn")
        assert.match(asked()[0], /How long is \/\S+\/workspace\/a\.txt\?/)
        assert.strictEqual(editor.textOf("agent_thought_chunk"), "Perhaps there.")
        assert.strictEqual(editor.textOf("agent_message_chunk"), "I look.It has two lines.")
        const [read, edit, missing] = editor.updates.filter(({ sessionUpdate }) => sessionUpdate === "tool_call")
        assert.deepInclude(read, { kind: "read", status: "pending", rawInput: { path: "a.txt" } })
        assert.match(JSON.stringify(read["locations"]), /workspace\/a\.txt"/)
        const endOf = ({ toolCallId }: typeof read) =>
          editor.updates.findLast(
            (update) => update.sessionUpdate === "tool_call_update" && update["toolCallId"] === toolCallId
          )
        assert.deepInclude(endOf(read), { status: "completed" })
        assert.include(JSON.stringify(endOf(edit)), "```diff")
        assert.deepInclude(endOf(missing), { status: "failed" })
        assert.deepInclude(editor.updates, {
          sessionUpdate: "plan",
          entries: [{ content: "Read it", priority: "medium", status: "completed" }]
        })
      }
    )
  })

  it("asks the editor's user before a call that needs approval, and takes each answer", () =>
    editing([remove("a.txt"), say("gone")], async ({ editor, isThere, prompt }) => {
      assert.strictEqual(await prompt("delete it"), "end_turn")
      assert.isFalse(isThere("a.txt"))
      const [{ options, toolCall }] = editor.permissions
      assert.deepInclude(toolCall, { kind: "delete", rawInput: { path: "a.txt" } })
      assert.include(JSON.stringify(toolCall["content"]), "a.txt")
      assert.includeMembers(
        options.map(({ kind }) => kind),
        ["allow_once", "reject_once"]
      )
    }))

  it.each(["reject", null] as const)("deletes nothing when the answer is %s", (answer) =>
    editing(
      [remove("a.txt"), say("kept")],
      async ({ editor, isThere, prompt }) => {
        assert.strictEqual(await prompt("delete it"), "end_turn")
        assert.isTrue(isThere("a.txt"))
        assert.include(editor.textOf("agent_message_chunk"), "kept")
      },
      { choose: () => answer }
    )
  )

  it("stops a prompt that the editor cancels, and takes the next one", () =>
    editing([{ hangAfter: "I begin" }, say("Now")], async ({ editor, prompt, sessionId }) => {
      const first = prompt("long")
      await editor.shows(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
      editor.notify("session/cancel", { sessionId })
      assert.strictEqual(await first, "cancelled")
      assert.strictEqual(await prompt("again"), "end_turn")
    }))

  it("changes nothing in the mode plan, which the editor sets", () =>
    editing(
      [{ text: "", calls: [{ name: "write_file", arguments: { path: "new.txt", content: "x" } }] }, say("A plan")],
      async ({ editor, isThere, prompt, sessionId }) => {
        await editor.request("session/set_mode", { sessionId, modeId: "plan" })
        await prompt("write it")
        assert.isFalse(isThere("new.txt"))
      }
    ))

  it("shows a stored session when an editor loads it, and continues it", () =>
    withTestFolder((place) =>
      withModel(
        [{ text: "Hello", calls: [{ name: "list_files", arguments: {} }] }, say("Listed"), say("Again")],
        async ({ env, requests }) => {
          const cwd = place.workspace
          const blocks = (text: string) => [{ type: "text", text }]
          const sessionId = await withEditor(place, { env }, async (editor) => {
            const { sessionId } = await editor.request("session/new", { cwd, mcpServers: [] })
            await editor.request("session/prompt", { sessionId, prompt: blocks("remember the pear") })
            return sessionId
          })
          const { BOUGH_MODEL: _, ...unnamed } = env
          await withEditor(place, { env: unnamed }, async (editor) => {
            await editor.request("session/load", { sessionId, cwd, mcpServers: [] })
            assert.strictEqual(editor.textOf("user_message_chunk"), "remember the pear")
            assert.strictEqual(editor.textOf("agent_message_chunk"), "HelloListed")
            assert.lengthOf(
              editor.updates.filter(({ status }) => status === "completed"),
              1
            )
            await editor.request("session/prompt", { sessionId, prompt: blocks("which fruit?") })
            assert.include(JSON.stringify(requests[2].messages), "remember the pear")
            assert.strictEqual(requests[2].model, requests[0].model)
          })
        }
      )
    ))

  it("answers wrong requests with an error, and the next one as usual", () =>
    editing([{ status: 401, message: "wrong key" }, say("fine")], async ({ editor, prompt, sessionId }) => {
      const failure = (method: string, params: Readonly<Record<string, unknown>>) =>
        editor.request(method, params).then(
          () => "no error",
          ({ message }: Error) => message
        )
      assert.match(await failure("session/fly", {}), /no method session\/fly/)
      assert.match(await failure("session/prompt", { sessionId: "ses_none", prompt: [] }), /ses_none is not open/)
      assert.match(await failure("session/prompt", { sessionId, prompt: [] }), /empty/)
      assert.match(await failure("session/prompt", { sessionId, prompt: [{ type: "audio" }] }), /type|Expected/)
      assert.match(await failure("session/set_mode", { sessionId, modeId: "all" }), /no mode "all"/)
      assert.match(await failure("session/load", { sessionId: "ses_none", cwd: "/" }), /ses_none/)
      assert.match(await failure("session/new", { cwd: ".", mcpServers: [] }), /absolute path/)
      editor.write("no JSON")
      const prompted = await prompt("hi").then(
        () => "no error",
        ({ message }: Error) => message
      )
      assert.match(prompted, /wrong key/)
      assert.include(editor.lines.join("\n"), "-32700")
      assert.strictEqual(await prompt("again"), "end_turn")
    }))
})
