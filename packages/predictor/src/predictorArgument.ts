/** The argument that is a predictor, for checks of a program's values. */
import * as Expected from "@bough/tool/Expected"

export const predictorArgument: Expected.Expected = Expected.object("a predictor of Predictor.make", {
  name: Expected.string,
  signature: Expected.object("the signature of its input and output")
})
