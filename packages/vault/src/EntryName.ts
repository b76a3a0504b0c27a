/** The names of vault entries. Each is a valid variable name, so that a command can get the value as a variable. */
import * as Result from "effect/Result"
import { failed, type VaultFailed } from "./VaultFailed.ts"

const maxLength = 128
const shape = /^[A-Z][A-Z0-9_]*$/u

/**
 * Variables that loaders, shells, interpreters and git interpret: a value under such a name could run or redirect a
 * program.
 */
const obeyed =
  /^(?:LD_.*|DYLD_.*|PATH|HOME|SHELL|ENV|IFS|CDPATH|TMPDIR|BASH.*|PS[0-9]|PROMPT_COMMAND|NODE_OPTIONS|NODE_PATH|PYTHON(?:PATH|STARTUP|HOME)|PERL5(?:LIB|OPT)|PERLLIB|RUBY(?:LIB|OPT)|JAVA_TOOL_OPTIONS|EDITOR|VISUAL|PAGER|LESSOPEN|GIT_(?:CONFIG.*|DIR|EXEC_PATH|SSH.*|EDITOR|PAGER|EXTERNAL_DIFF|PROXY_COMMAND)|BOUGH_.*|HTTPS?_PROXY|ALL_PROXY|NO_PROXY)$/u

/** Returns the name if it is valid for an entry. */
export const check = (name: string): Result.Result<string, VaultFailed> => {
  if (!shape.test(name) || name.length > maxLength) {
    return Result.fail(
      failed(
        `a vault entry cannot be called ${JSON.stringify(name.slice(0, maxLength))}`,
        "use capital letters, digits and _, as in NPM_TOKEN"
      )
    )
  }
  return obeyed.test(name)
    ? Result.fail(
        failed(`a vault entry cannot be called ${name}: programs act on a variable of this name`, "choose another name")
      )
    : Result.succeed(name)
}
