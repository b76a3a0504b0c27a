/** The states of the tree's sessions on screen, by their ids. */
import { createContext } from "react"
import type { StatusLabel } from "../model/TreeView.ts"

export const StandingContext = createContext<ReadonlyMap<string, StatusLabel>>(new Map())
