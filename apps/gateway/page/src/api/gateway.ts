/** The gateway that served this page, whatever path a proxy gave it. */
import { connect } from "@bough/client"

/** The folder of the page: its address without file, query and fragment. */
export const baseUrl = new URL(".", location.href).href

let forgeryToken = ""

/** Every request that changes something carries the token that the sign-in returned. */
export const setForgeryToken = (token: string): void => {
  forgeryToken = token
}

export const gateway = connect({ baseUrl, mutationHeaders: () => ({ "x-csrf-token": forgeryToken }) })
