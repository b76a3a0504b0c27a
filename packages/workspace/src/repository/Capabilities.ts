/** The repository as the capabilities of one call. Each use opens it again, because its settings may have changed. */
import type { ToolError } from "@bough/protocol"
import type { RepositoryPush, RepositoryRead, RepositoryWrite } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { View } from "../internal/openFile.ts"
import type * as HostProgram from "./HostProgram.ts"
import type { Identity, UserVariables } from "./Identity.ts"
import type * as Operations from "./Operations.ts"
import type { Git, OpenContext } from "./Repository.ts"

export interface RepositoryLocation extends OpenContext {
  readonly variables: UserVariables
}

interface ViewedRepository extends RepositoryLocation {
  readonly view: View
}

interface OpenedRepository {
  readonly git: Git
  readonly operations: typeof Operations
}

/** Loads the code at the first use of a repository. */
const withRepository = <A>(
  location: RepositoryLocation,
  use: (opened: OpenedRepository) => Effect.Effect<A, ToolError.ToolError>
) =>
  Effect.flatMap(
    Effect.promise(() => import("./Operations.ts")),
    (operations) => Effect.flatMap(operations.Repository.open(location), (git) => use({ git, operations }))
  )

export const reads = (repository: ViewedRepository): Omit<RepositoryRead.RepositoryRead["Service"], "unsaved"> => {
  const { view } = repository
  return {
    status: (limit) => withRepository(repository, ({ git, operations }) => operations.Status.read(git, view, limit)),
    diff: (options) => withRepository(repository, ({ git, operations }) => operations.Diff.read(git, view, options)),
    log: (options) => withRepository(repository, ({ git, operations }) => operations.History.log(git, view, options)),
    commit: (revision) => withRepository(repository, ({ git, operations }) => operations.History.commit(git, revision)),
    blame: (options) =>
      withRepository(repository, ({ git, operations }) => operations.History.blame(git, view, options)),
    branches: (limit) => withRepository(repository, ({ git, operations }) => operations.History.branches(git, limit)),
    outgoing: (options) =>
      withRepository(repository, ({ git, operations }) => operations.History.outgoingCommits(git, view, options)),
    proposal: (options) =>
      withRepository(repository, ({ git, operations }) => operations.Proposal.read(git, view, options)),
    list: (commit, path, options) =>
      withRepository(repository, ({ git, operations }) =>
        operations.CommittedFiles.list(git, view, { ...options, commit, path })
      ),
    search: (commit, options) =>
      withRepository(repository, ({ git, operations }) =>
        operations.CommittedFiles.search(git, view, { ...options, commit })
      ),
    readFile: (commit, path, maxBytes) =>
      withRepository(repository, ({ git, operations }) =>
        operations.History.readFile(git, view, { commit, path, maxBytes })
      )
  }
}

export const writes = (repository: ViewedRepository): RepositoryWrite.RepositoryWrite["Service"] => {
  const { view } = repository
  const asPerson = <A>(use: (opened: OpenedRepository, identity: Identity) => Effect.Effect<A, ToolError.ToolError>) =>
    withRepository(repository, (opened) =>
      Effect.flatMap(opened.operations.Identity.read({ ...repository, git: opened.git }), (identity) =>
        use(opened, identity)
      )
    )
  return {
    commit: (options) =>
      asPerson(({ git, operations }, identity) => operations.Commits.commit(git, view, { ...options, identity })),
    createBranch: (options) =>
      withRepository(repository, ({ git, operations }) => operations.Branches.create(git, options)),
    switchTo: (options) =>
      withRepository(repository, ({ git, operations }) => operations.Branches.switchTo(git, view, options)),
    stash: (message, untracked) =>
      asPerson(({ git, operations }, identity) =>
        operations.Branches.stash(git, view, { message, untracked, identity })
      ),
    unstash: (options) =>
      asPerson(({ git, operations }, identity) => operations.Branches.unstash(git, { ...options, identity })),
    stashes: withRepository(repository, ({ git, operations }) => operations.Branches.stashes(git))
  }
}

export const pushes = (
  repository: RepositoryLocation & Pick<HostProgram.HostSearch, "writable">
): RepositoryPush.RepositoryPush["Service"] => ({
  push: (options) =>
    withRepository(repository, ({ git, operations }) => operations.Push.push({ ...repository, git }, options)),
  openPullRequest: (options) =>
    withRepository(repository, ({ git, operations }) =>
      operations.PullRequests.open({ ...repository, root: git.root.path, git }, options)
    )
})
