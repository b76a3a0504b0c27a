/**
 * Sends requests to one provider's server, alternately through Bough's port and without it, and prints the processor
 * time of each reply. With the origin "memory" no request is sent: the bridge reads prepared parts. node
 * modelReplies.ts PROVIDER ORIGIN PIECES ROUNDS /
 */
import * as AiSdkBridge from "@bough/models/AiSdkBridge"
import type { Model } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { cpuUsage, stdout } from "node:process"
import { check } from "../Check.ts"
import { piece } from "../models/Answer.ts"
import * as Bare from "../models/Bare.ts"
import { dialectOf, key, type Name, names } from "../models/Providers.ts"

/** The processor time of each reply, in order. */
export interface Replies {
  readonly boughMicros: ReadonlyArray<number>
  readonly bareMicros: ReadonlyArray<number>
}

const [given, origin, ...numbers] = process.argv.slice(2)
const [pieces, rounds] = numbers.map(Number)
const name: Name = names.find((known) => known === given) ?? "openai-compatible"

/** The replies before the clock starts: they compile the code, as in a long-running process. */
const warmUp = 50

type Item =
  | { readonly done: false; readonly value: Extract<AiSdkBridge.Item, { readonly done: false }>["values"][number] }
  | { readonly done: true }

/** The parts of an answer, one at a time, without a server. */
const inMemory = (): (() => Promise<Item>) => {
  let count = 0
  return () => {
    count += 1
    if (count <= pieces) {
      return Promise.resolve({ done: false, value: { type: "text-delta", id: "text", delta: piece } })
    }
    return Promise.resolve(count === pieces + 1 ? { done: false, value: finish } : { done: true })
  }
}

/** The same parts, as the bridge reads them. */
const clientInMemory: AiSdkBridge.Client = {
  ask: () => {
    const read = inMemory()
    return Promise.resolve({
      contentType: "text/event-stream",
      read: () => read().then((item) => (item.done ? item : { done: false, values: [item.value] }))
    })
  }
}

const finish = {
  type: "finish",
  finishReason: { unified: "stop", raw: "stop" },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 }
  }
} as const

const modelInMemory = AiSdkBridge.make({
  provider: { model: "memory/none", baseUrl: "", keyName: "", baseUrlName: "", secrets: [] },
  contextTokens: null,
  price: null,
  manners: AiSdkBridge.plainManners,
  load: Effect.succeed(clientInMemory)
})

const dialect = dialectOf(name)
const model =
  origin === "memory"
    ? modelInMemory
    : await Effect.runPromise(
        dialect.provider.make({
          name: dialect.model,
          model: dialect.model.slice(dialect.model.indexOf("/") + 1),
          environment: dialect.environment(origin, key),
          price: null,
          contextTokens: null,
          effort: null
        })
      )
const askBare: Bare.Ask = origin === "memory" ? () => Promise.resolve(inMemory()) : Bare.make(name, origin)

const prompt: Model.Prompt = { system: "", messages: [{ _tag: "User", text: "hi", media: [] }], tools: [] }

const throughOurs = async (): Promise<string> => {
  let text = ""
  const show = (part: Model.ModelPart): Effect.Effect<void> => {
    if (part._tag === "Text") text += part.text
    return Effect.void
  }
  await Effect.runPromise(Stream.runForEach(model.stream(prompt), show))
  return text
}

const bare = async (): Promise<string> => Bare.readAll(await askBare())

const measure = async (reply: () => Promise<string>): Promise<number> => {
  const before = cpuUsage()
  const text = await reply()
  const { system, user } = cpuUsage(before)
  check(text === piece.repeat(pieces), `the answer was read as ${JSON.stringify(text.slice(0, 100))}…`)
  return user + system
}

const boughMicros: Array<number> = []
const bareMicros: Array<number> = []
for (let round = 0; round < warmUp + rounds; round++) {
  const [ours, theirs] = [await measure(throughOurs), await measure(bare)]
  if (round < warmUp) continue
  boughMicros.push(ours)
  bareMicros.push(theirs)
}
stdout.write(JSON.stringify({ boughMicros, bareMicros } satisfies Replies))
process.exit()
