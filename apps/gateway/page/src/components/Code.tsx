/** A block of code with a button that copies it. */
import { type ReactNode, useRef, useState } from "react"
import { Icon } from "./Icon.tsx"

/** The time for which the button shows the result. */
const shownMillis = 2000

export const Code = ({ children }: { readonly children?: ReactNode }) => {
  const block = useRef<HTMLPreElement>(null)
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle")
  const show = (next: "copied" | "failed") => {
    setState(next)
    setTimeout(() => setState("idle"), shownMillis)
  }
  const copy = () =>
    void navigator.clipboard.writeText(block.current?.textContent ?? "").then(
      () => show("copied"),
      () => show("failed")
    )
  return (
    <div className="code">
      <pre ref={block} tabIndex={0} role="region" aria-label="Code">
        {children}
      </pre>
      {/* Browsers have no clipboard for a page over http, except on loopback. */}
      {window.isSecureContext && (
        <button type="button" className="button quiet copy" onClick={copy}>
          <Icon name="copy" />
          <span aria-live="polite">{labels[state]}</span>
        </button>
      )}
    </div>
  )
}

const labels = { idle: "Copy", copied: "Copied", failed: "Not copied" } as const
