/** Provides the number of approvals that wait for the user. */
import { createContext } from "react"

export const WaitingContext = createContext(0)
