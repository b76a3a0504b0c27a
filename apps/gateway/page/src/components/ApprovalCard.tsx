/** One approval: its effect, the session that requested it, the remaining time, and the decision. */
import { dataOf, type Approval, type Decision } from "@bough/client"
import * as Escape from "@bough/tui/text/Escape"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useId, useRef, useState } from "react"
import { Link } from "wouter"
import { gateway } from "../api/gateway.ts"
import * as queries from "../api/queries.ts"
import { argumentRows } from "../model/CallText.ts"
import { duration } from "../model/Figures.ts"
import * as SessionList from "../model/SessionList.ts"
import * as ToolHelp from "../model/ToolHelp.ts"
import { ToolText } from "./Diff.tsx"
import { Icon } from "./Icon.tsx"
import { useNow } from "./useNow.ts"

/** Replaces characters that could hide or reorder text by visible escapes, because a decision depends on this text. */
const visible = (text: string): string => Escape.clusters(Escape.text(text))

type Step = "choose" | "deny" | "always"

interface ApprovalCardProps {
  readonly approval: Approval
  readonly canDecide: boolean
  /** True if a link leads to this approval, which is then marked and scrolled into view. */
  readonly isMarked?: boolean
}

export const ApprovalCard = ({ approval, canDecide, isMarked = false }: ApprovalCardProps) => {
  const { request } = approval
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isMarked) card.current?.scrollIntoView({ block: "nearest" })
  }, [isMarked])
  const [step, setStep] = useState<Step>("choose")
  const [words, setWords] = useState("")
  const titleId = useId()
  const client = useQueryClient()
  const decide = useMutation({
    mutationFn: (decision: Decision) =>
      dataOf(
        gateway.api.POST("/api/v1/approvals/{approvalId}/decision", {
          params: { path: { approvalId: request.approvalId } },
          body: decision
        })
      ),
    onSettled: () => client.invalidateQueries({ queryKey: ["approvals"] })
  })
  const asker = approval.askedBy.at(-1)
  const mixed = Escape.mixedScripts(`${request.preview.render}\n${request.arguments}`)
  return (
    <article
      ref={card}
      className="approval"
      aria-labelledby={titleId}
      aria-current={isMarked ? "true" : undefined}
      data-approval={request.approvalId}
    >
      <header>
        <Icon name="shield" />
        <h2 id={titleId}>
          Approve <code>{request.tool}</code>?
        </h2>
        <span className="tag tag-wait">{request.tier}</span>
        <TimeLeft approval={approval} />
      </header>
      <p className="approval-place">
        {approval.askedBy.map(({ kind, sessionId, title }, index) => (
          <span key={sessionId}>
            {index > 0 && " › "}
            <Link href={`/sessions/${encodeURIComponent(sessionId)}`}>
              {kind} “{SessionList.titleOf({ title }, "untitled")}”
            </Link>
          </span>
        ))}
      </p>
      {request.reason !== "" && <p>{Escape.text(request.reason)}</p>}
      {request.preview.render !== "" && <ToolText label="Preview" text={visible(request.preview.render)} />}
      {mixed.length > 0 && (
        <p className="approval-warning" role="note">
          Letters of several scripts in one word: <code>{mixed.join(", ")}</code>
        </p>
      )}
      <details>
        <summary>Arguments</summary>
        <dl className="arguments">
          {argumentRows(request.arguments).map(({ name, text }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <pre>{visible(text)}</pre>
              </dd>
            </div>
          ))}
        </dl>
      </details>
      <AboutTool request={request} />
      {!canDecide && <p className="muted">This sign-in may not decide approvals.</p>}
      {canDecide && step === "choose" && (
        <div className="actions">
          <button
            className="button primary"
            disabled={decide.isPending}
            onClick={() => decide.mutate({ decision: "approve" })}
          >
            Approve once
          </button>
          <button className="button" disabled={decide.isPending} onClick={() => setStep("deny")}>
            Deny…
          </button>
          {approval.rule !== null && (
            <button className="button" disabled={decide.isPending} onClick={() => setStep("always")}>
              Always…
            </button>
          )}
        </div>
      )}
      {canDecide && step === "deny" && (
        <form
          className="actions-form"
          onSubmit={(event) => {
            event.preventDefault()
            decide.mutate(words.trim() === "" ? { decision: "deny" } : { decision: "deny", words: words.trim() })
          }}
        >
          <label>
            Words for {asker === undefined ? "the agent" : `the ${asker.kind}`} (optional)
            <textarea
              autoFocus
              rows={2}
              value={words}
              maxLength={4000}
              onChange={(event) => setWords(event.target.value)}
            />
          </label>
          <div className="actions">
            <button className="button danger" disabled={decide.isPending}>
              Deny
            </button>
            <button className="button quiet" type="button" onClick={() => setStep("choose")}>
              Back
            </button>
          </div>
        </form>
      )}
      {canDecide && step === "always" && approval.rule !== null && (
        <div className="actions-form">
          <p>This rule would be given, and calls that it fits would no longer ask:</p>
          <pre className="rule">{visible(approval.rule)}</pre>
          <div className="actions">
            <ScopeButtons
              isPending={decide.isPending}
              onScope={(scope) => decide.mutate({ decision: "approve", always: { rule: approval.rule ?? "", scope } })}
            />
            <button className="button quiet" onClick={() => setStep("choose")}>
              Back
            </button>
          </div>
        </div>
      )}
      {decide.error !== null && (
        <p className="error" role="alert">
          {decide.error.message}
        </p>
      )}
    </article>
  )
}

/** The help of the tool, if the gateway currently offers the tool. */
const AboutTool = ({ request: { tool: name, version } }: Pick<Approval, "request">) => {
  const [isOpen, setOpen] = useState(false)
  const tools = useQuery({ ...queries.tools(), enabled: isOpen })
  const tool = tools.data?.items.find((one) => one.name === name)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>About this tool</summary>
      {tools.error !== null && <p className="error">{tools.error.message}</p>}
      {tools.isSuccess && tool === undefined && <p className="muted">The gateway has no description of it.</p>}
      {tool !== undefined && (
        <div className="about-tool">
          <p>{Escape.text(tool.description)}</p>
          <p className="muted">{ToolHelp.effectOf(tool.tier)}</p>
          <dl className="arguments">
            {ToolHelp.parameterRows(tool.parameters).map(({ description, name: parameter }) => (
              <div key={parameter}>
                <dt>{parameter}</dt>
                <dd>{Escape.text(description)}</dd>
              </div>
            ))}
          </dl>
          <p className="facts">
            <span>version {version}</span>
            <span>{ToolHelp.replayOf(tool.replay)}</span>
          </p>
        </div>
      )}
    </details>
  )
}

const scopes = [
  ["session", "For this session"],
  ["project", "For this workspace"],
  ["user", "For all my sessions"]
] as const

const ScopeButtons = ({
  isPending,
  onScope
}: {
  readonly isPending: boolean
  readonly onScope: (scope: "session" | "project" | "user") => void
}) =>
  scopes.map(([scope, label], index) => (
    <button
      key={scope}
      className={index === 0 ? "button primary" : "button"}
      disabled={isPending}
      onClick={() => onScope(scope)}
    >
      {label}
    </button>
  ))

/** Counts down by the clock of the store, which determines the deadlines. */
const TimeLeft = ({ approval }: { readonly approval: Approval }) => {
  const now = useNow()
  const [skew] = useState(() => approval.nowMillis - Date.now())
  const remainingMillis = approval.request.expiresAtMillis - (now + skew)
  return <span className="time-left">{remainingMillis > 0 ? `${duration(remainingMillis)} left` : "expired"}</span>
}
