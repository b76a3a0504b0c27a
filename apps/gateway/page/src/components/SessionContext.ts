/** The session whose conversation is on screen. */
import { createContext } from "react"

export const SessionContext = createContext("")
