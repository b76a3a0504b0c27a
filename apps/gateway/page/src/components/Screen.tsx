/** The frame of a screen: title, actions, and errors. */
import type { ReactNode } from "react"

interface ScreenProps {
  readonly title: string
  readonly errors?: ReadonlyArray<Error | null>
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export const Screen = ({ actions, children, errors = [], title }: ScreenProps) => (
  <section className="screen" aria-labelledby="screen-title">
    <header className="screen-header">
      <h1 id="screen-title">{title}</h1>
      {actions}
    </header>
    {errors
      .filter((error) => error !== null)
      .map((error) => (
        <p key={error.message} className="error" role="alert">
          {error.message}
        </p>
      ))}
    {children}
  </section>
)
