/**
 * The git commit of a directory, read without running anything that the repository configures. Usually the files of the
 * repository suffice; otherwise git is started.
 */
import { ProcessRunner } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as RepositoryHead from "./internal/RepositoryHead.ts"
import { environment } from "./repository/GitSettings.ts"

/** The full name of the commit; null: no repository, no commit yet, or git cannot tell. */
export const headCommit = (directory: string): Effect.Effect<string | null, never, ProcessRunner.ProcessRunner> =>
  Effect.suspend(() => {
    const head = RepositoryHead.find(directory)
    const commit = head === null ? null : RepositoryHead.commit(head)
    return commit === undefined ? askGit(directory) : Effect.succeed(commit)
  })

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
    Effect.map(({ exitCode, stdout }) =>
      exitCode === 0 ? RepositoryHead.nameIn(new TextDecoder().decode(stdout)) : null
    ),
    Effect.orElseSucceed(() => null)
  )
