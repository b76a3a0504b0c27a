/**
 * Makes every mistake of [mistakes.ts](mistakes.ts) in a third-party project and compares the messages with the table.
 */
import assert from "node:assert/strict"
import { cpSync, globSync, mkdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { type Machine, ends, repository } from "./machine.ts"
import { type MistakenPack, mistakes } from "./mistakes.ts"

/** Prints the messages of a table of mistakes by name, as JSON. */
const printed = (file: string): string => `
import { mistakes } from ${JSON.stringify(file)}
const said = {}
for (const { make, name } of mistakes) {
  try { said[name] = String(await make()) } catch (thrown) { said[name] = thrown.message }
}
console.log(JSON.stringify(said))
`

type MessagesByField = Readonly<Record<string, string>>

/** The least number of rows that name a fix. */
const minTelling = 30

/** Prints a line for each mistake. */
export const foreignMistakes = (machine: Machine, project: string, typesOf: ReadonlyArray<string>): void => {
  const messages: Readonly<Record<MistakenPack["by"], MessagesByField>> = {
    tsc: compiled(machine, project, typesOf),
    declared: ran(machine, project, "packages/tool/test/mistakes/declarations.ts"),
    called: ran(machine, project, "packages/sdk/test/mistakes/calls.ts")
  }
  let telling = 0
  for (const [index, { made, mistake }] of mistakes.entries()) {
    const tells = made.every(({ fix }) => fix !== null)
    if (tells) telling += 1
    console.log(`${String(index + 1).padStart(2)} ${tells ? "tells what to do" : "says what is wrong"}  ${mistake}`)
    for (const { by, fix, name } of made) {
      const message = messages[by][name]
      assert.ok(message !== undefined && message !== "", `${by} says nothing about ${name}`)
      if (fix !== null) assert.ok(message.includes(fix), `${by}, ${name}: no "${fix}" in: ${message}`)
      console.log(`     ${by} ${name}: ${shown(by, message)}`)
    }
  }
  assert.equal(mistakes.length, 35)
  assert.ok(telling >= minTelling, `${telling} of ${mistakes.length} tell what to do`)
}

/** The innermost reason of the compiler, and the error alone of a call. */
const shown = (by: MistakenPack["by"], message: string): string => {
  if (by === "tsc") return message.trimEnd().split("\n").at(-1)?.trim() ?? ""
  if (!message.startsWith("{")) return message
  const { error, reason } = JSON.parse(message) as { readonly error?: unknown; readonly reason?: string }
  return JSON.stringify(error ?? reason)
}

const ran = (machine: Machine, project: string, table: string): MessagesByField => {
  const file = `table-${basename(table)}`
  cpSync(join(repository, table), join(project, file))
  writeFileSync(join(project, `print-${file}`), printed(`./${file}`))
  return JSON.parse(ends(machine, ["node", `print-${file}`], { cwd: project })) as MessagesByField
}

/** Diagnostics by file. */
const compiled = (machine: Machine, project: string, typesOf: ReadonlyArray<string>): MessagesByField => {
  const folder = join(project, "compiled")
  mkdirSync(folder)
  for (const from of ["packages/tool/typetest/fixtures", "test/slow/fixtures/foreign/compiled"]) {
    cpSync(join(repository, from), folder, { recursive: true, filter: (file) => !file.endsWith("tsconfig.json") })
  }
  const files = globSync("*.ts", { cwd: folder })
  const output = ends(machine, ["tsc", "--pretty", "false", "--ignoreConfig", ...typesOf, ...files], {
    cwd: folder,
    exits: 1
  })
  const messages: Record<string, string> = {}
  for (const text of output.split(/\n(?=\S)/u)) {
    const head = /^([\w-]+)\.ts\(\d+,\d+\): error TS\d+: /u.exec(text)
    assert.ok(head !== null || text === "", `tsc: ${text}`)
    if (head !== null) messages[head[1]] = `${messages[head[1]] ?? ""}${text.slice(head[0].length)}\n`
  }
  assert.equal(messages["valid"], undefined)
  return messages
}
