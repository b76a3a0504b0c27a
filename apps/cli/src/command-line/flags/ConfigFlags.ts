/** The flags of several commands of `config`. */
import * as Shapes from "./Shapes.ts"

export const project = Shapes.toggle("project", "Use the project's .bough/config.jsonc instead of your own file")

const keyText = 'Key such as limits.maxSteps; quote a part that contains dots: prices."a/b-1.5"'

export const key = Shapes.argument("KEY", keyText)

export const optionalKey = Shapes.optionalArgument("KEY", keyText)
