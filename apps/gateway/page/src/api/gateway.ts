/** The gateway that served this page, including a path prefix that a proxy added. */
import { connect } from "@bough/client"

/** The directory of the page: its address without file, query and fragment. */
export const baseUrl = new URL(".", location.href).href

let forgeryToken = ""

/** Stores the token that the sign-in returned. Every request that changes something contains it. */
export const setForgeryToken = (token: string): void => {
  forgeryToken = token
}

export const gateway = connect({ baseUrl, mutationHeaders: () => ({ "x-csrf-token": forgeryToken }) })
