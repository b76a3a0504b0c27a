/** The state of the browser's history after a session was started, so that its message field gets the focus. */

export const state = "begun"

/** A touch screen would open its keyboard over the reply. */
export const takesFocus = (): boolean => history.state === state && !matchMedia("(pointer: coarse)").matches
