/** The git commit that a directory is at, read without running anything that the repository configures. */
import { ProcessRunner } from "@bough/tool"
import * as Effect from "effect/Effect"
import { environment } from "./repository/GitSettings.ts"

/** Its full name; null: it is in no repository, there is no commit yet, or git cannot say. */
export const headCommit = (directory: string): Effect.Effect<string | null, never, ProcessRunner.ProcessRunner> =>
  Effect.flatMap(ProcessRunner.ProcessRunner, (runner) =>
    runner.run({
      program: "git",
      args: ["--no-pager", "rev-parse", "--verify", "--quiet", "HEAD^{commit}"],
      cwd: directory,
      env: environment(),
      maxOutputBytes: 1024
    })
  ).pipe(
    Effect.map(({ exitCode, stdout }) => (exitCode === 0 ? nameIn(new TextDecoder().decode(stdout)) : null)),
    Effect.orElseSucceed(() => null)
  )

const nameIn = (text: string): string | null => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u.exec(text.trim())?.[0] ?? null
