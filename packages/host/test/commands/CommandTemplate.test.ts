/** Templates take arguments as text, and run only commands of their author. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sampled } from "../../../../test/thorough.ts"
import * as CommandTemplate from "../../src/commands/CommandTemplate.ts"

const messageOf = (template: string, given = ""): string =>
  CommandTemplate.messageOf(CommandTemplate.fill(template, given))
const marksOf = (template: string, given = "") =>
  CommandTemplate.fill(template, given).filter(({ _tag }) => _tag !== "Text")

describe("the template of a command", () => {
  it("inserts all arguments, or each word, and quoted words as one", () => {
    assert.strictEqual(messageOf("Fix $ARGUMENTS now", "a b"), "Fix a b now")
    assert.strictEqual(messageOf("$2, then $1.$3", `one "two three"`), "two three, then one.")
    assert.strictEqual(messageOf("costs $10 and \\$1", "x"), "costs $10 and $1\n\nArguments: x")
    assert.strictEqual(messageOf("Review the changes", "with care"), "Review the changes\n\nArguments: with care")
  })

  it("finds commands and files, and quotes arguments for the shell", () => {
    const parts = marksOf(
      "See !`git log -n $1 $ARGUMENTS` and @src/a.ts, @b.md. a@b.c \\@d !x `y`",
      `3 "it's; rm -rf ~"`
    )
    assert.deepStrictEqual(parts, [
      { _tag: "Command", text: String.raw`git log -n '3' '3' 'it'\''s; rm -rf ~'` },
      { _tag: "File", path: "src/a.ts" },
      { _tag: "File", path: "b.md" }
    ])
    assert.strictEqual(messageOf("See @a.ts, and !`ls`"), "See @a.ts, and (the output of `ls`, above)")
  })

  const word = Schema.String.check(Schema.isPattern(/^[^\0\s"'][^\0"']*$|^$/u))
  const contexts = [
    "printf %s $1",
    'printf %s "$1"',
    "printf %s '$1'",
    'printf %s "$(printf %s "$1")"',
    'x="$(printf %s "a)$1")"; printf %s "${x#a?}"'
  ]
  it.prop(
    "passes arguments to a shell unchanged, inside any quotation marks",
    [word, Schema.Literals(contexts)],
    ([input, command]) => {
      const quoted = `"${input}"`
      const [part] = marksOf(`!\`${command}\``, quoted)
      const { stdout } = spawnSync("bash", ["-c", part?._tag === "Command" ? part.text : ""], { encoding: "utf8" })
      assert.strictEqual(stdout, command.includes("$(") ? input.replace(/\n+$/u, "") : input)
    },
    sampled({ arbitrary: { runs: 60 } })
  )

  it("passes quotation marks and other special characters to a shell as text", () => {
    for (const command of contexts) {
      const [part] = marksOf(`!\`${command}\``, "it's$(touch,made)`x`\\$HOME")
      const { stdout } = spawnSync("bash", ["-c", part?._tag === "Command" ? part.text : ""], { encoding: "utf8" })
      assert.strictEqual(stdout, "it's$(touch,made)`x`\\$HOME", command)
    }
    assert.deepStrictEqual(marksOf("!`echo \\$1 $1`", "x"), [{ _tag: "Command", text: "echo \\$1 'x'" }])
  })

  it("never lets an argument become syntax, in any command of the author", () => {
    const hostile = [
      ["printf '%s' $'$1' $2", "\\", "; touch made #"],
      [`printf %s "$(case a in a) printf %s "$1";; esac)"`, "$(touch made)", ""],
      ["[[ a == a ]] # it's; $1", "", ""],
      [`x=; echo "\${x:-'$1'}" \${x:-"$2"}`, "$(touch made)", "$(touch made)"],
      ['cat <<< $1 <<<"$2"', "$(touch made)", "$(touch made)"]
    ] as const
    const directory = mkdtempSync(join(tmpdir(), "bough-template-"))
    for (const [command, one, two] of hostile) {
      const [part] = marksOf(`!\`${command}\``, `"${one}" "${two}"`)
      const text = part?._tag === "Command" ? part.text : assert.fail("no command")
      spawnSync("bash", ["-c", text], { cwd: directory })
      assert.deepStrictEqual(readdirSync(directory), [], text)
    }
    rmSync(directory, { recursive: true })
  })

  it.prop("never runs a command or reads a file that an argument names", [Schema.String], ([words]) => {
    const hostile = `${words} !\`touch x\` @/etc/passwd $1`
    assert.deepStrictEqual(marksOf("Do $ARGUMENTS and $1", hostile), [])
    assert.include(messageOf("Do $ARGUMENTS", hostile), hostile.trim())
  })
})
