/** A unified diff with line numbers and colours. The sign of each line shows the meaning of its colour. */
import { useMemo } from "react"
import * as DiffLines from "../model/DiffLines.ts"

const signs = { added: "+", removed: "−", same: " ", hunk: "", file: "" } as const

export const Diff = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const rows = useMemo(() => DiffLines.rowsOf(text), [text])
  return (
    <div className="diff" role="region" aria-label={label} tabIndex={0}>
      <table>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index} className={`diff-${row.kind}`}>
              <td className="diff-number">{row.before}</td>
              <td className="diff-number">{row.after}</td>
              <td className="diff-sign">{signs[row.kind]}</td>
              <td className="diff-text">{row.text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Shows a text of a tool, as a diff if the text is one. */
export const ToolText = ({ label, text }: { readonly label: string; readonly text: string }) =>
  DiffLines.isDiff(text) ? (
    <Diff label={label} text={text} />
  ) : (
    <pre className="tool-text" role="region" aria-label={label} tabIndex={0}>
      {text}
    </pre>
  )
