/** The reasons why a model's reply is rejected, as errors that name the next step. */
import { ModelError } from "../ports/Model.ts"

export const unreadable = (model: string, fault: string) => badResponse(model, `cannot be recorded: ${fault}`)

export const malformed = (model: string, fault: string) => badResponse(model, `cannot be read: ${fault}`)

const badResponse = (model: string, fault: string) =>
  new ModelError({
    reason: "BadResponse",
    model,
    message: `the model's answer ${fault}`,
    hint: "no call of it was run; try again, or choose another model",
    retryable: false,
    retryAfterMillis: null
  })

export const streamCut = (model: string) =>
  new ModelError({
    reason: "StreamCut",
    model,
    message: "the model's answer was cut off",
    hint: "no call of it was run; try again",
    retryable: true,
    retryAfterMillis: null
  })

export const tooLarge = (model: string, exceeded: string) =>
  new ModelError({
    reason: "StreamCut",
    model,
    message: `the model's answer was cut off: it has ${exceeded}`,
    hint: "no call of it was run; ask for less at a time, or use another model",
    retryable: false,
    retryAfterMillis: null
  })
