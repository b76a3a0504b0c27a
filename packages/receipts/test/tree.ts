/** A small session tree as entries: reads, an approved command, a refused one, a correction, a child. */
import { type Approval, Budget, Canonical, Entry, Receipt, Session, type Tier, Usage } from "@bough/protocol"

export const main = Session.SessionId.make("ses_main")
export const child = Session.SessionId.make("ses_child")

export interface Journal {
  readonly entries: Array<Entry.Entry>
  /** `sameCommit`: the entry joins the commit of the entry before; default: it has its own commit. */
  readonly add: (sessionId: Session.SessionId, body: Entry.Body, sameCommit?: boolean) => void
}

export const journal = (): Journal => {
  const entries: Array<Entry.Entry> = []
  const tails = new Map<string, { readonly seq: number; readonly digest: string }>()
  let commit = 0
  return {
    entries,
    add: (sessionId, body, sameCommit = false) => {
      const { digest: previous, seq } = tails.get(sessionId) ?? { seq: 0, digest: "" }
      const digest = Canonical.chain(previous, Canonical.stringify(body))
      if (!sameCommit) commit += 1
      entries.push({ id: Entry.idOf(sessionId, seq), sessionId, seq, commit, labels: [], digest, body })
      tails.set(sessionId, { seq: seq + 1, digest })
    }
  }
}

export const opened = (rest: Partial<Entry.BodyOf<"SessionOpened">> = {}): Entry.Body => ({
  _tag: "SessionOpened",
  v: 1,
  kind: "Main",
  origin: { _tag: "Main", forkedFrom: null },
  agent: "bough",
  user: "ada",
  workspaceRoot: "/w",
  channel: "terminal",
  openedAtMillis: 1,
  ...rest
})

interface StepCall {
  readonly turn: number
  readonly step: number
  readonly id: string
  readonly tool: string
  readonly arguments: string
}

/** A step in which the model makes one call. */
export const step = (
  { add }: Journal,
  sessionId: Session.SessionId,
  stepCall: StepCall,
  model = "offline/planner"
): void => {
  add(sessionId, { _tag: "StepStarted", turn: stepCall.turn, step: stepCall.step, model, reservedTokens: 10 })
  add(sessionId, {
    _tag: "ModelReplied",
    turn: stepCall.turn,
    step: stepCall.step,
    completion: "complete",
    parts: [
      {
        _tag: "ToolCall",
        toolCallId: Session.ToolCallId.make(stepCall.id),
        providerCallId: stepCall.id,
        name: stepCall.tool,
        arguments: stepCall.arguments
      }
    ],
    usage: { ...Usage.zero, inputTokens: 3, outputTokens: 2, costUsd: 0.5 }
  })
}

interface RanCall {
  readonly path: ReadonlyArray<Session.SessionId>
  readonly id: string
  readonly tool: string
  readonly tier: Tier.Tier
  /** Canonical. */
  readonly arguments: string
  readonly output: string | null
  readonly authority?: Receipt.Authority
  readonly attempt?: number
  readonly elapsedMillis?: number
}

export const receipt = (ran: RanCall): Receipt.Receipt => {
  const toolCallId = Session.ToolCallId.make(ran.id)
  return {
    sessionPath: ran.path,
    toolCallId,
    callKey: Receipt.callKeyOf(ran.path[ran.path.length - 1], toolCallId),
    tool: ran.tool,
    version: 1,
    tier: ran.tier,
    argumentsDigest: Canonical.digest(ran.arguments),
    arguments: ran.arguments,
    outputDigest: ran.output === null ? null : Canonical.digest(ran.output),
    artifacts: ran.tier === "ReadOnly" ? [] : [{ _tag: "CommandExecuted", command: ran.tool, exitCode: 0 }],
    authority: ran.authority ?? { _tag: "Automatic" },
    attempt: ran.attempt ?? 1,
    startedAtMillis: 1000,
    elapsedMillis: ran.elapsedMillis ?? 7,
    commit: "a".repeat(40)
  }
}

export const ended = ({ add }: Journal, ran: RanCall): void =>
  add(ran.path[ran.path.length - 1], {
    _tag: "CallEnded",
    toolCallId: Session.ToolCallId.make(ran.id),
    tool: ran.tool,
    outcome:
      ran.output === null
        ? { _tag: "Failed", error: { _tag: "ExecutionError", message: "no" }, schema: null }
        : { _tag: "Succeeded", output: ran.output, outputBlob: null, media: [], display: "done" },
    receipt: receipt(ran)
  })

export const misfit = (
  { add }: Journal,
  sessionId: Session.SessionId,
  id: string,
  tool: string,
  version?: number
): void =>
  add(sessionId, {
    _tag: "CallEnded",
    toolCallId: Session.ToolCallId.make(id),
    tool,
    outcome: { _tag: "Failed", error: { _tag: "ValidationError", message: "path", issues: [] }, schema: "{}" },
    receipt: null,
    ...(version === undefined ? {} : { version })
  })

/** Requests an approval of a call and records the answer. */
export const decide = (
  { add }: Journal,
  ran: RanCall,
  decision: Approval.Decision,
  principal = "ada"
): Session.ApprovalId => {
  const sessionId = ran.path[ran.path.length - 1]
  const toolCallId = Session.ToolCallId.make(ran.id)
  const approvalId = Session.ApprovalId.make(`apr_${ran.id}`)
  const argumentsDigest = Canonical.digest(ran.arguments)
  const facts = { toolCallId, tool: ran.tool, version: 1, tier: ran.tier, argumentsDigest }
  add(sessionId, {
    _tag: "ApprovalAsked",
    request: {
      ...facts,
      approvalId,
      sessionPath: ran.path,
      arguments: ran.arguments,
      preview: { render: "$", preconditions: [] },
      reason: "grave",
      askedAtMillis: 5,
      expiresAtMillis: 50
    }
  })
  add(sessionId, { _tag: "ApprovalDecided", approvalId, toolCallId, decision, principal })
  if (decision._tag !== "Approved") return approvalId
  add(
    sessionId,
    {
      ...facts,
      _tag: "CallStarted",
      callKey: Receipt.callKeyOf(sessionId, toolCallId),
      attempt: 1,
      preconditions: [],
      approvalId
    },
    true
  )
  return approvalId
}

/** The whole tree. */
export const sample = (): ReadonlyArray<Entry.Entry> => {
  const made = journal()
  const path = [main]
  made.add(main, opened())
  step(made, main, { turn: 1, step: 1, id: "t1s1c0", tool: "read_file", arguments: "{}" })
  misfit(made, main, "t1s1c0", "read_file")
  step(made, main, { turn: 1, step: 2, id: "t1s2c0", tool: "read_file", arguments: '{ "path":"ä.txt" }' })
  ended(made, {
    path,
    id: "t1s2c0",
    tool: "read_file",
    tier: "ReadOnly",
    arguments: '{"path":"ä.txt"}',
    output: '{"text":"one"}'
  })
  step(made, main, { turn: 1, step: 3, id: "t1s3c0", tool: "run_command", arguments: '{"argv":["make"]}' })
  const command = {
    path,
    id: "t1s3c0",
    tool: "run_command",
    tier: "Elevated",
    arguments: '{"argv":["make"]}',
    output: "{}"
  } as const
  const approvalId = decide(made, command, { _tag: "Approved", rule: null })
  ended(made, { ...command, authority: { _tag: "User", approvalId, principal: "ada" } })
  step(made, main, { turn: 1, step: 4, id: "t1s4c0", tool: "start_worker", arguments: "{}" })
  const budget = Budget.unlimited
  const toolCallId = Session.ToolCallId.make("t1s4c0")
  made.add(main, { _tag: "ChildSpawned", childId: child, kind: "Worker", toolCallId, title: "look", budget: budget })
  const origin: Session.Origin = { _tag: "Worker", parentId: main, spawnedBy: toolCallId }
  const terms = { parentPath: path, budget, lifetimeMillis: 1, maxSteps: 1, copied: 0, outputSchema: null }
  made.add(child, opened({ kind: "Worker", origin, channel: null, terms }), true)
  step(made, child, { turn: 1, step: 1, id: "t1s1c0", tool: "list_files", arguments: "{}" })
  ended(made, {
    path: [main, child],
    id: "t1s1c0",
    tool: "list_files",
    tier: "ReadOnly",
    arguments: "{}",
    output: null,
    attempt: 2
  })
  return made.entries
}
