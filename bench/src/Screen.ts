/** The conversation in a terminal: the time until its prompt, its memory while idle, and the latency of a key. */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { atMost, type Benchmark, figure, type Report, type Row } from "./Benchmark.ts"
import * as Bough from "./Bough.ts"
import { check } from "./Check.ts"
import * as Memory from "./Memory.ts"
import type { Program } from "./ProgramRun.ts"
import { interleave, max, median, min, quantile } from "./Statistics.ts"
import * as TerminalRun from "./TerminalRun.ts"

const startMillis = 250
const idleMegabytes = 110
const keyMillis = 16

const piecesPerSecond = 200
const millisBetweenKeys = 97
const idleMillis = 1000
const conversationMillis = 900_000
/** After about half a minute without work the engine collects the garbage of the turns. */
const restMillis = 60_000
/**
 * The maximum growth after 500 turns: the prompt of the model and the journal's state grow with the text, the screen
 * does not.
 */
const grownMegabytes = 40
const resizeMillis = 100
/** The number of lines of history, and the number of lines per answer. */
const historyLines = 10_000
const linesOfAnswer = 500
const prompt = "›"
const controlD = "\u0004"
const controlC = "\u0003"
const controlO = "\u000F"
/** The text at the bottom of the transcript. */
const transcriptKeys = "Esc back"
/** Letters that no other part of the screen contains. */
const keys = "ψξζλπφθβ"

interface Streaming {
  readonly baseUrl: string
  readonly close: () => void
}

/**
 * Starts a model that writes Markdown and code in small pieces, without end. It answers a message that counts turns
 * with the count.
 */
const openStreaming = async (): Promise<Streaming> => {
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text
    })
    request.on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" })
      const turn = Array.from(body.matchAll(/turn (\d+)/gu)).at(-1)?.[1]
      if (body.includes(history)) finish(response, manyLines)
      else if (turn === undefined) stream(response)
      else finish(response, `**Done** with \`${turn}\`: answer ${"of many words ".repeat(20)}${turn}.`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

const words = [
  "some *words* of ",
  "a text with `code` ",
  "and **more** of it, ",
  "then a break.\n\n",
  "- an item\n\n```ts\n",
  'const size: number = measure("rows") // of the screen\n',
  "if (size > 10) return `it is ${size}`\n",
  "```\n\n"
]

const history = "write many lines"
const manyLines = Array.from(
  { length: linesOfAnswer },
  (_, at) => `- **${at}**: a line of \`history\` with words in it`
).join("\n")

const chunkOf = (content: string | null): string => {
  const choices = [
    { index: 0, delta: content === null ? {} : { content }, finish_reason: content === null ? "stop" : null }
  ]
  return `data: ${JSON.stringify({ id: "chat", object: "chat.completion.chunk", created: 0, model: "scripted", choices })}\n\n`
}

const finish = (response: ServerResponse, said: string): void => {
  response.end(`${chunkOf(said)}${chunkOf(null)}data: [DONE]\n\n`)
}

const stream = (response: ServerResponse): void => {
  const begun = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    const due = ((performance.now() - begun) / 1000) * piecesPerSecond
    for (; sent < due; sent++) {
      response.write(chunkOf(words[sent % words.length]))
    }
  }, 1)
  response.on("close", () => clearInterval(timer))
}

const empty = (program: Program): Program => ({
  ...program,
  arguments: ["-e", `process.stdout.write(${JSON.stringify(prompt)})`]
})

/** Returns a program that only echoes its input and the expected text: the cost of the terminal and its process. */
const echo = (program: Program): Program => ({
  ...program,
  arguments: [
    "-e",
    `process.stdin.setRawMode(true).on("data", (keys) => {
      const text = String(keys)
      if (text.includes("${controlD}")) process.exit()
      process.stdout.write(text.includes("${controlC}") ? "stopped" : text.includes("\\r") ? "Working" : text)
    })
    process.stdout.write(${JSON.stringify(prompt)})`
  ]
})

/** Returns the time from before the process was started to the prompt. */
const startOf = async (program: Program): Promise<number> => {
  const run = TerminalRun.start(program)
  const shownAtMillis = await run.shows(prompt)
  run.press(controlD)
  await run.ended
  return shownAtMillis - run.startedAtMillis
}

const idle = async (program: Program): Promise<Memory.Memory | null> => {
  const run = TerminalRun.start(program)
  await run.shows(prompt)
  await sleep(idleMillis)
  const memory = Memory.read(run.pid())
  run.press(controlD)
  await run.ended
  return memory
}

/** Returns the times from each key to the write that contains it, while the answer arrives. */
const keysOf = async (program: Program, count: number): Promise<ReadonlyArray<number>> => {
  const run = TerminalRun.start(program)
  await run.shows(prompt)
  const begun = run.shows("Working")
  run.press("go on\r")
  await begun
  const latencies: Array<number> = []
  for (let pressed = 0; pressed < count; pressed++) {
    await sleep(millisBetweenKeys)
    const key = keys[pressed % keys.length]
    const shown = run.shows(key)
    const pressedAtMillis = performance.now()
    run.press(key)
    latencies.push((await shown) - pressedAtMillis)
    // The line is emptied, so the same key is new on the screen when it is pressed again.
    run.press("\u0015")
  }
  const stopped = run.shows("stopped")
  run.press(controlC)
  await stopped
  run.press(controlD)
  await run.ended
  return latencies
}

interface ScreenMemory {
  readonly worked: Memory.Memory
  readonly rested: Memory.Memory
}

/**
 * Returns the memory of the program after each of these numbers of turns of one conversation, immediately and after a
 * pause.
 */
const memoryAfter = async (
  program: Program,
  turns: ReadonlyArray<number>,
  rest: number
): Promise<ReadonlyArray<ScreenMemory>> => {
  const run = TerminalRun.start(program, conversationMillis)
  await run.shows(prompt)
  const read = (): Memory.Memory => {
    const memory = Memory.read(run.pid())
    check(memory !== null, "this system does not tell what memory a process holds")
    return memory
  }
  const memories: Array<ScreenMemory> = []
  for (let turn = 1; turn <= Math.max(...turns); turn++) {
    const answered = run.shows(" out")
    run.press(`turn ${turn}\r`)
    await answered
    if (!turns.includes(turn)) continue
    const worked = read()
    await sleep(rest)
    memories.push({ worked, rested: read() })
  }
  run.press(controlD)
  await run.ended
  return memories
}

interface Resized {
  readonly prompt: ReadonlyArray<number>
  readonly transcript: ReadonlyArray<number>
}

/**
 * Returns the times from each change of the width to the frame that has it: below the history, and in the transcript
 * with the whole history.
 */
const resizesOf = async (program: Program, lines: number, count: number): Promise<Resized> => {
  const run = TerminalRun.start(program, conversationMillis)
  await run.shows(prompt)
  for (let written = 0; written < lines; written += linesOfAnswer) {
    const answered = run.shows(" out")
    run.press(`${history}\r`)
    await answered
  }
  const timesOf = async (text: string): Promise<ReadonlyArray<number>> => {
    const times: Array<number> = []
    for (let at = 0; at < count; at++) {
      await sleep(millisBetweenKeys)
      const shown = run.shows(text)
      const begunAtMillis = performance.now()
      run.resize(at % 2 === 0 ? 80 : 100)
      times.push((await shown) - begunAtMillis)
    }
    return times
  }
  const atPrompt = await timesOf(prompt)
  const opened = run.shows(transcriptKeys)
  run.press(controlO)
  await opened
  const inTranscript = await timesOf(transcriptKeys)
  const back = run.shows(prompt)
  run.press("\u001B")
  await back
  run.press(controlD)
  await run.ended
  return { prompt: atPrompt, transcript: inTranscript }
}

const measure = async (program: Program, quick: boolean): Promise<Report> => {
  const rounds = quick ? 3 : 15
  await startOf(program)
  const starts = await interleave(rounds, { bough: () => startOf(program), bare: () => startOf(empty(program)) })
  const memory = await idle(program)
  check(memory !== null, "this system does not tell what memory a process holds")
  const count = quick ? 20 : 150
  const latencies = await keysOf(program, count)
  const echoLatencies = await keysOf(echo(program), count)
  const turns = quick ? [10, 40] : [50, 500]
  const [early, late] = await memoryAfter(program, turns, quick ? idleMillis : restMillis)
  const lines = quick ? 2 * linesOfAnswer : historyLines
  const resized = await resizesOf(program, lines, quick ? 6 : 30)
  const start = median(starts.bough)
  const p95 = quantile(latencies, 0.95)
  const rows: ReadonlyArray<Row> = [
    {
      label: "start to the prompt",
      ratio: start / median(starts.bare),
      figures: [
        figure("Bough", start, "ms"),
        figure("min", min(starts.bough), "ms"),
        figure("empty process", median(starts.bare), "ms")
      ],
      aim: atMost(start, startMillis, `≤ ${startMillis} ms`)
    },
    {
      label: "idle PSS",
      ratio: null,
      figures: [figure("Bough", memory.pssMegabytes, "MB"), figure("RSS", memory.rssMegabytes, "MB")],
      aim: atMost(memory.pssMegabytes, idleMegabytes, `≤ ${idleMegabytes} MB`)
    },
    {
      label: `key to echo, ${piecesPerSecond} pieces a second of text and code`,
      ratio: median(latencies) / median(echoLatencies),
      figures: [
        figure("median", median(latencies), "ms"),
        figure("p95", p95, "ms"),
        figure("max", max(latencies), "ms"),
        figure("bare echo", median(echoLatencies), "ms"),
        figure("its p95", quantile(echoLatencies, 0.95), "ms")
      ],
      aim: atMost(p95, keyMillis, `95 of 100 ≤ ${keyMillis} ms`)
    },
    ...(["prompt", "transcript"] as const).map((shown): Row => {
      const p95Resized = quantile(resized[shown], 0.95)
      return {
        label: `resized after ${lines} lines of history, ${shown}`,
        ratio: null,
        figures: [
          figure("median", median(resized[shown]), "ms"),
          figure("p95", p95Resized, "ms"),
          figure("max", max(resized[shown]), "ms")
        ],
        aim: atMost(p95Resized, resizeMillis, `95 of 100 ≤ ${resizeMillis} ms`)
      }
    }),
    {
      label: `PSS after ${turns[1]} turns and a rest`,
      ratio: late.rested.pssMegabytes / early.rested.pssMegabytes,
      figures: [
        figure("Bough", late.rested.pssMegabytes, "MB"),
        figure("before the rest", late.worked.pssMegabytes, "MB"),
        figure(`after ${turns[0]} and a rest`, early.rested.pssMegabytes, "MB")
      ],
      aim: atMost(
        late.rested.pssMegabytes - early.rested.pssMegabytes,
        grownMegabytes,
        `at most ${grownMegabytes} MB more than after ${turns[0]}`
      )
    }
  ]
  return {
    rows,
    notes: [
      `Medians of ${rounds} interleaved runs in a terminal of 100 by 40 that \`script\` makes and passes on; its time is in all numbers.`,
      "The empty process is Node that writes one character.",
      `The rest of ${restMillis / 1000} s lets the engine collect what turns left, as it does while a person reads.`,
      "Idle: one second after the prompt. PSS as beside one other Node process, RSS as alone.",
      `A key is pressed every ${millisBetweenKeys} ms; its echo is the first write that holds it. Bare: a process that writes back what it is sent, with nothing streaming.`,
      "Resized: from before `stty` is started, whose own start is in the numbers, to the first frame of the other width; the terminal itself lays out what was printed before."
    ],
    notMeasured: ["what the terminal itself takes to draw"]
  }
}

const run: Benchmark["run"] = async ({ folder, quick }) => {
  const missing = TerminalRun.missingTool()
  if (missing !== null) return { rows: [], notes: [], notMeasured: [`the screen: ${missing}`] }
  const streaming = await openStreaming()
  const program = Bough.make(folder, Bough.chatAt(streaming.baseUrl)).converse()
  return measure(program, quick).finally(streaming.close)
}

export const benchmark: Benchmark = { name: "screen", title: "The conversation in a terminal", run }
