/** Describes a provider's failure in one line, with the next step for the user. */
import { Model } from "@bough/runtime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { retryAfterMillis, retryDelayMillis } from "./RetryAfter.ts"

/** The name of a provider in messages, and the settings that a user can check or change. */
export interface Provider {
  /** `provider/model`. */
  readonly model: string
  /** The address for requests, without credentials. */
  readonly baseUrl: string
  /** The variable that contains the key, such as `OPENAI_API_KEY`. */
  readonly keyName: string
  readonly baseUrlName: string
  /** Texts that must not appear in a message. */
  readonly secrets: ReadonlyArray<string>
}

export interface FailureCase {
  readonly reason: Model.ModelFailure
  readonly message: string
  readonly hint: string
  readonly retryable?: boolean
}

const Fault = Schema.Struct({
  message: Schema.optional(Schema.String),
  name: Schema.optional(Schema.String),
  code: Schema.optional(Schema.NullOr(Schema.Union([Schema.String, Schema.Finite]))),
  statusCode: Schema.optional(Schema.Finite),
  responseHeaders: Schema.optional(Schema.Record(Schema.String, Schema.String)),
  responseBody: Schema.optional(Schema.String),
  cause: Schema.optional(Schema.Unknown)
})
type Fault = typeof Fault.Type

/** Translates a value that a provider's code threw or reported. A Retry-After date counts from `nowMillis`. */
export const toModelError = (provider: Provider, error: unknown, nowMillis: number): Model.ModelError => {
  if (error instanceof Model.ModelError) return error
  const chain = causeChain(error)
  const status = chain.find((fault) => fault.statusCode !== undefined && fault.statusCode >= 300)
  const headers = status?.responseHeaders ?? {}
  return report(
    provider,
    networkCase(provider, chain) ?? (status === undefined ? reportedCase(chain) : statusCase(provider, status)),
    retryAfterMillis(headers, nowMillis) ?? retryDelayMillis(status?.responseBody)
  )
}

/** True if a stream was truncated: the connection was lost, or the server ended the stream without its final event. */
export const isCut = (error: unknown): boolean =>
  causeChain(error).some(
    ({ code, message = "" }) =>
      /ended without a finish reason|premature close|incomplete .*frame/i.test(message) || cutCodes.has(String(code))
  )

const cutCodes = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT", "ERR_STREAM_PREMATURE_CLOSE"])

/** The stream ended prematurely: in the call of the named tool, or in text. */
export const cut = (provider: Provider, tool: string | null): Model.ModelError =>
  report(
    provider,
    {
      reason: "StreamCut",
      message: `the response was cut off${tool === null ? "" : ` inside a call of ${tool}`}`,
      hint: 'nothing in it was executed; send "continue" to retry',
      retryable: true
    },
    null
  )

/** The reply was silent for too long, although the connection is open. */
export const silent = (provider: Provider, idleMillis: number): Model.ModelError =>
  report(
    provider,
    {
      reason: "StreamCut",
      message: `the response was cut off: no data for ${Math.round(idleMillis / 1000)} s`,
      hint: 'nothing in it was executed; send "continue" to retry',
      retryable: true
    },
    null
  )

/** The status is good, but the media type is wrong. */
export const notAStream = (provider: Provider, contentType: string): Model.ModelError =>
  report(provider, notEvents(provider, /html/i.test(contentType) ? "a web page" : contentType), null)

/** A key is needed but not configured; no request was sent. */
export const missingKey = (provider: Provider): Model.ModelError =>
  report(
    provider,
    {
      reason: "MissingKey",
      message: `no API key for ${provider.baseUrl}`,
      hint: `set ${provider.keyName}, or use --model offline/planner`
    },
    null
  )

/** The configured `baseUrl` is empty or no http address; no request was sent. */
export const noAddress = (provider: Provider, baseUrl: string): Model.ModelError =>
  report(
    provider,
    {
      reason: "Unreachable",
      message: baseUrl === "" ? "no address is configured" : `${provider.baseUrl} is not an http address`,
      hint: `set ${provider.baseUrlName} to something like http://127.0.0.1:11434/v1`
    },
    null
  )

/**
 * Converts a failure for the port: one line each for message and hint, without the provider's secrets.
 * `retryAfterMillis`: the pause that the provider asks for; null: none.
 */
export const report = (provider: Provider, failure: FailureCase, retryAfterMillis: number | null): Model.ModelError =>
  new Model.ModelError({
    reason: failure.reason,
    model: provider.model,
    message: oneLine(`${provider.model}: ${failure.message}`, provider.secrets),
    hint: oneLine(failure.hint, provider.secrets),
    retryable: failure.retryable ?? false,
    retryAfterMillis
  })

const decode = Schema.decodeUnknownOption(Fault)
const decodeMessage = Schema.decodeUnknownOption(Schema.Struct({ message: Schema.String }))

/** The error and its causes, outermost first. */
const causeChain = (error: unknown): ReadonlyArray<Fault> => {
  const chain: Array<Fault> = []
  for (let current = error; current !== undefined && current !== null && chain.length < 8;) {
    // An error reported inside a stream may have any shape; its message is still useful.
    const fault = Option.getOrElse(decode(current), (): Fault =>
      Option.getOrElse(decodeMessage(current), () => ({ message: String(current) }))
    )
    chain.push(fault)
    current = fault.cause
  }
  return chain
}

const networkCase = (provider: Provider, chain: ReadonlyArray<Fault>): FailureCase | null => {
  const code = chain.map((fault) => fault.code).find((code) => typeof code === "string" && code in network)
  return code === undefined ? null : network[code as keyof typeof network](provider)
}

const unreachable = (message: string, hint: string, retryable = true): FailureCase => ({
  reason: "Unreachable",
  message,
  hint,
  retryable
})

const certificate = (provider: Provider): FailureCase =>
  unreachable(
    `the certificate of ${provider.baseUrl} is not trusted`,
    "check the address, or NODE_EXTRA_CA_CERTS",
    false
  )
const connectionClosed = (provider: Provider): FailureCase =>
  unreachable(`${provider.baseUrl} closed the connection before it answered`, "ask again")
const hostUnknown = (provider: Provider): FailureCase =>
  unreachable(`the host of ${provider.baseUrl} is not known`, `check ${provider.baseUrlName} and the network`)
const hostUnreachable = (provider: Provider): FailureCase =>
  unreachable(`${provider.baseUrl} cannot be reached`, `check ${provider.baseUrlName} and the network`)
const timedOut = (provider: Provider): FailureCase =>
  unreachable(`${provider.baseUrl} did not answer in time`, "ask again, or choose a faster model")

const network = {
  ECONNREFUSED: (provider: Provider): FailureCase =>
    unreachable(
      `nothing listens at ${provider.baseUrl}: connection refused`,
      `start the server, or check ${provider.baseUrlName}`
    ),
  ENOTFOUND: hostUnknown,
  EAI_AGAIN: hostUnknown,
  ENETUNREACH: hostUnreachable,
  EHOSTUNREACH: hostUnreachable,
  ECONNRESET: connectionClosed,
  EPIPE: connectionClosed,
  ETIMEDOUT: timedOut,
  EMSGSIZE: (provider: Provider): FailureCase => ({
    reason: "StreamCut",
    message: `the answer of ${provider.baseUrl} was cut off: it has a line without end`,
    hint: "no call of it was run; try another model"
  }),
  CERT_HAS_EXPIRED: certificate,
  DEPTH_ZERO_SELF_SIGNED_CERT: certificate,
  SELF_SIGNED_CERT_IN_CHAIN: certificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: certificate,
  ERR_TLS_CERT_ALTNAME_INVALID: certificate
}

const tooLong = /context.?(length|window|size)|maximum context|too many (input )?tokens|prompt (is )?too long/i
const noEffort = /reasoning[._ ]effort|does not support thinking|output_config\.effort|thinking_?(level|budget)/i
const noQuota = /insufficient_quota|exceeded your current quota|billing|insufficient credits/i
const noModel = /model_not_found|model .*(not found|does not exist)|no such model|unknown model/i

const statusCase = (provider: Provider, fault: Fault): FailureCase => {
  const status = fault.statusCode!
  const answer = isPage(fault) ? "a web page" : (fault.message ?? "nothing")
  const all = `${answer} ${fault.responseBody ?? ""}`
  const answered = `${provider.baseUrl} answered ${status}: ${answer}`
  if (status < 400) {
    const location = fault.responseHeaders?.["location"] ?? "elsewhere"
    return {
      reason: "BadResponse",
      message: `${provider.baseUrl} redirects to ${location}`,
      hint: `set ${provider.baseUrlName} to the address of the API`
    }
  }
  if (status >= 500) {
    return { reason: "ServerFailed", message: answered, hint: "ask again later", retryable: status !== 501 }
  }
  if (tooLong.test(all) || status === 413) return tooLongCase(answer)
  if (status === 401) return { reason: "Refused", message: answered, hint: `check ${provider.keyName}` }
  if (status === 402 || noQuota.test(all)) {
    return { reason: "Refused", message: answered, hint: "the account has no credit left: check its billing" }
  }
  if (status === 403) {
    return { reason: "Refused", message: answered, hint: `check the permissions of ${provider.keyName}` }
  }
  if (isPage(fault)) return notEvents(provider, "a web page")
  if (status === 404 || noModel.test(all)) {
    return {
      reason: "UnknownModel",
      message: answered,
      hint: `check the model's name, and that ${provider.baseUrlName} ends where the API begins (often in /v1)`
    }
  }
  if (status === 429) {
    return { reason: "RateLimited", message: answered, hint: "wait, or choose another model", retryable: true }
  }
  if (status === 408 || status === 409 || status === 424 || status === 425) {
    return { reason: "ServerFailed", message: answered, hint: "ask again", retryable: true }
  }
  if (noEffort.test(all)) {
    return { reason: "Unsupported", message: answered, hint: "choose another --effort for this model, or none at all" }
  }
  return {
    reason: "Unsupported",
    message: answered,
    hint: "the provider does not take this request: try another model"
  }
}

/**
 * Returns the reason for an error that a successful response reported inside its stream, or that was thrown without a
 * status.
 */
const reportedCase = (chain: ReadonlyArray<Fault>): FailureCase => {
  const fault = chain[0] ?? {}
  const detail = fault.message ?? "no message"
  const all = `${fault.name ?? ""} ${fault.code ?? ""} ${detail}`
  // Anthropic's package reports a "normalized … stream error" if it does not know the first event, and drops that
  // event.
  if (/JSONParse|TypeValidation|InvalidResponseData|normalized .* stream error/i.test(all)) {
    return {
      reason: "BadResponse",
      message: `the response does not follow its API: ${/normalized/.test(detail) ? "unknown events" : detail}`,
      hint: "check that the server speaks this API; if it does, ask again"
    }
  }
  if (/UnsupportedFunctionality/i.test(all)) {
    return { reason: "Unsupported", message: detail, hint: "choose a model that supports it" }
  }
  if (tooLong.test(all)) return tooLongCase(detail)
  if (noQuota.test(all)) return { reason: "Refused", message: detail, hint: "check the account's billing" }
  if (/rate.?limit|\b429\b|too many requests/i.test(all)) {
    return { reason: "RateLimited", message: detail, hint: "wait, or choose another model", retryable: true }
  }
  return { reason: "ServerFailed", message: detail, hint: "ask again", retryable: true }
}

const tooLongCase = (said: string): FailureCase => ({
  reason: "TooLong",
  message: `the conversation does not fit the model: ${said}`,
  hint: "start a new session, or choose a model with a larger context"
})

const notEvents = (provider: Provider, fault: string): FailureCase => ({
  reason: "BadResponse",
  message: `${provider.baseUrl} answered with ${fault} instead of a stream of events`,
  hint: `check ${provider.baseUrlName}: it must end where the API begins (often in /v1)`
})

const isPage = (fault: Fault): boolean =>
  /html/i.test(fault.responseHeaders?.["content-type"] ?? "") || /^\s*<(!doctype|html)/i.test(fault.responseBody ?? "")

const maxLineLength = 400

const oneLine = (text: string, secrets: ReadonlyArray<string>): string => {
  const clean = secrets.reduce(redact, text).replaceAll(/\s+/g, " ").trim()
  return clean.length <= maxLineLength ? clean : `${clean.slice(0, maxLineLength)}…`
}

/**
 * The shortest secret that is redacted inside words. A shorter one is often an ordinary word: it is redacted only as a
 * whole word, and not at all if it has just a few letters.
 */
const minLengthWithin = 8
const minLength = 4

const inWord = /[\w\u0080-\uffff]/

const redact = (text: string, secret: string): string => {
  if (secret.length < minLength) return text
  if (secret.length >= minLengthWithin) return text.replaceAll(secret, "[redacted]")
  return text.replaceAll(secret, (found, at: number) =>
    inWord.test(text.charAt(at - 1)) || inWord.test(text.charAt(at + found.length)) ? found : "[redacted]"
  )
}
