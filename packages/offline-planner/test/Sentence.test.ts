/**
 * Tests of the planner's English: the requests of each sentence, the texts that are not requests, and that quoted text
 * stays unchanged.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { sampled } from "../../../test/thorough.ts"
import * as ChangingForms from "../src/ChangingForms.ts"
import { form } from "../src/Form.ts"
import * as ReadingForms from "../src/ReadingForms.ts"
import type { Request } from "../src/Request.ts"
import * as Sentence from "../src/Sentence.ts"

const read = (path: string, fromLine: number | null = null, toLine: number | null = null): Request => ({
  _tag: "Read",
  path,
  fromLine,
  toLine
})
const list = (path = ".", recursive = false): Request => ({ _tag: "List", path, recursive })
const find = (glob: string, path = ".", counting = false): Request => ({ _tag: "Find", glob, path, counting })
const search = (text: string, path = ".", counting = false): Request => ({ _tag: "Search", text, path, counting })
const run = (command: string): Request => ({ _tag: "Run", command })
const write = (path: string, content: string): Request => ({ _tag: "Write", path, content })
const replace = (path: string, old: string, to: string): Request => ({ _tag: "Replace", path, old, new: to })
const countLines = (path: string): Request => ({ _tag: "CountLines", path })
const time: Request = { _tag: "Time" }

const understood: ReadonlyArray<readonly [text: string, ...requests: Array<Request>]> = [
  ["read README.md", read("README.md")],
  ["read README.md.", read("README.md")],
  ['Read the file "my notes.txt" lines 3-7', read("my notes.txt", 3, 7)],
  ["read lines 3 to 7 of a.txt", read("a.txt", 3, 7)],
  ["read line 4 of a.txt", read("a.txt", 4, 4)],
  ["show me the first 5 lines of src/a.ts", read("src/a.ts", 1, 5)],
  ["cat a.txt from line 10", read("a.txt", 10)],
  ["can you please read a.txt for me?", read("a.txt")],
  ["What's in LICENSE?", read("LICENSE")],
  ["what does package.json say", read("package.json")],
  ["read /etc/passwd", read("/etc/passwd")],
  ["list", list()],
  ["list .", list()],
  ["list ../..", list("../..")],
  ["ls src", list("src")],
  ["list the files in the project", list()],
  ["list src recursively.", list("src", true)],
  ["list all files in src", list("src", true)],
  ["what files are here?", list()],
  ["show the contents of src", list("src")],
  ["show the contents of README.md", read("README.md")],
  ["find package.json", find("package.json")],
  ["find src/*.ts", find("src/*.ts")],
  ["find *.ts files in src", find("*.ts", "src")],
  ["find all typescript files", find("*.ts")],
  ["list *.md files", find("*.md")],
  ["find config", find("*config*")],
  ["where is the file main.ts?", find("main.ts")],
  ["search for TODO", search("TODO")],
  ["search for TODO in src", search("TODO", "src")],
  ['search src for "hello world"', search("hello world", "src")],
  ['search for "in the middle" in "a b"', search("in the middle", "a b")],
  ["search for cats and dogs in src", search("cats and dogs", "src")],
  ["find all occurrences of foo in src", search("foo", "src")],
  ["which files mention foo?", search("foo")],
  ["grep needle src/a.ts", search("needle", "src/a.ts")],
  ["count lines in a.txt", countLines("a.txt")],
  ["How many lines does a.txt have?", countLines("a.txt")],
  ["count the number of lines in a.txt", countLines("a.txt")],
  ["count files", find("*", ".", true)],
  ["how many files are there in src?", find("*", "src", true)],
  ["how many ts files are there", find("*.ts", ".", true)],
  ["count files matching *.md in docs", find("*.md", "docs", true)],
  ["count matches of foo in src", search("foo", "src", true)],
  ['count matches of "a b" in x.txt', search("a b", "x.txt", true)],
  ["how many times does foo appear in x.txt?", search("foo", "x.txt", true)],
  ["run npm test", run("npm test")],
  ["run npm test.", run("npm test")],
  ["run ls .", run("ls .")],
  ["run the command `ls -la`", run("ls -la")],
  ['execute "git status"', run("git status")],
  ["$ make all", run("make all")],
  ["run ls -la and read a.txt", run("ls -la and read a.txt")],
  ["run if [ -f x ]; then cat x; fi", run("if [ -f x ]; then cat x; fi")],
  ["run echo a; echo b", run("echo a; echo b")],
  ["write hello to a.txt", write("a.txt", "hello")],
  ['write "hello world" to "a b.txt"', write("a b.txt", "hello world")],
  ["write hello then read it to a.txt", write("a.txt", "hello then read it")],
  ["create a file notes.txt with Hello there.", write("notes.txt", "Hello there.")],
  ['create a file called notes.txt containing "x"', write("notes.txt", "x")],
  ["write notes.txt with hello", write("notes.txt", "hello")],
  ['write notes.txt saying "with or to x"', write("notes.txt", "with or to x")],
  ["create an empty file notes.txt", write("notes.txt", "")],
  ["write ```js\nconst a = 1\n\nread b\n``` to a.js", write("a.js", "const a = 1\n\nread b\n")],
  ["replace foo with bar in a.txt", replace("a.txt", "foo", "bar")],
  ['replace "foo in x" with "" in a.txt', replace("a.txt", "foo in x", "")],
  ["in a.txt replace foo with bar", replace("a.txt", "foo", "bar")],
  ["change foo to bar in a.txt", replace("a.txt", "foo", "bar")],
  ["create directory src/lib", { _tag: "CreateDirectory", path: "src/lib" }],
  ["make a new folder called x", { _tag: "CreateDirectory", path: "x" }],
  ["mkdir -p a/b", { _tag: "CreateDirectory", path: "a/b" }],
  ["delete the file a.txt", { _tag: "Delete", path: "a.txt" }],
  ["rm -rf build", { _tag: "Delete", path: "build" }],
  ["move a.txt to b.txt", { _tag: "Move", from: "a.txt", to: "b.txt" }],
  ["rename a.txt to b.txt", { _tag: "Move", from: "a.txt", to: "b.txt" }],
  ["move src/a.txt into docs", { _tag: "Move", from: "src/a.txt", to: "docs/a.txt" }],
  ["copy a.txt to docs/", { _tag: "Copy", from: "a.txt", to: "docs/a.txt" }],
  ["what time is it?", time],
  ["What’s the time", time],
  ["help", { _tag: "Help" }],
  ["read a.txt then list src", read("a.txt"), list("src")],
  ["Read a.txt. Then list src.", read("a.txt"), list("src")],
  ["read a.txt, and then run cat b.txt", read("a.txt"), run("cat b.txt")],
  ["read a.txt and b.txt", read("a.txt"), read("b.txt")],
  ["read a.txt, list src, and run `npm test`", read("a.txt"), list("src"), run("npm test")],
  ["list src and read README.md", list("src"), read("README.md")],
  ["run echo hi then read a.txt", run("echo hi"), read("a.txt")],
  ['run git commit -m "a then b" then list', run('git commit -m "a then b"'), list()],
  ["1. read a.txt\n2. list src", read("a.txt"), list("src")],
  ['write "x" to b.txt and then read it', write("b.txt", "x"), read("b.txt")],
  ['move "a b" to c then read it', { _tag: "Move", from: "a b", to: "c" }, read("c")]
]

const refused: ReadonlyArray<readonly [text: string, part: string]> = [
  ["", ""],
  ["tell me a joke", "tell me a joke"],
  ["write a poem about trees", "write a poem about trees"],
  ["fix the bug in src/a.ts", "fix the bug in src/a.ts"],
  ["explain README.md", "explain README.md"],
  ["run the tests", "run the tests"],
  ["show the weather", "show the weather"],
  ["put milk in coffee", "put milk in coffee"],
  ["replace the battery in car", "replace the battery in car"],
  ["delete everything", "delete everything"],
  ["delete it", "delete it"],
  ["read a.txt lines 7-3", "read a.txt lines 7-3"],
  ['read ""', 'read ""'],
  ["search the web for cats", "search the web for cats"],
  ["count words in a.txt", "count words in a.txt"],
  ['read a.txt then dance "all night"', 'dance "all night"'],
  ["dance then read a.txt", "dance"]
]

const one = (text: string): Request | null => {
  const parsed = Sentence.parse(text)
  return parsed._tag === "Requests" && parsed.requests.length === 1 ? parsed.requests[0] : null
}

describe("Sentence", () => {
  it.each(understood.map(([text, ...requests]) => ({ text, requests })))("understands: $text", ({ requests, text }) => {
    assert.deepStrictEqual(Sentence.parse(text), { _tag: "Requests", requests })
  })

  it.each(refused)("is not a list of requests: %s", (text, part) => {
    assert.deepStrictEqual(Sentence.parse(text), { _tag: "NotUnderstood", part })
  })

  const big = { arbitrary: { runs: 300, size: 200 } }

  it.prop(
    "never throws on any text",
    [Schema.String],
    ([text]) => {
      Sentence.parse(text)
    },
    sampled(big)
  )

  const word = Schema.Literals([
    "read",
    "list",
    "run",
    "write",
    "to",
    "in",
    "then",
    "and",
    "it",
    "a.txt",
    "count",
    "lines",
    "of",
    "files",
    '"',
    "`",
    "'",
    ",",
    ".",
    ";",
    "\n",
    "replace",
    "with",
    "search",
    "for",
    "```",
    "*",
    "\uE000",
    "0",
    "\uE001",
    "and then",
    "1."
  ])
  it.prop(
    "never throws on any mix of its own vocabulary",
    [Schema.Array(word)],
    ([words]) => {
      Sentence.parse(words.join(" "))
      Sentence.parse(words.join(""))
    },
    big
  )

  it.prop(
    "a quoted path or text survives unchanged, whatever it says",
    [Schema.NonEmptyString],
    ([text]) => {
      if (text.includes("`")) return
      assert.deepStrictEqual(one(`read \`${text}\``), read(text))
      assert.deepStrictEqual(one(`run \`${text}\``), text.trim() === "" ? null : run(text))
      assert.deepStrictEqual(one(`write \`${text}\` to \`${text}\``), write(text, text))
      assert.deepStrictEqual(one(`search for \`${text}\` in \`${text}\``), search(text, text))
      assert.deepStrictEqual(one(`replace \`${text}\` with \`${text}\` in \`${text}\``), replace(text, text, text))
    },
    big
  )

  it.each([
    "then list src",
    "a then read b",
    '" then delete x',
    "it's; rm -rf / then x",
    "a\nread b",
    "and delete everything."
  ])("a request inside quotes is never executed: %s", (text) => {
    assert.deepStrictEqual(one(`read \`${text}\``), read(text))
    assert.deepStrictEqual(one(`write \`${text}\` to a.txt`), write("a.txt", text))
  })

  it("gives up on long texts quickly instead of trying every split", () => {
    const texts = [
      "read a and ".repeat(5_000),
      "a. ".repeat(20_000),
      "write ".repeat(20_000),
      '"'.repeat(20_000),
      "'x ".repeat(20_000)
    ]
    for (const text of texts) assert.strictEqual(Sentence.parse(text)._tag, "NotUnderstood")
  })
})

describe("Form", () => {
  const opened = (text: string): number =>
    [...ChangingForms.forms, ...ReadingForms.forms].filter(({ opening }) => opening.test(text)).length

  it("tries few patterns on a sentence, by its first words", () => {
    assert.deepStrictEqual([opened("Say hello."), opened("read README.md"), opened("mkdir drafts")], [0, 2, 1])
    assert.isAtMost(opened("list src recursively"), 5)
  })

  it("starts with all text that must precede a space, whatever its groups contain", () => {
    const openingOf = (source: string): string => form(source, () => null).opening.source
    assert.deepStrictEqual(
      [String.raw`(?:a b|c)(?: d)? e`, String.raw`[ (]x (y)`, String.raw`\(a b`, "(?:the )?(?<a>b)", "(?: a)?b"].map(
        openingOf
      ),
      [String.raw`^(?:a\s+b|c)`, String.raw`^[\s+(]x`, String.raw`^\(a`, String.raw`^(?:the\s+)?(?<a>b)`, "^"]
    )
  })
})
