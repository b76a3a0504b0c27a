/** Google's Gemini, as a stream. Calls come unfragmented: a cut one is a line that breaks off. */
import * as Google from "../../src/Google.ts"
import { type Body, type Dialect, event, joined, type Reply, type ReplyPart, type Stream } from "./Dialect.ts"

const content = (part: unknown) => ({ candidates: [{ index: 0, content: { role: "model", parts: [part] } }] })

const chunks = (part: ReplyPart): ReadonlyArray<string> => {
  if (part.is === "text") return [event(content({ text: part.text }))]
  if (part.is === "reasoning") {
    return [
      event(content({ text: part.text, thought: true })),
      event(content({ text: "", thought: true, thoughtSignature: part.signature }))
    ]
  }
  const args = part.open === true ? {} : JSON.parse(joined(part))
  const signature = part.signature === undefined ? {} : { thoughtSignature: part.signature }
  const text = event(content({ functionCall: { id: part.id, name: part.name, args }, ...signature }))
  return [part.open === true ? text.slice(0, text.indexOf("args") + 8) : text]
}

const finish = { stop: "STOP", calls: "STOP", length: "MAX_TOKENS" }

const encode = ({ ends, said, tokens }: Reply): Stream => ({
  body: said.flatMap(chunks),
  closing: [
    event({
      candidates: [{ index: 0, content: { role: "model", parts: [{ text: "" }] }, finishReason: finish[ends] }],
      usageMetadata: {
        promptTokenCount: tokens.input,
        cachedContentTokenCount: tokens.cached,
        candidatesTokenCount: tokens.output,
        totalTokenCount: tokens.input + tokens.output
      }
    })
  ]
})

const parts = (body: Body): Array<Body> => body.contents.flatMap((message: Body) => message.parts)

export const dialect: Dialect = {
  provider: Google.provider,
  model: "google/gemini-2.5-flash",
  environment: (origin, key) => ({ GOOGLE_GENERATIVE_AI_BASE_URL: origin, GOOGLE_GENERATIVE_AI_API_KEY: key }),
  path: /^\/v1beta\/models\/gemini-2\.5-flash:streamGenerateContent\?alt=sse$/,
  keyHeader: "x-goog-api-key",
  contentType: "text/event-stream",
  encode,
  failure: (code, message) => ({ error: { code, message, status: "FAILED" } }),
  overload: (message) => event({ error: { code: 503, message, status: "UNAVAILABLE" } }),
  writesArguments: false,
  reasons: true,
  results: (body) =>
    parts(body).flatMap(({ functionResponse }) =>
      functionResponse === undefined ? [] : [JSON.stringify(functionResponse)]
    ),
  signatures: (body) =>
    parts(body).flatMap(({ thoughtSignature }) => (thoughtSignature === undefined ? [] : [String(thoughtSignature)])),
  tools: (body) => body.tools,
  countsWritten: false,
  limit: (body) => body.generationConfig?.maxOutputTokens
}
