/** The frame of a screen: title, actions, the state of what it reads from the gateway, and errors of its actions. */
import type { ReactNode } from "react"
import { useTitle } from "./useTitle.ts"

/** A query of the screen. */
interface ScreenQuery {
  readonly isPending: boolean
  readonly isFetching: boolean
  readonly error: Error | null
  readonly refetch: () => unknown
}

interface ScreenProps {
  readonly title: string
  readonly reads?: ReadonlyArray<ScreenQuery>
  readonly errors?: ReadonlyArray<Error | null>
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export const Screen = ({ actions, children, errors = [], reads = [], title }: ScreenProps) => {
  useTitle(title)
  const failed = reads.filter(({ error }) => error !== null)
  return (
    <section className="screen" aria-labelledby="screen-title">
      <header className="screen-header">
        <h1 id="screen-title">{title}</h1>
        {actions}
      </header>
      {[...failed.map(({ error }) => error), ...errors]
        .filter((error) => error !== null)
        .map((error) => (
          <p key={error.message} className="error" role="alert">
            {error.message}
          </p>
        ))}
      {failed.length > 0 && (
        <button
          className="button"
          disabled={failed.some(({ isFetching }) => isFetching)}
          onClick={() => failed.forEach(({ refetch }) => void refetch())}
        >
          Try again
        </button>
      )}
      {reads.some(({ isPending }) => isPending) && (
        <p className="muted" role="status">
          Loading…
        </p>
      )}
      {children}
    </section>
  )
}
