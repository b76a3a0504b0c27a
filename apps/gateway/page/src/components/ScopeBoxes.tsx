/** A checkbox for each scope that the user may grant. */
import * as Scopes from "../model/Scopes.ts"

interface ScopeBoxesProps {
  /** The name of the group for screen readers. */
  readonly legend: string
  readonly held: ReadonlyArray<Scopes.Scope>
  readonly chosen: ReadonlyArray<Scopes.Scope>
  readonly onChange: (chosen: ReadonlyArray<Scopes.Scope>) => void
}

export const ScopeBoxes = ({ chosen, held, legend, onChange }: ScopeBoxesProps) => (
  <fieldset className="scopes">
    <legend className="visually-hidden">{legend}</legend>
    {held.map((scope) => (
      <label key={scope}>
        <input
          type="checkbox"
          checked={chosen.includes(scope)}
          onChange={() => onChange(Scopes.toggle(held, chosen, scope))}
        />
        {scope} <span className="muted">{Scopes.meanings[scope]}</span>
      </label>
    ))}
  </fieldset>
)
