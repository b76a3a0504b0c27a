/** The agent and the model of a new session. Each choice is shown only if there is one. */
import { useQuery } from "@tanstack/react-query"
import * as queries from "../api/queries.ts"

/** An empty name stands for the default. */
export interface ChosenNames {
  readonly agent: string
  readonly model: string
}

export const noneChosen: ChosenNames = { agent: "", model: "" }

/** The chosen names as a part of the request. */
export const toBody = ({ agent, model }: ChosenNames) => ({
  ...(agent === "" ? {} : { agent }),
  ...(model === "" ? {} : { model })
})

interface SessionChoicesProps {
  readonly chosen: ChosenNames
  readonly onChange: (chosen: ChosenNames) => void
}

export const SessionChoices = ({ chosen, onChange }: SessionChoicesProps) => {
  const agents = useQuery(queries.agents()).data?.items ?? []
  const models = useQuery(queries.models()).data?.items ?? []
  const agent = agents.find(({ name }) => name === (chosen.agent === "" ? "bough" : chosen.agent))
  const usual = agent?.model ?? models.find(({ isDefault }) => isDefault)?.name
  return (
    <div className="choices">
      {agents.length > 1 && (
        <label>
          Agent
          <select value={chosen.agent} onChange={(event) => onChange({ ...chosen, agent: event.target.value })}>
            {agents.map(({ name }) => (
              <option key={name} value={name === "bough" ? "" : name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {models.length > 1 && (
        <label>
          Model
          <select value={chosen.model} onChange={(event) => onChange({ ...chosen, model: event.target.value })}>
            <option value="">{usual === undefined ? "default" : `${usual} (default)`}</option>
            {models
              .filter(({ name }) => name !== usual)
              .map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
          </select>
        </label>
      )}
    </div>
  )
}
