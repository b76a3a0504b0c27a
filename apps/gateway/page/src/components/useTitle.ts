/** Names the screen in the title of the window, after a mark with the number of pending approvals. */
import { useContext, useEffect } from "react"
import { WaitingContext } from "./WaitingContext.ts"

export const useTitle = (screen: string): void => {
  const waiting = useContext(WaitingContext)
  useEffect(() => {
    document.title = `${waiting === 0 ? "" : `(${waiting}) `}${screen} · Bough`
  }, [screen, waiting])
}
