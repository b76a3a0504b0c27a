/** Replaces the parts that differ from run to run with brackets, so that screens can be compared. */
import { userInfo } from "node:os"

export const steady = (text: string): string =>
  text
    .replaceAll(userInfo().username, "[user]")
    .replaceAll(/\bbough \d+\.\d+\.\d+\S*/gu, "bough [version]")
    .replaceAll(/\bses_[0-9a-f]+…?/gu, "[session]")
    .replaceAll(/\b\d+(?:\.\d+)? s\b/gu, "[time]")
    .replaceAll(/sha256:[0-9a-f]+/gu, "[digest]")
    .replaceAll(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/gu, "*")
