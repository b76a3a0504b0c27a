/** The vault of the user at the terminal. Commands of agents cannot open it: tools request single entries. */
import * as Home from "@bough/host/config/Home"
import * as SessionVault from "@bough/host/session/SessionVault"
import { text } from "@bough/tui/text/SafeText"
import { Copies, Vault, VaultFailed } from "@bough/vault"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { CliFailure, exitCode, failure } from "../CliFailure.ts"
import * as Lineage from "../io/Lineage.ts"
import type { Program } from "../Program.ts"

export interface OpenedVault {
  readonly vault: Vault.Vault
  readonly copies: Copies.Copies
}

export const open = (program: Program): Effect.Effect<OpenedVault, CliFailure> =>
  Effect.suspend(() => {
    const { environment, terminal } = program
    const data = Home.dataDirectory(environment)
    const database = join(data, "bough.db")
    if (Lineage.isRunByAgent({ parent: process.ppid, variables: environment.variables, database })) {
      return Effect.fail(
        new CliFailure({
          code: exitCode.needsApproval,
          message: "commands of an agent cannot open the vault",
          hint: "the tools copy_from_vault and run_command ask for an entry by its name",
          details: ""
        })
      )
    }
    const directory = SessionVault.directoryIn(data)
    const fromEnvironment = environment.variables[SessionVault.passphraseVariable]
    const passphrase = (isNew: boolean): Effect.Effect<string | null> => {
      if (fromEnvironment !== undefined && fromEnvironment !== "") return Effect.succeed(fromEnvironment)
      return terminal.isInteractive
        ? terminal.readHidden(isNew ? text`New passphrase of the vault: ` : text`Passphrase of the vault: `)
        : Effect.succeed(null)
    }
    return Effect.succeed({ vault: Vault.make({ directory, passphrase }), copies: Copies.make(directory) })
  })

/** Turns a failure of the vault into a failure of the program. */
export const toCliFailure = (error: VaultFailed): CliFailure => failure(error.message, error.hint, error)
