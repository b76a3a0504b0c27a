/**
 * Opens a request to merge a branch. It runs the program of the host as the user would, because that program has the
 * user's login. The request is JSON on the program's standard input, so that no text of a model is an argument. The
 * program runs outside of the repository, so that it reads no configuration of the repository.
 */
import type { ToolError } from "@bough/protocol"
import type { ProcessRunner, RepositoryPush } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Buffer } from "node:buffer"
import { quote } from "../Refusal.ts"
import * as History from "./History.ts"
import * as HostProgram from "./HostProgram.ts"
import * as Push from "./Push.ts"
import { failed, type Git, invalid } from "./Repository.ts"

interface PullRequestContext extends HostProgram.HostSearch {
  readonly git: Git
  readonly runner: ProcessRunner.ProcessRunner["Service"]
}

interface Target {
  readonly program: HostProgram.HostProgram
  readonly from: HostProgram.HostedRepository
  readonly into: HostProgram.HostedRepository
}

export const open = Effect.fnUntraced(function* (
  context: PullRequestContext,
  options: RepositoryPush.PullRequestOptions
): Effect.fn.Return<RepositoryPush.PullRequest, ToolError.ToolError> {
  const target = yield* targetOf(context, options)
  const { branch, commit, remote } = options
  // The host compares branches, so the branch is first moved to the commit that was shown; it is never moved back.
  const { git, runner, variables } = context
  yield* Push.push({ git, runner, variables }, { remote, branch, commit, replaces: null })
  const response = yield* send(context, target, options)
  return response.commit === commit
    ? { url: response.url, number: response.number }
    : yield* failed(
        `${response.url} is open, but ${branch} is at ${response.commit.slice(0, 10)} there and not at ${commit.slice(0, 10)}`,
        "the branch was pushed to meanwhile: look at the request before it is merged"
      )
})

const targetOf = Effect.fnUntraced(function* (
  context: PullRequestContext,
  options: Pick<RepositoryPush.PullRequestOptions, "into" | "remote">
): Effect.fn.Return<Target, ToolError.ToolError> {
  const from = yield* hostedAt(context, options.remote)
  const into = options.into === options.remote ? from : yield* hostedAt(context, options.into)
  if (from.host !== into.host) {
    return yield* invalid("into", `${options.into} is at ${into.host}, and ${options.remote} at ${from.host}`)
  }
  const name = HostProgram.servedBy(into.host, context.variables)
  if (name === null) {
    return yield* failed(
      `neither gh nor glab is known to serve ${into.host}`,
      `log in with the program that serves it: gh auth login --hostname ${into.host}`
    )
  }
  if (name === "glab" && from.path !== into.path) {
    return yield* invalid("into", "a merge request between two projects of GitLab is opened in the browser")
  }
  const program = HostProgram.find(context, name)
  return program === null
    ? yield* failed(`${name} is not on PATH`, `install ${name}, which opens requests at ${into.host}`)
    : { program, from, into }
})

const hostedAt = (
  { git }: PullRequestContext,
  remote: string
): Effect.Effect<HostProgram.HostedRepository, ToolError.ToolError> =>
  Effect.flatMap(History.urlOf(git, remote), (url) => {
    const found = HostProgram.parse(url)
    return found === null
      ? Effect.fail(invalid("remote", `${quote(url)} names no repository at a host`))
      : Effect.succeed(found)
  })

interface SentRequest extends RepositoryPush.PullRequest {
  readonly commit: string
}

const send = Effect.fnUntraced(function* (
  { runner, variables }: PullRequestContext,
  target: Target,
  options: RepositoryPush.PullRequestOptions
): Effect.fn.Return<SentRequest, ToolError.ToolError> {
  const { into, program } = target
  const { endpoint, request } = program.name === "gh" ? toGitHub(target, options) : toGitLab(target, options)
  const { exitCode, stderr, stdout } = yield* runner
    .run({
      program: program.path,
      args: [
        "api",
        "--method=POST",
        `--hostname=${into.host}`,
        "--header=Content-Type: application/json",
        "--input=-",
        endpoint
      ],
      cwd: "/",
      env: { ...userVariables(variables), ...quiet },
      maxOutputBytes: 1024 ** 2,
      input: Buffer.from(JSON.stringify(request))
    })
    .pipe(Effect.catch(({ message }) => Effect.fail(failed(`${program.name} cannot be started: ${message}`))))
  const answer = Buffer.from(stdout).toString("utf8")
  if (exitCode !== 0) return yield* refused({ target, exitCode, answer, stderr })
  const sent = (program.name === "gh" ? readGitHub : readGitLab)(answer)
  return Result.isSuccess(sent)
    ? sent.success
    : yield* failed(
        `${program.name} opened the request and did not say where: ${messageIn(answer)}`,
        `look for it with: ${program.name} ${program.name === "gh" ? "pr" : "mr"} list`
      )
})

const toGitHub = ({ from, into }: Target, options: RepositoryPush.PullRequestOptions) => ({
  endpoint: `repos/${into.path}/pulls`,
  request: {
    title: options.title,
    body: options.body,
    head: from.path === into.path ? options.branch : `${from.path.split("/")[0]}:${options.branch}`,
    base: options.base,
    draft: options.draft
  }
})

const toGitLab = ({ into }: Target, options: RepositoryPush.PullRequestOptions) => ({
  endpoint: `projects/${encodeURIComponent(into.path)}/merge_requests`,
  request: {
    title: options.draft ? `Draft: ${options.title}` : options.title,
    description: options.body,
    source_branch: options.branch,
    target_branch: options.base
  }
})

const GitHubAnswer = Schema.fromJsonString(
  Schema.Struct({ html_url: Schema.String, number: Schema.Int, head: Schema.Struct({ sha: Schema.String }) })
)
const GitLabAnswer = Schema.fromJsonString(
  Schema.Struct({ web_url: Schema.String, iid: Schema.Int, sha: Schema.String })
)

const readGitHub = (answer: string) =>
  Result.map(Schema.decodeUnknownResult(GitHubAnswer)(answer), ({ head, html_url, number }): SentRequest => ({
    url: html_url,
    number,
    commit: head.sha
  }))

const readGitLab = (answer: string) =>
  Result.map(Schema.decodeUnknownResult(GitLabAnswer)(answer), ({ iid, sha, web_url }): SentRequest => ({
    url: web_url,
    number: iid,
    commit: sha
  }))

/** Variables that keep the programs from asking, paging, colouring, reporting, and looking for updates. */
const quiet = {
  GH_PROMPT_DISABLED: "1",
  GH_NO_UPDATE_NOTIFIER: "1",
  GLAB_CHECK_UPDATE: "false",
  GLAB_SEND_TELEMETRY: "false",
  NO_PROMPT: "true",
  NO_COLOR: "1",
  GH_PAGER: "cat",
  PAGER: "cat",
  LC_ALL: "C"
}

/** Returns the user's variables without those that name a repository or make the programs print their requests. */
const userVariables = (variables: HostProgram.HostSearch["variables"]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value === undefined || name.startsWith("GIT_") || removedVariables.has(name) ? [] : [[name, value]]
    )
  )

const removedVariables: ReadonlySet<string> = new Set([
  "GH_REPO",
  "GH_DEBUG",
  "DEBUG",
  "GLAB_DEBUG_HTTP",
  "GITLAB_REPO"
])

interface Refusal {
  readonly target: Target
  readonly exitCode: number | null
  readonly answer: string
  readonly stderr: string
}

/** Makes the error of a call that failed. Without a login, gh exits with code 4. */
const refused = ({ answer, exitCode, stderr, target: { into, program } }: Refusal): ToolError.ToolError => {
  const output = `${messagesOf(answer)} ${messageIn(stderr)}`.trim()
  const words = output === "" ? "it failed and printed no message" : output
  const logIn = `${program.name} auth login --hostname ${into.host}`
  const needsLogin = exitCode === 4 || /auth login|\b401\b|Unauthorized|Bad credentials/iu.test(output)
  const hint = needsLogin
    ? `the person logs in with: ${logIn}`
    : /already exists/iu.test(output)
      ? "the branch has an open request: push to it with git_push"
      : /\b40[34]\b/u.test(output)
        ? `the account of ${program.name} may not open requests in ${into.path}: another one logs in with: ${logIn}`
        : undefined
  return failed(`${program.name}: ${words}`, hint)
}

const Message = Schema.Union([Schema.String, Schema.Array(Schema.String)])
const Failed = Schema.fromJsonString(
  Schema.Struct({
    message: Schema.optionalKey(Message),
    errors: Schema.optionalKey(Schema.Array(Schema.Struct({ message: Schema.optionalKey(Schema.String) })))
  })
)

/** Reads the sentences of a host's refusal; empty: it has none. */
const messagesOf = (answer: string): string => {
  const read = Schema.decodeUnknownResult(Failed)(answer)
  if (Result.isFailure(read)) return ""
  const { errors = [], message = [] } = read.success
  return messageIn([message, errors.map((error) => error.message ?? "")].flat(2).join("; "))
}

const maxMessageLength = 600

/** Returns one bounded line without control characters. */
const messageIn = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, " ")
    .replace(/ {2,}/gu, " ")
    .trim()
    .slice(0, maxMessageLength)
