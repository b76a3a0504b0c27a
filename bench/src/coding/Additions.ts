/** Tasks that add something to a program. */
import { checkScript, lines, type Task } from "./Task.ts"

const greet = lines("const [name] = process.argv.slice(2)", 'console.log(`hello ${name ?? "world"}`)')

export const additions: ReadonlyArray<Task> = [
  {
    name: "flag",
    prompt: "Let bin/greet.js take --shout anywhere among its arguments, which prints in capitals.",
    files: { "bin/greet.js": greet },
    check: checkScript(
      'assert.equal(run("bin/greet.js", "ann", "--shout"), "HELLO ANN\\n")',
      'assert.equal(run("bin/greet.js", "--shout", "ann"), "HELLO ANN\\n")',
      'assert.equal(run("bin/greet.js"), "hello world\\n")'
    ),
    solution: {
      "bin/greet.js": lines(
        "const given = process.argv.slice(2)",
        'const [name = "world"] = given.filter((word) => word !== "--shout")',
        "const text = `hello ${name}`",
        'console.log(given.includes("--shout") ? text.toUpperCase() : text)'
      )
    }
  },
  {
    name: "exit-code",
    prompt:
      "bin/sum.js adds its arguments. Where one is no number it must print nothing on stdout, name it on stderr, and exit with 2.",
    files: { "bin/sum.js": lines("console.log(process.argv.slice(2).map(Number).reduce((a, b) => a + b, 0))") },
    check: checkScript(
      'assert.equal(run("bin/sum.js", "1", "2.5"), "3.5\\n")',
      'const { error } = tried(() => run("bin/sum.js", "1", "two"))',
      "assert.equal(error?.status, 2)",
      'assert.equal(error.stdout, "")',
      "assert.match(error.stderr, /two/)"
    ),
    solution: {
      "bin/sum.js": lines(
        "const given = process.argv.slice(2)",
        'const wrong = given.find((text) => text.trim() === "" || Number.isNaN(Number(text)))',
        "if (wrong === undefined) console.log(given.map(Number).reduce((a, b) => a + b, 0))",
        "else {",
        "  console.error(`not a number: ${wrong}`)",
        "  process.exitCode = 2",
        "}"
      )
    }
  },
  {
    name: "lru",
    prompt:
      "Give the Cache of src/cache.js a limit: new Cache(n) keeps the n entries that were used last; get counts as use.",
    files: {
      "src/cache.js": lines(
        "export class Cache {",
        "  #entries = new Map()",
        "  get(key) { return this.#entries.get(key) }",
        "  set(key, value) { this.#entries.set(key, value) }",
        "  get size() { return this.#entries.size }",
        "}"
      )
    },
    check: checkScript(
      'const { Cache } = await import("./src/cache.js")',
      "const cache = new Cache(2)",
      'cache.set("a", 1); cache.set("b", 2); cache.get("a"); cache.set("c", 3)',
      'assert.deepEqual(["a", "b", "c"].map((key) => cache.get(key)), [1, undefined, 3])',
      "assert.equal(cache.size, 2)"
    ),
    solution: {
      "src/cache.js": lines(
        "export class Cache {",
        "  #entries = new Map()",
        "  #limit",
        "  constructor(limit = Infinity) { this.#limit = limit }",
        "  get(key) {",
        "    if (!this.#entries.has(key)) return undefined",
        "    const value = this.#entries.get(key)",
        "    this.set(key, value)",
        "    return value",
        "  }",
        "  set(key, value) {",
        "    this.#entries.delete(key)",
        "    this.#entries.set(key, value)",
        "    if (this.#entries.size > this.#limit) this.#entries.delete(this.#entries.keys().next().value)",
        "  }",
        "  get size() { return this.#entries.size }",
        "}"
      )
    }
  },
  {
    name: "retry",
    prompt:
      "Write src/retry.js with retry(work, times): calls the async work until it succeeds, at most so many times in all, and rejects with the last error.",
    files: { "src/index.js": lines("export {}") },
    check: checkScript(
      'const { retry } = await import("./src/retry.js")',
      "let calls = 0",
      'const work = async () => { calls += 1; if (calls < 3) throw new Error(`no ${calls}`); return "yes" }',
      'assert.equal(await retry(work, 3), "yes")',
      "calls = 0",
      "await assert.rejects(retry(work, 2), /no 2/)",
      "assert.equal(calls, 2)"
    ),
    solution: {
      "src/retry.js": lines(
        "export const retry = async (work, times) => {",
        "  for (let left = times; ; left--) {",
        "    try {",
        "      return await work()",
        "    } catch (error) {",
        "      if (left <= 1) throw error",
        "    }",
        "  }",
        "}"
      )
    }
  },
  {
    name: "debounce",
    prompt: "Add cancel() to the function that debounce returns: a pending call is then never made.",
    files: {
      "src/debounce.js": lines(
        "export const debounce = (work, millis) => {",
        "  let timer",
        "  return (...given) => {",
        "    clearTimeout(timer)",
        "    timer = setTimeout(() => work(...given), millis)",
        "  }",
        "}"
      )
    },
    check: checkScript(
      'const { debounce } = await import("./src/debounce.js")',
      "const seen = []",
      "const push = debounce((value) => seen.push(value), 5)",
      "push(1); push.cancel(); await new Promise((done) => setTimeout(done, 20))",
      "push(2); push(3); await new Promise((done) => setTimeout(done, 20))",
      "assert.deepEqual(seen, [3])"
    ),
    solution: {
      "src/debounce.js": lines(
        "export const debounce = (work, millis) => {",
        "  let timer",
        "  const debounced = (...given) => {",
        "    clearTimeout(timer)",
        "    timer = setTimeout(() => work(...given), millis)",
        "  }",
        "  debounced.cancel = () => clearTimeout(timer)",
        "  return debounced",
        "}"
      )
    }
  },
  {
    name: "roman",
    prompt: "src/roman.js has toRoman. Add fromRoman, which throws for what toRoman would never write.",
    files: {
      "src/roman.js": lines(
        'const signs = [[1000, "M"], [900, "CM"], [500, "D"], [400, "CD"], [100, "C"], [90, "XC"], [50, "L"], [40, "XL"], [10, "X"], [9, "IX"], [5, "V"], [4, "IV"], [1, "I"]]',
        "export const toRoman = (number) =>",
        '  signs.reduce(([text, left], [value, sign]) => [text + sign.repeat(Math.floor(left / value)), left % value], ["", number])[0]'
      )
    },
    check: checkScript(
      'const { fromRoman, toRoman } = await import("./src/roman.js")',
      "for (const number of [1, 4, 9, 14, 40, 90, 400, 1994, 3999]) assert.equal(fromRoman(toRoman(number)), number)",
      'for (const text of ["IIII", "IC", "", "VX", "hello"]) assert.throws(() => fromRoman(text), text)'
    ),
    solution: {
      "src/roman.js": lines(
        'const signs = [[1000, "M"], [900, "CM"], [500, "D"], [400, "CD"], [100, "C"], [90, "XC"], [50, "L"], [40, "XL"], [10, "X"], [9, "IX"], [5, "V"], [4, "IV"], [1, "I"]]',
        "export const toRoman = (number) =>",
        '  signs.reduce(([text, left], [value, sign]) => [text + sign.repeat(Math.floor(left / value)), left % value], ["", number])[0]',
        "export const fromRoman = (text) => {",
        "  let [number, rest] = [0, text]",
        "  for (const [value, sign] of signs) {",
        "    while (rest.startsWith(sign)) [number, rest] = [number + value, rest.slice(sign.length)]",
        "  }",
        "  if (number === 0 || toRoman(number) !== text) throw new Error(`not a roman number: ${text}`)",
        "  return number",
        "}"
      )
    }
  },
  {
    name: "route-parameters",
    prompt:
      "match(pattern, path) should support parameters such as /users/:id and return them as an object, null where the path does not match.",
    files: { "src/match.js": lines("export const match = (pattern, path) => (pattern === path ? {} : null)") },
    check: checkScript(
      'const { match } = await import("./src/match.js")',
      'assert.deepEqual({ ...match("/users/:id/posts/:post", "/users/7/posts/a%20b") }, { id: "7", post: "a b" })',
      'assert.equal(match("/users/:id", "/users"), null)',
      'assert.equal(match("/users/:id", "/users/7/x"), null)',
      'assert.deepEqual({ ...match("/", "/") }, {})',
      'assert.equal(match("/a.c", "/abc"), null)'
    ),
    solution: {
      "src/match.js": lines(
        "export const match = (pattern, path) => {",
        '  const [wanted, given] = [pattern.split("/"), path.split("/")]',
        "  if (wanted.length !== given.length) return null",
        "  const found = {}",
        "  for (const [at, part] of wanted.entries()) {",
        '    if (part.startsWith(":") && given[at] !== "") found[part.slice(1)] = decodeURIComponent(given[at])',
        "    else if (part !== given[at]) return null",
        "  }",
        "  return found",
        "}"
      )
    }
  },
  {
    name: "config-default",
    prompt:
      "loadConfig(text) parses JSON. An unknown key must throw with its name; port defaults to 8080 and must be an integer from 1 to 65535.",
    files: { "src/config.js": lines("export const loadConfig = (text) => JSON.parse(text)") },
    check: checkScript(
      'const { loadConfig } = await import("./src/config.js")',
      'assert.deepEqual(loadConfig("{}"), { port: 8080 })',
      "assert.deepEqual(loadConfig('{\"port\": 1}'), { port: 1 })",
      "assert.throws(() => loadConfig('{\"prot\": 1}'), /prot/)",
      'for (const port of ["0", "65536", "1.5", \'"80"\', "null"]) assert.throws(() => loadConfig(`{"port": ${port}}`), /port/)'
    ),
    solution: {
      "src/config.js": lines(
        "export const loadConfig = (text) => {",
        "  const { port = 8080, ...rest } = JSON.parse(text)",
        "  const [unknown] = Object.keys(rest)",
        "  if (unknown !== undefined) throw new Error(`unknown key: ${unknown}`)",
        '  if (!Number.isInteger(port) || port < 1 || port > 65535) throw new Error("port must be from 1 to 65535")',
        "  return { port }",
        "}"
      )
    }
  }
]
