/** Completions as a shell uses them: in an interactive bash in a real terminal. */
import { assert, describe, it } from "@effect/vitest"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import * as Built from "./program/Bough.ts"
import { put, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import * as Tmux from "./program/Tmux.ts"

const tmux = requires("tmux")

describe.skipIf(tmux.skip)(`completions in a shell${tmux.suffix}`, () => {
  it("complete commands, flags and the values of flags", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const { code, stdout } = await Built.bough(place, ["--completions", "bash"])
      assert.strictEqual(code, 0)
      const file = put(place, "../rc", `PS1='> '\n${stdout}`)
      const command = Tmux.withVariables(place.env, `bash --noprofile --rcfile ${Tmux.quote(file)} -i`)
      const terminal = Tmux.open({ columns: 80, rows: 24, cwd: place.workspace, command })
      try {
        await Tmux.shows(terminal, /^>/m)
        for (const written of ["bough to", "sch", "--f", "anth"]) {
          terminal.run("send-keys", "-l", "--", written)
          terminal.run("send-keys", "Tab")
        }
        await Tmux.shows(terminal, /^> bough tools schema --for anthropic$/m)
      } finally {
        terminal.close()
      }
    })
  )
})

describe("completions", () => {
  it("exist for three shells, with every command", () =>
    withTestFolder(async (place) => {
      const help = (await bough(place, ["--help"])).stdout
      const commands = ["run", "call", "tools", "sessions", "approvals", "config", "doctor"]
      for (const shell of ["bash", "zsh", "fish"]) {
        const { stdout } = await Built.bough(place, ["--completions", shell])
        for (const command of commands) {
          assert.include(help, command)
          assert.match(stdout, new RegExp(`\\b${command}\\b`), `${shell}: ${command}`)
        }
      }
    }))

  it("are refused for an unsupported shell", () =>
    withTestFolder(async (place) => {
      const { code, stderr, stdout } = await bough(place, ["--completions", "csh"])
      assert.deepStrictEqual([code, stdout], [2, ""])
      assert.match(stderr, /^bough: .*bash.*zsh.*fish/u)
    }))
})
