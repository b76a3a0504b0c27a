/** The documents match the repository: decisions are numbered and complete, links have targets, no machine is named. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { files, root, text } from "./repository.ts"

const decisions = files.filter((file) => /^adr\/\d{4}-.*\.md$/.test(file))
const headings = ["Context", "Decision", "Alternatives", "Consequences"]
const documents = files.filter((file) => file.endsWith(".md"))

/** Targets of relative links and images, without their fragment. */
const linksOf = (document: string): ReadonlyArray<string> =>
  [...text(document).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => (target ?? "").replace(/#.*$/, ""))
    .filter((target) => target !== "" && !/^[a-z]+:/.test(target))

describe("documents", () => {
  it("number the decisions without a gap", () => {
    assert.deepStrictEqual(
      decisions.map((file) => Number(file.slice(4, 8))),
      decisions.map((_, index) => index + 1)
    )
  })

  it("list every decision in the index, with its title and status", () => {
    const indexed = [...text("adr/README.md").matchAll(/^\| \[\d{4}\]\((\S+)\) +\| (.+?) +\| (.+?) +\|$/gm)]
    assert.deepStrictEqual(
      indexed.map(([, file, title, status]) => ({ file: `adr/${file}`, title, status })),
      decisions.map((file) => ({
        file,
        title: /^# \d{4}: (.+)$/m.exec(text(file))?.[1],
        status: /^- Status: (.+)$/m.exec(text(file))?.[1]
      }))
    )
  })

  it("state in each decision its result, date and alternatives", () => {
    const parts = [
      /^# \d{4}: .+\n/,
      /^- Status: (proposed|accepted|superseded by \d{4})$/m,
      /^- Date: \d{4}-\d{2}-\d{2}$/m,
      ...headings.map((heading) => new RegExp(`^## ${heading}\n\n\\S`, "m"))
    ]
    assert.deepStrictEqual(
      decisions.flatMap((file) => parts.filter((part) => !part.test(text(file))).map((part) => `${file}: ${part}`)),
      []
    )
  })

  it("have in each decision one text in one order, without amendments beside it", () => {
    assert.deepStrictEqual(
      decisions.map((file) => [file, ...[...text(file).matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)]),
      decisions.map((file) => [file, ...headings])
    )
  })

  it("cite only decisions that exist", () => {
    const cited = files
      .filter((file) => /\.(ts|tsx|md|json|sh)$/.test(file))
      .flatMap((file) => [...text(file).matchAll(/\badr\/\d{4}-[\w-]+\.md/g)].map(([path]) => `${file}: ${path}`))
    assert.deepStrictEqual(
      cited.filter((entry) => !files.includes(entry.slice(entry.indexOf(": ") + 2))),
      []
    )
  })

  it("link only to files that exist", () => {
    assert.deepStrictEqual(
      documents.flatMap((document) =>
        linksOf(document)
          .filter((target) => !existsSync(join(root, dirname(document), target)))
          .map((target) => `${document}: ${target}`)
      ),
      []
    )
  })

  it("name existing tests, by their full names", () => {
    const document = "docs/promises.md"
    const rows = text(document)
      .split("\n")
      .filter((line) => line.startsWith("| ") && !/^\| (promise|---)/.test(line))
    const named = rows.map((row) => [...row.matchAll(/\[([^\]]+)\]\(\.\.\/([^)]+)\)/g)])
    assert.isAbove(rows.length, 0)
    assert.deepStrictEqual(
      rows.filter((_, index) => named[index]?.length === 0),
      []
    )
    assert.deepStrictEqual(
      named
        .flat()
        .filter(
          ([, name = "", file = ""]) =>
            !files.includes(file) || !['"', "`"].some((quote) => text(file).includes(quote + name + quote))
        )
        .map(([, name, file]) => `${file}: ${name}`),
      []
    )
  })

  it("give as evidence for a feature of the terminal only tests that exist", () => {
    const named = [
      ...text("docs/terminal-features.md").matchAll(
        /`((?:[\w.-]+\/)*[\w-]+\.(?:test\.ts|ts|txt)|crash|(?:packages|apps)\/[\w/-]+)`/gu
      )
    ]
      .map(([, path = ""]) => path)
      .filter((path) => /\/|\.test\.ts$|^crash$/u.test(path))
    assert.isAbove(named.length, 80)
    assert.deepStrictEqual(
      named.filter(
        (path) => !existsSync(join(root, /^(?:packages|apps|test)\//u.test(path) ? path : `apps/cli/test/${path}`))
      ),
      []
    )
  })

  it("show code that is a file of the repository", () => {
    const shown = documents.flatMap((document) =>
      [...text(document).matchAll(/^```ts file=(\S+)\n([\s\S]*?)^```$/gm)].map(([, file = "", code = ""]) => ({
        document,
        file,
        code
      }))
    )
    assert.isAbove(shown.length, 0)
    assert.deepStrictEqual(
      shown
        .filter(({ code, file }) => !files.includes(file) || text(file) !== code)
        .map(({ document, file }) => `${document}: ${file}`),
      []
    )
  })

  it("show in each package's README a program that imports it by its name", () => {
    const readmes = documents.filter((document) => /^(packages|apps)\/[^/]+\/README\.md$/.test(document))
    const programs = (readme: string) => [...text(readme).matchAll(/^```ts(?: run)?\n([\s\S]*?)^```$/gm)].join("\n")
    const nameOf = (folder: string) => (JSON.parse(text(`${folder}/package.json`)) as { readonly name: string }).name
    assert.isAbove(readmes.length, 10)
    assert.deepStrictEqual(
      readmes.filter((readme) => !programs(readme).includes(`from "${nameOf(dirname(readme))}`)),
      []
    )
  })

  it("name no machine path and no package registry", () => {
    // Put together from pieces, so that this file passes too.
    const forbidden = [
      ["/wo", "rk/(main|shared)"],
      ["\\.\\./sha", "red/"],
      ["regis", "try\\.(npm|yarn)"],
      ["(?<!\\w)/ro", "ot/\\w"]
    ]
    // The second one is data: the registries that an operator opens to commands by name.
    const namesRegistries = new Set(["pnpm-lock.yaml", "packages/network/src/proxy/Registries.ts"])
    const pattern = new RegExp(forbidden.map((pieces) => pieces.join("")).join("|"))
    assert.deepStrictEqual(
      files
        .filter((file) => !/\.(png|jsonl)$/.test(file) && !namesRegistries.has(file))
        .flatMap((file) =>
          text(file)
            .split("\n")
            .map((line, index) => `${file}:${index + 1} ${line.trim()}`)
            .filter((line) => pattern.test(line))
        ),
      []
    )
  })
})
