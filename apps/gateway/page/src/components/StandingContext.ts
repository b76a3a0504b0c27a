/** The states of the tree's sessions on screen, by their ids. */
import { createContext } from "react"
import type { Standing } from "../model/TreeView.ts"

export const StandingContext = createContext<ReadonlyMap<string, Standing>>(new Map())
