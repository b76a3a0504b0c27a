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
      {canDecide ? (
        <DecisionForm
          rule={approval.rule}
          isPending={decide.isPending}
          onDecision={(chosen) => decide.mutate(chosen)}
        />
      ) : (
        <p className="muted">This sign-in has no permission to decide approvals.</p>
      )}
      {decide.error !== null && (
        <p className="error" role="alert">
          {decide.error.message}
        </p>
      )}
    </article>
  )
}

type Scope = "session" | "project" | "user"

interface DecisionFormProps {
  readonly rule: Approval["rule"]
  readonly isPending: boolean
  readonly onDecision: (decision: Decision) => void
}

/** The buttons that decide at once, and behind two of them a form for the reason of a denial or the scope of a rule. */
const DecisionForm = ({ isPending, onDecision, rule }: DecisionFormProps) => {
  const [step, setStep] = useState<"choose" | "deny" | "always">("choose")
  const [words, setWords] = useState("")
  const onBack = () => setStep("choose")
  if (step === "deny") return <DenyForm {...{ words, isPending, onDecision, onBack }} onWords={setWords} />
  if (step === "always" && rule !== null) return <AlwaysForm {...{ rule, isPending, onDecision, onBack }} />
  return (
    <div className="actions">
      <button className="button primary" disabled={isPending} onClick={() => onDecision({ decision: "approve" })}>
        Approve once
      </button>
      <button className="button" disabled={isPending} onClick={() => setStep("deny")}>
        Deny…
      </button>
      {rule !== null && (
        <button className="button" disabled={isPending} onClick={() => setStep("always")}>
          Always…
        </button>
      )}
    </div>
  )
}

interface DenyFormProps extends Omit<DecisionFormProps, "rule"> {
  readonly words: string
  readonly onWords: (words: string) => void
  readonly onBack: () => void
}

const DenyForm = ({ isPending, onBack, onDecision, onWords, words }: DenyFormProps) => (
  <form
    className="actions-form"
    onSubmit={(event) => {
      event.preventDefault()
      onDecision(words.trim() === "" ? { decision: "deny" } : { decision: "deny", words: words.trim() })
    }}
  >
    <label>
      Reason for the agent (optional)
      <textarea autoFocus rows={2} value={words} maxLength={4000} onChange={(event) => onWords(event.target.value)} />
    </label>
    <div className="actions">
      <button className="button danger" disabled={isPending}>
        Deny
      </button>
      <button className="button quiet" type="button" onClick={onBack}>
        Back
      </button>
    </div>
  </form>
)

interface AlwaysFormProps extends Omit<DecisionFormProps, "rule"> {
  readonly rule: string
  readonly onBack: () => void
}

const AlwaysForm = ({ isPending, onBack, onDecision, rule }: AlwaysFormProps) => (
  <div className="actions-form">
    <p>This rule would be saved. Calls that match it would no longer need approval:</p>
    <pre className="rule">{visible(rule)}</pre>
    <div className="actions">
      <ScopeButtons
        isPending={isPending}
        onScope={(scope) => onDecision({ decision: "approve", always: { rule, scope } })}
      />
      <button className="button quiet" onClick={onBack}>
        Back
      </button>
    </div>
  </div>
)

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
  readonly onScope: (scope: Scope) => void
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
