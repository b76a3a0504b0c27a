/** Error answers of the gateway, as errors. */

/** A response in the form of RFC 9457. Programs decide by `code`; `detail` is for users. */
export interface Problem {
  readonly status: number
  readonly title: string
  readonly code?: string
  readonly detail?: string
  readonly retryAfterSeconds?: number
}

/** The gateway refused a request, or could not be reached: then `status` is 0. */
export class GatewayError extends Error {
  override readonly name = "GatewayError"
  readonly status: number
  readonly code: string
  readonly problem: Problem | null

  constructor(status: number, problem: Problem | null, message: string) {
    super(message)
    this.status = status
    this.code = problem?.code ?? (status === 0 ? "unreachable" : `http_${status}`)
    this.problem = problem
  }
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === "object" && value !== null && "title" in value && typeof value.title === "string"

/** Makes the error of an answer whose body was `body`. */
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
