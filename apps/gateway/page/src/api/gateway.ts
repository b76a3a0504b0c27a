/** The gateway that served this page, wherever a proxy put it. */
import { connect, GatewayError } from "@bough/client"

/** The folder of the page: its address without file, query and fragment. */
export const baseUrl = new URL(".", location.href).href

let forgeryToken = ""

/** Every request that changes something carries the token that signing in gave. */
export const setForgeryToken = (token: string): void => {
  forgeryToken = token
}

const mutationHeaders = (): Readonly<Record<string, string>> => ({ "x-csrf-token": forgeryToken })

export const gateway = connect({ baseUrl, mutationHeaders })

/** Sends JSON to a route of the page that the public API does not have, such as signing in. */
export const post = async <Answer>(path: string, body: unknown = {}): Promise<Answer> => {
  const response = await fetch(new URL(path, baseUrl), {
    method: "POST",
    headers: { "content-type": "application/json", ...mutationHeaders() },
    body: JSON.stringify(body)
  })
  return read<Answer>(response)
}

/** Reads JSON from such a route. */
export const get = async <Answer>(path: string): Promise<Answer> => read<Answer>(await fetch(new URL(path, baseUrl)))

const read = async <Answer>(response: Response): Promise<Answer> => {
  const text = await response.text()
  const body: unknown = text === "" ? null : JSON.parse(text)
  if (response.ok) return body as Answer
  const problem = body as { readonly title: string; readonly detail?: string; readonly status: number } | null
  throw new GatewayError(response.status, problem, problem?.detail ?? problem?.title ?? `status ${response.status}`)
}
