/** A tool call in one line, with arguments and result on demand. */
import { memo } from "react"
import { argumentRows, callState, callSummary, resultText } from "../model/CallText.ts"
import { count, duration } from "../model/Figures.ts"
import type { CallItem } from "../model/Item.ts"
import { sentFiles } from "../model/SentFiles.ts"
import { ToolText } from "./Diff.tsx"
import { Icon } from "./Icon.tsx"
import { SentFiles } from "./SentFiles.tsx"

export const CallRow = memo(({ call }: { readonly call: CallItem }) => {
  const state = callState(call)
  const result = resultText(call)
  const sent = sentFiles(call)
  return (
    <>
      <details className={`call call-${state.tone}`} data-tool={call.tool} data-status={call.status}>
        <summary>
          <Icon name="chevron" />
          <span className={`dot dot-${state.tone}`} />
          <code className="call-tool">{call.tool}</code>
          <span className="call-summary">{callSummary(call)}</span>
          <span className="call-facts">
            {state.label !== "" && <span className={`tag tag-${state.tone}`}>{state.label}</span>}
            {call.elapsedMillis !== null && <span>{duration(call.elapsedMillis)}</span>}
          </span>
        </summary>
        <div className="call-body">
          <dl className="arguments">
            {argumentRows(call.arguments).map(({ name, text }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <pre>{text}</pre>
                </dd>
              </div>
            ))}
          </dl>
          {result !== "" && <ToolText label={`Result of ${call.tool}`} text={result} />}
          <footer className="facts">
            {call.tier !== null && <span>{call.tier}</span>}
            {call.decision !== null && <span>decided by {call.decision.principal}</span>}
            {call.artifacts.length > 0 && (
              <span>
                {call.artifacts.length === 1 ? "1 effect recorded" : `${count(call.artifacts.length)} effects recorded`}
              </span>
            )}
          </footer>
        </div>
      </details>
      {sent.length > 0 && <SentFiles files={sent} />}
    </>
  )
})
