/** Error responses of the gateway as errors. */

/** A response in the form of RFC 9457. Programs should use `code`; `detail` is for users. */
export interface Problem {
  readonly status: number
  readonly title: string
  readonly code?: string
  readonly detail?: string
  readonly retryAfterSeconds?: number
  /** True if the same request can succeed after a pause. */
  readonly recoverable?: boolean
}

/** Statuses of a gateway or proxy that is temporarily unavailable or limits requests; 0: there was no response. */
const passing: ReadonlySet<number> = new Set([0, 429, 502, 503, 504])

/** The gateway refused a request, or could not be reached; in the second case `status` is 0. */
export class GatewayError extends Error {
  override readonly name = "GatewayError"
  readonly status: number
  readonly code: string
  readonly problem: Problem | null
  /**
   * True if the same request can succeed later, after a pause, with the same idempotency key. False if the request or
   * the account has to change first.
   */
  readonly recoverable: boolean

  constructor(status: number, problem: Problem | null, message: string) {
    super(message)
    this.status = status
    this.code = problem?.code ?? (status === 0 ? "unreachable" : `http_${status}`)
    this.problem = problem
    // A proxy's response is not a problem document of the gateway, which contains these facts itself.
    this.recoverable = problem?.recoverable ?? passing.has(status)
  }
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === "object" && value !== null && "title" in value && typeof value.title === "string"

/** Makes the error of a response from its status and body. */
export const errorOf = (status: number, body: unknown): GatewayError => {
  const problem = isProblem(body) ? body : null
  return new GatewayError(status, problem, problem?.detail ?? problem?.title ?? `the gateway answered with ${status}`)
}

interface Answer<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

/** Returns the data of an answer, or throws a `GatewayError`. */
export const dataOf = async <Data>(answer: Promise<Answer<Data>>): Promise<Data> => {
  const { data, error, response } = await answer
  if (!response.ok) throw errorOf(response.status, error)
  return data as Data
}
