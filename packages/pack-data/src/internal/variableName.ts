/** The valid names of environment variables. */
import * as Schema from "effect/Schema"

export const VariableName = Schema.String.check(Schema.isPattern(/^[A-Za-z_][A-Za-z0-9_]*$/), Schema.isMaxLength(128))
