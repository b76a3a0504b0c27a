/**
 * The longest time for which a tool blocks the event loop, Ctrl-C included, on the worst input that its bounds allow:
 * processor time between two turns of the event loop, so that a busy machine does not count.
 */
import { DataPack } from "@bough/pack-data"
import { FilesPack } from "@bough/pack-files"
import { open } from "@bough/sdk"
import { ToolPack } from "@bough/tool"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { atMost, type Benchmark, figure, type Report, type Row } from "./Benchmark.ts"
import { check } from "./Check.ts"

/** A delay that a user does not notice. */
const limitMillis = 200

const mebibyte = 1024 ** 2

interface Case {
  readonly label: string
  /** The file that exists before the call. */
  readonly file: string
  readonly tool:
    | "edit_file"
    | "write_file"
    | "read_file"
    | "search_files"
    | "parse_json"
    | "format_json"
    | "decode_base64"
  readonly arguments: unknown
}

const cpuMillis = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}

/** Returns the longest turn of the event loop until the work has ended. */
const longestTurn = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0
  let isOver = false
  let before = cpuMillis()
  const turn = (): void => {
    const now = cpuMillis()
    longest = Math.max(longest, now - before)
    before = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work().finally(() => {
    isOver = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  return longest
}

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("")

const cases = (): ReadonlyArray<Case> => {
  const marked = lines(200, (at) => `<${at}>${"x".repeat(80 * 1024)}\n`)
  const edits = Array.from({ length: 200 }, (_, at) => ({ old: `<${at}>`, new: `[${at}]` }))
  const long = lines(2 * mebibyte, () => "a\n")
  const edit = (label: string, file: string, value: unknown): Case => ({
    label,
    file,
    tool: "edit_file",
    arguments: { path: "file", edits: value }
  })
  return [
    edit("200 edits in a file of 16 MiB", marked, edits),
    edit("an edit in 4 MiB of short lines with CRLF", `${lines(mebibyte, () => "a\r\n")}<b>`, [
      { old: "<b>", new: "c" }
    ]),
    edit("a passage that is there a million times", "a".repeat(mebibyte), [{ old: "a".repeat(1000), new: "b" }]),
    edit(
      "a passage that is almost there, line by line",
      lines(100_000, () => "a\n"),
      [{ old: `${lines(50_000, () => "a\n")}b`, new: "c" }]
    ),
    edit(
      "6,000 edits of nothing that is there",
      "a",
      Array.from({ length: 6_000 }, () => ({ old: "b", new: "c" }))
    ),
    {
      label: "4 MiB of other lines written over a file of 4 MiB",
      file: long,
      tool: "write_file",
      arguments: { path: "file", content: lines(2 * mebibyte, () => "b\n") }
    },
    {
      label: "9,000 lines written over 9,000 others",
      file: lines(9_000, (at) => `${at % 2}\n`),
      tool: "write_file",
      arguments: { path: "file", content: lines(9_000, (at) => `${(at >> 1) % 2}\n`) }
    },
    { label: "50,000 numbers as JSON", file: "", tool: "parse_json", arguments: { text: `[${"1,".repeat(49_000)}1]` } },
    {
      label: "500,000 numbers as JSON",
      file: "",
      tool: "parse_json",
      arguments: { text: `[${"1,".repeat(500_000)}1]` }
    },
    {
      label: "a JSON value of 500,000 parts",
      file: "",
      tool: "format_json",
      arguments: { value: Array.from({ length: 500_000 }, () => 1) }
    },
    {
      label: "19,000 unknown keys",
      file: "",
      tool: "read_file",
      arguments: { path: "file", ...Object.fromEntries(Array.from({ length: 19_000 }, (_, at) => [`pth${at}`, 1])) }
    },
    {
      label: "4 MiB of base64",
      file: "",
      tool: "decode_base64",
      arguments: { base64: "QUFB".repeat(mebibyte), alphabet: "standard" }
    },
    {
      label: "a search for a pattern that goes back, in 4 MiB",
      file: "a".repeat(4 * mebibyte),
      tool: "search_files",
      arguments: { pattern: "(a+)+b", path: "." }
    },
    {
      label: "a page of one line of 4 MiB",
      file: "a".repeat(4 * mebibyte),
      tool: "read_file",
      arguments: { path: "file" }
    }
  ]
}

const pack = ToolPack.merge(FilesPack.all, DataPack.all)

const run: Benchmark["run"] = async ({ folder }): Promise<Report> => {
  await using tools = await open(pack, { root: folder, approve: () => true })
  // Loaded and compiled before the measurement starts.
  writeFileSync(join(folder, "file"), "a\n")
  await tools.call("edit_file", { path: "file", edits: [{ old: "a", new: "b" }] })
  const rows: Array<Row> = []
  for (const { arguments: callArguments, file, label, tool } of cases()) {
    writeFileSync(join(folder, "file"), file)
    let status = ""
    const millis = await longestTurn(() =>
      tools.call(tool, callArguments as never).then((envelope) => (status = envelope.status))
    )
    check(status !== "", `${label}: no answer`)
    rows.push({
      label,
      ratio: null,
      figures: [figure("longest turn", millis, "ms")],
      aim: atMost(millis, limitMillis, `≤ ${limitMillis} ms`)
    })
  }
  return {
    rows,
    notes: ["Processor time of the main thread between two turns of its event loop, the longest of each call."],
    notMeasured: []
  }
}

export const benchmark: Benchmark = { name: "blocks", title: "How long a call lets nothing else be heard", run }
