/** The agents, models and tools that are available to sessions. */
import { useQuery } from "@tanstack/react-query"
import * as queries from "../api/queries.ts"
import { Screen } from "../components/Screen.tsx"

export const ToolsScreen = () => {
  const [agents, models, tools] = [useQuery(queries.agents()), useQuery(queries.models()), useQuery(queries.tools())]
  return (
    <Screen title="Tools and agents" reads={[agents, models, tools]}>
      <h2>Agents</h2>
      <ul className="rows">
        {agents.data?.items.map(({ description, model, name }) => (
          <li key={name} className="row">
            <strong>{name}</strong> {model !== null && <span className="tag">{model}</span>}{" "}
            <span className="muted">{description}</span>
          </li>
        ))}
      </ul>
      <h2>Models</h2>
      <ul className="rows">
        {models.data?.items.map(({ isDefault, name, reason }) => (
          <li key={name} className="row">
            <strong>{name}</strong> {isDefault && <span className="tag tag-good">default</span>}{" "}
            <span className="muted">{reason}</span>
          </li>
        ))}
      </ul>
      <h2>Tools</h2>
      <ul className="rows">
        {tools.data?.items.map(({ description, kinds, name, parameters, tier, version }) => (
          <li key={name} className="row">
            <details>
              <summary>
                <code>{name}</code> <span className="tag">{tier}</span> <span className="muted">{description}</span>
              </summary>
              <p className="facts">
                <span>version {version}</span>
                <span>{kinds.join(", ")}</span>
              </p>
              <pre className="tool-text" tabIndex={0} role="region" aria-label={`Arguments of ${name}`}>
                {JSON.stringify(parameters, null, 2)}
              </pre>
            </details>
          </li>
        ))}
      </ul>
    </Screen>
  )
}
