/**
 * Chooses a model server by its address at a first start: its models are listed if it runs on this machine, else the
 * user types the model.
 */
import type { Settings } from "@bough/host/config/Settings"
import * as ModelCandidates from "@bough/host/model/ModelCandidates"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import * as ListText from "../format/ListText.ts"
import type { Program } from "../Program.ts"

/** Null: no server was named, or none of its models was chosen. */
export const choose = Effect.fnUntraced(function* (
  program: Program,
  settings: Settings
): Effect.fn.Return<ModelCandidates.ModelCandidate | null> {
  const { output } = program
  const typed = yield* readText(program, "address, such as http://127.0.0.1:8080/v1 (Enter to go back): ")
  if (typed === "") return null
  const url = addressOf(typed)
  if (url === null) {
    output.note(`${typed} is not an address: enter one such as http://127.0.0.1:8080/v1`)
    return null
  }
  const baseUrl = url.href.replace(/\/+$/u, "")
  // Most servers answer below /v1, which is easily forgotten.
  for (const candidate of url.pathname === "/" ? [baseUrl, `${baseUrl}/v1`] : [baseUrl]) {
    const models = yield* modelsAt(program, settings, candidate)
    if (models.length > 0) return yield* byNumber(program, models)
  }
  return yield* byName(program, baseUrl)
})

const modelsAt = Effect.fnUntraced(function* (program: Program, settings: Settings, baseUrl: string) {
  const servers = yield* program.adapters.localServers({
    ...settings.providers.variables,
    OPENAI_COMPATIBLE_BASE_URL: baseUrl
  })
  const there = servers.filter((server) => server.provider === "openai-compatible" && server.baseUrl === baseUrl)
  return ModelCandidates.modelCandidates([], there)
    .slice(0, ModelCandidates.maxChoices)
    .map((candidate) => ({ ...candidate, baseUrl }))
})

/** Reads an address as people write it: a host and port without a scheme is a server that speaks plain HTTP. */
const addressOf = (typed: string): URL | null => {
  const isWhole = /^[a-z][\w+.-]*:\/\//iu.test(typed)
  if (!isWhole && !/^(?:\[[^\s/]+\]|[^\s/:@]+):\d+(?:\/\S*)?$/u.test(typed)) return null
  const url = URL.parse(isWhole ? typed : `http://${typed}`)
  return url !== null && /^https?:$/u.test(url.protocol) ? url : null
}

const readText = ({ terminal }: Program, prompt: string): Effect.Effect<string> =>
  Effect.map(terminal.readLine(Escape.line(prompt)), (line) => (line._tag === "Line" ? line.text.trim() : ""))

const byName = Effect.fnUntraced(function* (program: Program, baseUrl: string) {
  program.output.note(`${baseUrl} returns no list of models`)
  const name = yield* readText(program, "name of its model (Enter to go back): ")
  return name === "" ? null : { model: `openai-compatible/${name}`, reason: "", baseUrl }
})

const byNumber = Effect.fnUntraced(function* (
  { output, terminal }: Program,
  models: ReadonlyArray<ModelCandidates.ModelCandidate>
) {
  if (models.length === 1) return models[0]
  const listed = ListText.numberLines(models.map(({ model, reason }) => [model, reason]))
  for (const row of ListText.rows(listed, output.columns())) output.noteEscaped(row)
  const digits = models.map((_, index) => `${index + 1}`)
  const key = yield* terminal.readKey([...digits, "b"], () =>
    output.noteEscaped(text`└ 1–${digits.length} use and save as default · b back`)
  )
  return models[Number(key) - 1] ?? null
})
