/** The form for something with a name and scopes: a user, or a token. */
import type { ReactNode } from "react"
import type * as Scopes from "../model/Scopes.ts"
import { ScopeBoxes } from "./ScopeBoxes.tsx"

export interface NamedScopes {
  readonly name: string
  readonly scopes: ReadonlyArray<Scopes.Scope>
}

interface NamedScopesFormProps {
  /** The name of the name's field for screen readers. */
  readonly label: string
  readonly placeholder: string
  /** The name of the group of scopes for screen readers. */
  readonly legend: string
  /** The text of the button. */
  readonly action: string
  readonly held: ReadonlyArray<Scopes.Scope>
  readonly value: NamedScopes
  readonly isPending: boolean
  readonly onChange: (value: NamedScopes) => void
  readonly onSubmit: () => void
  /** Further fields beside the name. */
  readonly children?: ReactNode
}

export const NamedScopesForm = (props: NamedScopesFormProps) => {
  const { action, children, held, isPending, label, legend, onChange, onSubmit, placeholder, value } = props
  return (
    <form
      className="token-form"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <div className="inline-form">
        <label>
          <span className="visually-hidden">{label}</span>
          <input
            placeholder={placeholder}
            value={value.name}
            onChange={(event) => onChange({ ...value, name: event.target.value })}
          />
        </label>
        {children}
        <button
          className="button primary"
          disabled={value.name.trim() === "" || value.scopes.length === 0 || isPending}
        >
          {action}
        </button>
      </div>
      <ScopeBoxes
        legend={legend}
        held={held}
        chosen={value.scopes}
        onChange={(scopes) => onChange({ ...value, scopes })}
      />
    </form>
  )
}
