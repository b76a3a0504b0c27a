/** Tasks that fix a program's errors. */
import { checkScript, lines, type Task } from "./Task.ts"

export const fixes: ReadonlyArray<Task> = [
  {
    name: "pages",
    prompt: "The last page of pageOf is missing when the list does not divide evenly. Fix it.",
    files: {
      "src/pages.js": lines(
        "export const pageCount = (items, size) => Math.floor(items.length / size)",
        "export const pageOf = (items, size, page) =>",
        "  page >= pageCount(items, size) ? [] : items.slice(page * size, page * size + size)"
      )
    },
    check: checkScript(
      'const { pageCount, pageOf } = await import("./src/pages.js")',
      "assert.equal(pageCount([1, 2, 3], 2), 2)",
      "assert.deepEqual(pageOf([1, 2, 3], 2, 1), [3])",
      "assert.deepEqual(pageOf([1, 2, 3], 2, 2), [])",
      "assert.equal(pageCount([], 2), 0)"
    ),
    solution: {
      "src/pages.js": lines(
        "export const pageCount = (items, size) => Math.ceil(items.length / size)",
        "export const pageOf = (items, size, page) =>",
        "  page >= pageCount(items, size) ? [] : items.slice(page * size, page * size + size)"
      )
    }
  },
  {
    name: "slugs",
    prompt:
      "slug() drops letters with accents and leaves dashes at the ends. It should give plain letters and no dashes at the ends.",
    files: { "src/slug.js": lines('export const slug = (title) => title.toLowerCase().replace(/[^a-z0-9]+/g, "-")') },
    check: checkScript(
      'const { slug } = await import("./src/slug.js")',
      'assert.equal(slug("Crème Brûlée!"), "creme-brulee")',
      'assert.equal(slug("  --a--b-- "), "a-b")'
    ),
    solution: {
      "src/slug.js": lines(
        "export const slug = (title) =>",
        '  title.normalize("NFD").replace(/\\p{M}/gu, "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "")'
      )
    }
  },
  {
    name: "leap-years",
    prompt: "daysIn(month, year) is wrong for February of some years. Fix it.",
    files: {
      "src/days.js": lines(
        "const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]",
        "export const daysIn = (month, year) => (month === 2 && year % 4 === 0 ? 29 : days[month - 1])"
      )
    },
    check: checkScript(
      'const { daysIn } = await import("./src/days.js")',
      "assert.deepEqual([2000, 1900, 2024, 2023].map((year) => daysIn(2, year)), [29, 28, 29, 28])",
      "assert.equal(daysIn(12, 1900), 31)"
    ),
    solution: {
      "src/days.js": lines(
        "const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]",
        "const isLeap = (year) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0",
        "export const daysIn = (month, year) => (month === 2 && isLeap(year) ? 29 : days[month - 1])"
      )
    }
  },
  {
    name: "shared-state",
    prompt: "Two carts share their items. Find out why and fix it; keep the interface.",
    files: {
      "src/cart.js": lines(
        "const empty = { items: [], total: 0 }",
        "export const makeCart = () => ({ ...empty })",
        "export const add = (cart, item) => {",
        "  cart.items.push(item)",
        "  cart.total += item.price",
        "  return cart",
        "}"
      )
    },
    check: checkScript(
      'const { add, makeCart } = await import("./src/cart.js")',
      "const [a, b] = [makeCart(), makeCart()]",
      "add(a, { price: 2 })",
      "assert.equal(a.total, 2)",
      "assert.equal(a.items.length, 1)",
      "assert.deepEqual(b.items, [])"
    ),
    solution: {
      "src/cart.js": lines(
        "export const makeCart = () => ({ items: [], total: 0 })",
        "export const add = (cart, item) => {",
        "  cart.items.push(item)",
        "  cart.total += item.price",
        "  return cart",
        "}"
      )
    }
  },
  {
    name: "sort-numbers",
    prompt: "median() is wrong for some lists and changes its argument. Fix both.",
    files: {
      "src/median.js": lines(
        "export const median = (numbers) => {",
        "  numbers.sort()",
        "  return numbers[Math.floor(numbers.length / 2)]",
        "}"
      )
    },
    check: checkScript(
      'const { median } = await import("./src/median.js")',
      "const given = [10, 9, 1]",
      "assert.equal(median(given), 9)",
      "assert.deepEqual(given, [10, 9, 1])",
      "assert.equal(median([4, 1, 3, 2]), 2.5)"
    ),
    solution: {
      "src/median.js": lines(
        "export const median = (numbers) => {",
        "  const sorted = numbers.toSorted((a, b) => a - b)",
        "  const middle = Math.floor(sorted.length / 2)",
        "  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2",
        "}"
      )
    }
  },
  {
    name: "await-in-loop",
    prompt: "copyAll() returns before the copies are made. Fix it, and let it return how many were copied.",
    files: {
      "src/copyAll.js": lines(
        "export const copyAll = async (names, copy) => {",
        "  let copied = 0",
        "  names.forEach(async (name) => {",
        "    await copy(name)",
        "    copied += 1",
        "  })",
        "  return copied",
        "}"
      )
    },
    check: checkScript(
      'const { copyAll } = await import("./src/copyAll.js")',
      "const done = []",
      "const copy = async (name) => { await null; done.push(name) }",
      'assert.equal(await copyAll(["a", "b"], copy), 2)',
      'assert.deepEqual(done.toSorted(), ["a", "b"])',
      'await assert.rejects(copyAll(["a"], async () => { throw new Error("disk") }), /disk/)'
    ),
    solution: {
      "src/copyAll.js": lines(
        "export const copyAll = async (names, copy) => {",
        "  await Promise.all(names.map((name) => copy(name)))",
        "  return names.length",
        "}"
      )
    }
  },
  {
    name: "csv-quotes",
    prompt: 'parseLine() splits fields at commas inside quotes. Support quoted fields, with "" for a quote inside.',
    files: { "src/csv.js": lines('export const parseLine = (line) => line.split(",")') },
    check: checkScript(
      'const { parseLine } = await import("./src/csv.js")',
      'assert.deepEqual(parseLine(\'a,"b,c","d""e"\'), ["a", "b,c", \'d"e\'])',
      'assert.deepEqual(parseLine("a,,b"), ["a", "", "b"])',
      'assert.deepEqual(parseLine("x,"), ["x", ""])'
    ),
    solution: {
      "src/csv.js": lines(
        "export const parseLine = (line) => {",
        '  const fields = [""]',
        "  let quoted = false",
        "  for (let at = 0; at < line.length; at++) {",
        "    const char = line[at]",
        "    if (char === '\"' && quoted && line[at + 1] === '\"') fields[fields.length - 1] += line[++at]",
        "    else if (char === '\"') quoted = !quoted",
        '    else if (char === "," && !quoted) fields.push("")',
        "    else fields[fields.length - 1] += char",
        "  }",
        "  return fields",
        "}"
      )
    }
  },
  {
    name: "deep-merge",
    prompt:
      "merge() must not let a key named __proto__ of the second object change the prototype of other objects. Keep the rest.",
    files: {
      "src/merge.js": lines(
        'const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value)',
        "export const merge = (target, source) => {",
        "  for (const key in source) {",
        "    if (isObject(source[key])) target[key] = merge(target[key] ?? {}, source[key])",
        "    else target[key] = source[key]",
        "  }",
        "  return target",
        "}"
      )
    },
    check: checkScript(
      'const { merge } = await import("./src/merge.js")',
      'merge({}, JSON.parse(\'{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}\'))',
      "assert.equal({}.polluted, undefined)",
      "assert.deepEqual(merge({ a: { b: 1 } }, { a: { c: 2 }, d: [1] }), { a: { b: 1, c: 2 }, d: [1] })"
    ),
    solution: {
      "src/merge.js": lines(
        'const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value)',
        "export const merge = (target, source) => {",
        "  for (const key of Object.keys(source)) {",
        '    if (key === "__proto__" || key === "constructor" || key === "prototype") continue',
        "    if (isObject(source[key])) target[key] = merge(target[key] ?? {}, source[key])",
        "    else target[key] = source[key]",
        "  }",
        "  return target",
        "}"
      )
    }
  },
  {
    name: "path-escape",
    prompt:
      "resolveInside(root, path) lets paths climb out of root. It must throw for those, and for roots that are a mere prefix.",
    files: {
      "src/inside.js": lines(
        'import { resolve } from "node:path"',
        "export const resolveInside = (root, path) => resolve(root, path)"
      )
    },
    check: checkScript(
      'const { resolveInside } = await import("./src/inside.js")',
      'assert.equal(resolveInside("/srv/a", "b/../c"), "/srv/a/c")',
      'assert.equal(resolveInside("/srv/a", "."), "/srv/a")',
      'for (const path of ["../x", "/etc/passwd", "../ab"]) assert.throws(() => resolveInside("/srv/a", path))'
    ),
    solution: {
      "src/inside.js": lines(
        'import { resolve, sep } from "node:path"',
        "export const resolveInside = (root, path) => {",
        "  const found = resolve(root, path)",
        "  if (found !== root && !found.startsWith(root + sep)) throw new Error(`${path} is outside of ${root}`)",
        "  return found",
        "}"
      )
    }
  }
]
