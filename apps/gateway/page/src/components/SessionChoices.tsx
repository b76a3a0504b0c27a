/** The workspace, the agent and the model of a new session. Each is shown only if there are several options. */
import { useQuery } from "@tanstack/react-query"
import * as queries from "../api/queries.ts"
import { ago } from "../model/Figures.ts"
import * as QuotaText from "../model/QuotaText.ts"
import { useNow } from "./useNow.ts"

/** An empty name selects the default; the default workspace is a new, empty one. */
export interface ChosenNames {
  readonly workspaceId: string
  readonly agent: string
  readonly model: string
}

export const noneChosen: ChosenNames = { workspaceId: "", agent: "", model: "" }

/** The chosen names as a part of the request. */
export const toBody = ({ agent, model, workspaceId }: ChosenNames) => ({
  ...(workspaceId === "" ? {} : { workspaceId }),
  ...(agent === "" ? {} : { agent }),
  ...(model === "" ? {} : { model })
})

interface SessionChoicesProps {
  readonly chosen: ChosenNames
  readonly onChange: (chosen: ChosenNames) => void
}

export const SessionChoices = ({ chosen, onChange }: SessionChoicesProps) => {
  const now = useNow()
  const workspaces = useQuery(queries.workspaces()).data?.items ?? []
  const agents = useQuery(queries.agents(chosen.workspaceId)).data?.items ?? []
  const models = useQuery(queries.models()).data?.items ?? []
  const agent = agents.find(({ name }) => name === (chosen.agent === "" ? "bough" : chosen.agent))
  const usual = agent?.model ?? models.find(({ isDefault }) => isDefault)?.name
  return (
    <div className="choices">
      {workspaces.length > 0 && (
        <label>
          Workspace
          <select
            value={chosen.workspaceId}
            // The files of a workspace may define their own agents.
            onChange={(event) => onChange({ ...chosen, workspaceId: event.target.value, agent: "" })}
          >
            <option value="">new and empty</option>
            {workspaces.map(({ createdAtMillis, id, uploadedBytes }) => (
              <option key={id} value={id}>
                {id.slice(0, 10)} · {uploadedBytes === 0 ? "" : `${QuotaText.bytes(uploadedBytes)} uploaded `}
                {ago(now - createdAtMillis)}
              </option>
            ))}
          </select>
        </label>
      )}
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
