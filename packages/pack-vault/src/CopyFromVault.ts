/**
 * `copy_from_vault`: copies a secret or a private file of the user to a file of the workspace; neither the model nor the
 * journal sees the content.
 */
import { ToolError } from "@bough/protocol"
import { Artifact, Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * The copied entry and its destination. The receipt has no digest of the content, since a short value could be guessed
 * from a digest.
 */
export const VaultCopied = Artifact.make("VaultCopied", { name: Schema.String, path: Schema.String })

export const CopyFromVault = Tool.make("copy_from_vault", {
  version: 1,
  description:
    "Write an entry of the user's vault to a file without seeing it; run_command takes entries as variables instead",
  tier: "Elevated",
  replay: "Idempotent",
  capabilities: [Capability.Vault, Capability.WorkspaceRead, Capability.WorkspaceWrite],
  parameters: Schema.Struct({
    name: Schema.NonEmptyString.annotate({ description: "Entry name, such as NPM_TOKEN" }),
    path: Schema.NonEmptyString.annotate({ description: "A new file" })
  }),
  output: Schema.Struct({ path: Schema.String, created: Schema.Boolean }),
  forModel: ({ created, path }) =>
    `${created ? "Created" : "Replaced"} ${path}; its content is hidden from you, and commands can read it`,
  classify: ({ name, path }) =>
    Effect.succeed({ tier: "Elevated", reason: `the vault entry ${name} is put into ${path}` }),
  preview: Effect.fnUntraced(function* ({ name, path }) {
    const workspace = yield* Capability.WorkspaceRead
    const subject = yield* workspace.inspect(path)
    const fileExists = (yield* workspace.digest(path)) !== null
    const state = fileExists ? "an earlier copy there is replaced" : "a new file"
    return {
      render: `Copy the vault entry ${name} to ${subject.path} (${state}).\nCommands of the workspace can read the file. The agent cannot, unless you approve it.`,
      // A digest of the current content would be the digest of a secret.
      preconditions: [{ key: `vault copy ${subject.path}`, digest: fileExists ? "there" : "nothing" }]
    }
  }),
  execute: Effect.fnUntraced(function* ({ name, path }) {
    const vault = yield* Capability.Vault
    const workspaceRead = yield* Capability.WorkspaceRead
    const workspaceWrite = yield* Capability.WorkspaceWrite
    const subject = yield* workspaceRead.inspect(path)
    const fileExists = (yield* workspaceRead.digest(path)) !== null
    if (fileExists && !(yield* vault.isCopy(subject.path))) {
      return yield* new ToolError.ExecutionError({
        message: `${subject.path} exists already and is not a copy of a vault entry`,
        hint: "choose another path, or ask the user to move the file away"
      })
    }
    const value = yield* vault.read(name, "name")
    yield* vault.markCopy(name, subject.path)
    const written = yield* workspaceWrite.writePrivateFile(path, value, fileExists ? undefined : null)
    return Tool.result({
      output: { path: written.path, created: written.created },
      display: `Copied the vault entry ${name} to ${written.path}`,
      artifacts: [VaultCopied({ name, path: written.path })]
    })
  })
})
