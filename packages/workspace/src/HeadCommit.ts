/**
 * The git commit of a directory, read without running programs that the repository configures. Usually the files of the
 * repository are enough; otherwise git is started.
 */
import { ProcessRunner } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as RepositoryHead from "./internal/RepositoryHead.ts"
import { environment } from "./repository/GitSettings.ts"

/** Returns the full name of the commit; null: there is no repository, no commit yet, or git cannot determine it. */
export const headCommit = (directory: string): Effect.Effect<string | null, never, ProcessRunner.ProcessRunner> =>
  Effect.suspend(() => {
    const head = RepositoryHead.find(directory)
    const commit = head === null ? null : RepositoryHead.commit(head)
    return commit === undefined ? askGit(directory) : Effect.succeed(commit)
  })

/** Ends a git that waits, for example at a pipe in the place of one of its files. */
const timeoutMillis = 5_000

const askGit = (directory: string): Effect.Effect<string | null, never, ProcessRunner.ProcessRunner> =>
  Effect.flatMap(ProcessRunner.ProcessRunner, (runner) =>
    runner.run({
      program: "git",
      args: ["--no-pager", "rev-parse", "--verify", "--quiet", "HEAD^{commit}"],
      cwd: directory,
      env: environment(),
      maxOutputBytes: 1024
    })
  ).pipe(
    Effect.timeout(timeoutMillis),
    Effect.map(({ exitCode, stdout }) =>
      exitCode === 0 ? RepositoryHead.nameIn(new TextDecoder().decode(stdout)) : null
    ),
    Effect.orElseSucceed(() => null)
  )
