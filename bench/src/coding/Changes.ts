/** Tasks that change several files, or require finding the code first. */
import { checkScript, lines, type Task } from "./Task.ts"

const shop = {
  "src/price.js": lines("export const calcPrice = (item) => item.cents * item.count"),
  "src/cart.js": lines(
    'import { calcPrice } from "./price.js"',
    "export const total = (items) => items.reduce((sum, item) => sum + calcPrice(item), 0)"
  ),
  "src/bill.js": lines(
    'import { calcPrice } from "./price.js"',
    "export const bill = (items) => items.map((item) => `${item.name} ${calcPrice(item)}`)"
  ),
  "README.md": lines("# Shop", "", "`calcPrice` gives the price of an item.")
}

const rename = (text: string): string => text.replaceAll("calcPrice", "priceOf")

const numberedFiles = (count: number, make: (at: number) => readonly [string, string]): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => make(at)))

export const changes: ReadonlyArray<Task> = [
  {
    name: "rename",
    prompt: "Rename the function calcPrice to priceOf everywhere, documentation included.",
    files: shop,
    check: checkScript(
      'for (const file of ["src/price.js", "src/cart.js", "src/bill.js", "README.md"]) assert.doesNotMatch(read(file), /calcPrice/)',
      'assert.match(read("README.md"), /priceOf/)',
      'const { total } = await import("./src/cart.js")',
      'const { bill } = await import("./src/bill.js")',
      "assert.equal(total([{ cents: 5, count: 2 }]), 10)",
      'assert.deepEqual(bill([{ name: "a", cents: 5, count: 2 }]), ["a 10"])'
    ),
    solution: Object.fromEntries(Object.entries(shop).map(([path, text]) => [path, rename(text)]))
  },
  {
    name: "needle",
    prompt:
      "One of the handlers in src/handlers answers with status 500 by mistake; it should be 200. Correct that one.",
    files: numberedFiles(40, (at) => [
      `src/handlers/h${at}.js`,
      lines(`export const handle = () => ({ status: ${at === 27 ? 500 : 200}, body: "${at}" })`)
    ]),
    check: checkScript(
      "for (let at = 0; at < 40; at++) {",
      "  const { handle } = await import(`./src/handlers/h${at}.js`)",
      "  assert.deepEqual(handle(), { status: 200, body: String(at) })",
      "}"
    ),
    solution: { "src/handlers/h27.js": lines('export const handle = () => ({ status: 200, body: "27" })') }
  },
  {
    name: "move-module",
    prompt:
      "Move src/util.js to src/text/shorten.js, and let what imports it find it there. The old file must be gone.",
    files: {
      "src/util.js": lines(
        "export const shorten = (text, most) => (text.length > most ? `${text.slice(0, most)}…` : text)"
      ),
      "src/title.js": lines('import { shorten } from "./util.js"', "export const title = (text) => shorten(text, 5)"),
      "src/pages/page.js": lines(
        'import { shorten } from "../util.js"',
        "export const page = (text) => shorten(text, 3)"
      )
    },
    check: checkScript(
      'assert.equal(exists("src/util.js"), false)',
      'const { title } = await import("./src/title.js")',
      'const { page } = await import("./src/pages/page.js")',
      'await import("./src/text/shorten.js")',
      'assert.deepEqual([title("abcdefg"), page("abcd")], ["abcde…", "abc…"])'
    ),
    solution: {
      "src/util.js": "",
      "src/text/shorten.js": lines(
        "export const shorten = (text, most) => (text.length > most ? `${text.slice(0, most)}…` : text)"
      ),
      "src/title.js": lines(
        'import { shorten } from "./text/shorten.js"',
        "export const title = (text) => shorten(text, 5)"
      ),
      "src/pages/page.js": lines(
        'import { shorten } from "../text/shorten.js"',
        "export const page = (text) => shorten(text, 3)"
      )
    }
  },
  {
    name: "circular",
    prompt:
      'node src/main.js fails since two modules import each other. Make it print "a of b" without changing src/main.js.',
    files: {
      "src/main.js": lines('import { a } from "./a.js"', "console.log(a)"),
      "src/a.js": lines('import { b } from "./b.js"', 'export const name = "a"', "export const a = `${name} of ${b}`"),
      "src/b.js": lines('import { name } from "./a.js"', 'export const b = name === "a" ? "b" : "c"')
    },
    check: checkScript(
      'assert.equal(run("src/main.js"), "a of b\\n")',
      'assert.equal(read("src/main.js"), \'import { a } from "./a.js"\\nconsole.log(a)\\n\')'
    ),
    solution: {
      "src/name.js": lines('export const name = "a"'),
      "src/a.js": lines(
        'import { b } from "./b.js"',
        'import { name } from "./name.js"',
        "export const a = `${name} of ${b}`"
      ),
      "src/b.js": lines('import { name } from "./name.js"', 'export const b = name === "a" ? "b" : "c"')
    }
  },
  {
    name: "crlf",
    prompt: "In legacy.ini set timeout to 30. The file has Windows line ends: leave them, and all else, as they are.",
    files: { "legacy.ini": "[server]\r\nhost = a\r\ntimeout = 10\r\n; timeout = 10\r\n" },
    check: checkScript(
      'assert.equal(read("legacy.ini"), "[server]\\r\\nhost = a\\r\\ntimeout = 30\\r\\n; timeout = 10\\r\\n")'
    ),
    solution: { "legacy.ini": "[server]\r\nhost = a\r\ntimeout = 30\r\n; timeout = 10\r\n" }
  },
  {
    name: "failing-test",
    prompt: "node --test fails. Make it pass by correcting the program; the test is right.",
    files: {
      "src/words.js": lines('export const count = (text) => text.split(" ").length'),
      "test/words.test.js": lines(
        'import assert from "node:assert/strict"',
        'import { test } from "node:test"',
        'import { count } from "../src/words.js"',
        'test("counts words", () => assert.deepEqual(["", " a  b ", "a\\nb c"].map(count), [0, 2, 3]))'
      )
    },
    check: checkScript(
      'const { count } = await import("./src/words.js")',
      'assert.deepEqual(["", " a  b ", "a\\nb c", "\\t"].map(count), [0, 2, 3, 0])',
      'assert.match(read("test/words.test.js"), /\\[0, 2, 3\\]/)'
    ),
    solution: {
      "src/words.js": lines('export const count = (text) => text.split(/\\s+/).filter((word) => word !== "").length')
    }
  },
  {
    name: "write-test",
    prompt:
      "Write test/clamp.test.js for src/clamp.js with node:test. It must pass, and fail if the lower or the upper bound is not held.",
    files: { "src/clamp.js": lines("export const clamp = (value, low, high) => Math.min(Math.max(value, low), high)") },
    check: checkScript(
      'import { writeFileSync } from "node:fs"',
      'const passes = () => tried(() => run("test/clamp.test.js")).error === undefined',
      'assert.equal(exists("test/clamp.test.js"), true)',
      "assert.equal(passes(), true)",
      'const whole = read("src/clamp.js")',
      'for (const broken of ["Math.min(value, high)", "Math.max(value, low)"]) {',
      '  writeFileSync("src/clamp.js", `export const clamp = (value, low, high) => ${broken}\\n`)',
      "  assert.equal(passes(), false, broken)",
      "}",
      'writeFileSync("src/clamp.js", whole)'
    ),
    solution: {
      "test/clamp.test.js": lines(
        'import assert from "node:assert/strict"',
        'import { test } from "node:test"',
        'import { clamp } from "../src/clamp.js"',
        'test("holds the bounds", () => assert.deepEqual([clamp(-1, 0, 2), clamp(1, 0, 2), clamp(3, 0, 2)], [0, 1, 2]))'
      )
    }
  },
  {
    name: "data-migration",
    prompt:
      "data/users.json has full names. Give each user first and last in place of name; the last word is the last name. Keep the order and two blanks of indentation.",
    files: {
      "data/users.json": `${JSON.stringify(
        [
          { id: 1, name: "Ann Bee" },
          { id: 2, name: "Cy De Em" }
        ],
        null,
        2
      )}\n`
    },
    check: checkScript(
      'assert.equal(read("data/users.json").trimEnd(), JSON.stringify([{ id: 1, first: "Ann", last: "Bee" }, { id: 2, first: "Cy De", last: "Em" }], null, 2))'
    ),
    solution: {
      "data/users.json": `${JSON.stringify(
        [
          { id: 1, first: "Ann", last: "Bee" },
          { id: 2, first: "Cy De", last: "Em" }
        ],
        null,
        2
      )}\n`
    }
  }
]
