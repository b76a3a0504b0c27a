/** Runs a command about users on the data folder, beside a gateway that may be serving from it. */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AccountsSql from "../accounts/AccountsSql.ts"
import * as Quotas from "../accounts/Quotas.ts"
import * as GatewayDatabase from "../database/GatewayDatabase.ts"
import { DataDirectory } from "./DataDirectory.ts"

const services = (dataDirectory: string) =>
  Layer.provideMerge(Quotas.layer, AccountsSql.layer).pipe(Layer.provide(GatewayDatabase.layer(dataDirectory)))

type Services = Layer.Success<ReturnType<typeof services>>

/** Provides the effect with the accounts of the folder that `--data` names. */
export const onAccounts = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(DataDirectory, ({ dataDirectory }) =>
    Effect.scoped(
      Effect.flatMap(Layer.build(services(dataDirectory)), (context) =>
        Effect.provide(effect as Effect.Effect<A, E, R | Services>, context)
      )
    )
  )

/** Prints rows as a table, or the values as JSON. */
export const printRows = <A>(
  values: ReadonlyArray<A>,
  options: { readonly json: boolean; readonly columns: Readonly<Record<string, (value: A) => string>> }
) => {
  if (options.json) return Console.log(JSON.stringify(values, null, 2))
  const columns = Object.entries(options.columns)
  const rows = [columns.map(([title]) => title), ...values.map((value) => columns.map(([, cell]) => cell(value)))]
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join("  ")
      .trimEnd()
  )
  return Console.log(lines.join("\n"))
}

export const formatTime = (millis: number | null, absent: string): string =>
  millis === null ? absent : new Date(millis).toISOString().slice(0, 16).replace("T", " ")
