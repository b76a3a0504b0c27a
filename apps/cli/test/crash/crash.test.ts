/**
 * A real process that writes files and runs commands is killed with SIGKILL at every write to its journal, before and
 * after it is durable; this process continues its work. Effects are counted in the file system.
 */
import type { Entry } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundled } from "../../../../test/bundle.ts"
import { requires } from "../../../../test/requirements.ts"
import { someOf, thorough, thoroughOnly } from "../../../../test/thorough.ts"
import { type Backend, effectsFile, lastWords, type TestFolder, withStore, workOn } from "./composition.ts"

let victim = ""

beforeAll(async () => {
  victim = await bundled(new URL("victim.ts", import.meta.url))
})

type When = "before" | "after"

interface VictimOutput {
  readonly digests: ReadonlyArray<string>
  readonly decided: ReadonlySet<string>
  readonly writes: number | null
  readonly signal: string | null
}

const runVictim = (place: TestFolder, at: number, when: When): Promise<VictimOutput> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [victim, JSON.stringify({ ...place, at, when })], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    let text = ""
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString()
    })
    child.on("close", (_, signal) => resolve(toldOf(text, signal)))
  })

const toldOf = (text: string, signal: string | null): VictimOutput => {
  const lines = text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Record<string, unknown>]))
  return {
    digests: lines.flatMap(({ digests }) => (Array.isArray(digests) ? (digests as Array<string>) : [])),
    decided: new Set(lines.flatMap(({ decided }) => (typeof decided === "string" ? [decided] : []))),
    writes: lines.flatMap(({ writes }) => (typeof writes === "number" ? [writes] : []))[0] ?? null,
    signal
  }
}

const withTestFolder = async <A>(backend: Backend, use: (place: TestFolder) => Promise<A>): Promise<A> => {
  const root = mkdtempSync(join(tmpdir(), "bough-crash-"))
  const place = { home: join(root, "home"), workspace: join(root, "workspace"), backend }
  mkdirSync(place.workspace)
  writeFileSync(join(place.workspace, "in.txt"), "hello\n")
  try {
    return await use(place)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const recover = (place: TestFolder) => {
  const requested: Array<string> = []
  const watcher = {
    onApprovalRequested: ({ approvalId }: { readonly approvalId: string }) => void requested.push(approvalId),
    onEvent: () => undefined
  }
  const work = Effect.gen(function* () {
    const store = yield* SessionStore.SessionStore
    const sessionId = yield* workOn(place, watcher)
    return {
      asked: requested,
      entries: yield* store.entries(sessionId, 0, 1000),
      summary: yield* store.session(sessionId)
    }
  })
  return Effect.runPromise(withStore(place, (store) => store, work))
}

const effects = (place: TestFolder, line: string): number => {
  const file = join(place.workspace, effectsFile)
  return existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((found) => found === line).length
    : 0
}

const killedAt = (backend: Backend, at: number, when: When) =>
  withTestFolder(backend, async (place) => {
    const victimOutput = await runVictim(place, at, when)
    const label = `${backend}, ${when} write ${at}`
    assert.strictEqual(victimOutput.signal, "SIGKILL", label)
    const { asked, entries } = await recover(place)
    const before = entries.slice(0, victimOutput.digests.length)
    assert.deepStrictEqual(
      before.map(({ digest }) => digest),
      victimOutput.digests,
      `${label}: what was acknowledged is there`
    )
    checkEffects(label, place, { before, entries })
    assert.strictEqual(lastText(entries), lastWords, label)
    assert.deepStrictEqual(
      asked.filter((id) => victimOutput.decided.has(id)),
      [],
      `${label}: decided is not asked again`
    )
    assert.strictEqual(readFileSync(join(place.workspace, "out.txt"), "utf8"), "written\n", label)
  })

interface Journal {
  readonly before: ReadonlyArray<Entry.Entry>
  readonly entries: ReadonlyArray<Entry.Entry>
}

const checkEffects = (label: string, place: TestFolder, { before, entries }: Journal) => {
  const calls = entries
    .flatMap(({ body }) => (body._tag === "ModelReplied" ? body.parts : []))
    .flatMap((part) => (part._tag === "ToolCall" ? [part] : []))
  for (const { arguments: text, name, toolCallId } of calls) {
    const ends = entries.flatMap(({ body }) =>
      body._tag === "CallEnded" && body.toolCallId === toolCallId ? [body] : []
    )
    assert.strictEqual(ends.length, 1, `${label}: ${name} has one end`)
    if (name !== "run_command") continue
    const line = text.includes("echo one") ? "one" : "two"
    const times = effects(place, line)
    const wasStarted = before.some(({ body }) => body._tag === "CallStarted" && body.toolCallId === toolCallId)
    assert.isTrue(times <= 1, `${label}: ${line} happened ${times} times`)
    const { outcome } = ends[0]
    const isRight = outcome._tag === "Unknown" ? wasStarted : outcome._tag === "Succeeded" && times === 1
    assert.isTrue(isRight, `${label}: ${line} happened ${times} times and ended as ${JSON.stringify(outcome)}`)
  }
}

const lastText = (entries: ReadonlyArray<Entry.Entry>): string => {
  const replies = entries.flatMap(({ body }) => (body._tag === "ModelReplied" ? [body] : []))
  return (
    replies
      .at(-1)
      ?.parts.flatMap((part) => (part._tag === "Text" ? [part.text] : []))
      .join("") ?? ""
  )
}

/** Returns the number of crash points. */
const everyPoint = async (backend: Backend): Promise<number> => {
  const whole = await withTestFolder(backend, (place) => runVictim(place, 0, "before"))
  if (whole.writes === null) return assert.fail("a run that nobody kills does not end")
  const all = Array.from({ length: whole.writes }, (_, index) => index + 1).flatMap((at) =>
    (["before", "after"] as const).map((when) => ({ at, when }))
  )
  const points = [...someOf(all, 2)]
  while (points.length > 0) {
    await Promise.all(points.splice(0, 2).map(({ at, when }) => killedAt(backend, at, when)))
  }
  return 2 * whole.writes
}

const bubblewrap = requires("bubblewrap")

describe("A process killed at every write", () => {
  it("with approved commands on the host: no entry is lost, no effect happens twice", thoroughOnly, async () => {
    assert.isAbove(await everyPoint("host"), 30)
  })
})

describe.skipIf(bubblewrap.skip)(`A process killed at every write, sandboxed${bubblewrap.suffix}`, () => {
  it("no entry is lost, no effect happens twice", thorough, async () => {
    assert.isAbove(await everyPoint("bubblewrap"), 25)
  })
})
