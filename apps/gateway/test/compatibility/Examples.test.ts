/** The examples of docs/other-clients.md run unchanged, against a gateway that listens. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { transform } from "esbuild"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { someOf, thorough } from "../../../../test/thorough.ts"
import type { Script } from "../../../cli/test/program/ModelServer.ts"
import * as Served from "./served.ts"

const page = readFileSync(new URL("../../../../docs/other-clients.md", import.meta.url), "utf8")
const examples = [...page.matchAll(/```(tsx?)\n(.*?)```/gs)].map(([, language = "", code = ""]) => ({ language, code }))

const folder = fileURLToPath(new URL("../..", import.meta.url))

/** Runs a program that can import the packages of this one; returns its output. */
const run = async (served: Served.ServedGateway, code: string): Promise<string> => {
  const options = { BOUGH_URL: served.gateway.url, BOUGH_TOKEN: served.token, PATH: process.env["PATH"] }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module-typescript", "--no-warnings", "--eval", code],
    { cwd: folder, env: options }
  )
  return stdout
}

/** A script that presses the buttons of the component as a user would, and prints the text of the component. */
const pressButtonsScript = `
import { createElement } from "react"
import { create } from "react-test-renderer"
const shown = create(createElement(Conversation))
const until = async (look) => {
  for (;;) {
    const found = look()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
const button = (label) => shown.root.findAllByType("button").find(({ children }) => children[0] === label)
const words = () => shown.root.findAllByType("p").map(({ children }) => children.join("")).join("\\n")
await until(() => shown.toJSON() !== null)
;(await until(() => button("Send"))).props.onClick()
;(await until(() => words().includes("It waits for you.") && button("Approve"))).props.onClick()
await until(() => words().includes("It is written."))
console.log(words())
process.exit(0)
`

const plain: Script = [{ text: "Hello there" }]

const expected: ReadonlyArray<{
  readonly name: string
  readonly script: Script
  readonly prints: ReadonlyArray<string>
}> = [
  {
    name: "responses",
    script: [{ text: "Nothing yet." }, ...Served.approvalScript],
    prints: ["Nothing yet.", "I will write it.", "approving write_file", "It is written."]
  },
  { name: "chat completions", script: plain, prints: ["Hello there"] },
  {
    name: "useChat",
    script: Served.approvalScript,
    prints: ["I will write it.", "It waits for you.", "It is written."]
  },
  { name: "AG-UI", script: Served.approvalScript, prints: ["I will write it.", "It waits for you.", "It is written."] }
]

describe("examples of docs/other-clients.md", () => {
  it("have an expected output each", () => assert.lengthOf(examples, expected.length))

  for (const [index, { name, prints, script }] of someOf([...expected.entries()], 1)) {
    it.live(
      name,
      () =>
        Served.serve(script, (served) =>
          Effect.promise(async () => {
            const { code, language } = examples[index]
            const program =
              language === "tsx"
                ? (await transform(code, { loader: "tsx", jsx: "automatic" })).code + pressButtonsScript
                : code
            const printed = await run(served, program)
            for (const words of prints) assert.include(printed, words)
          })
        ),
      thorough
    )
  }
})
