/** Tests of texts that may not be recalled automatically. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as SensitiveText from "../src/SensitiveText.ts"

/** A card number of these digits, with the valid check digit. */
const card = (digits: ReadonlyArray<number>): string => {
  const sum = digits.toReversed().reduce((before, digit, place) => {
    const counted = place % 2 === 0 ? digit * 2 : digit
    return before + (counted > 9 ? counted - 9 : counted)
  }, 0)
  return [...digits, (10 - (sum % 10)) % 10].join("")
}

const Digit = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))
const Digits = Schema.Array(Digit).check(Schema.isMinLength(15), Schema.isMaxLength(15))

describe("SensitiveText", () => {
  it.each([
    "my token is ghp_0123456789abcdefghijABCDEFGHIJ012345",
    "Het wachtwoord van het portaal is Zonnebloem#88.",
    "Das Passwort vom Router lautet Blaubeere-7731",
    "mot de passe du NAS : Mouette!2024rouge",
    "Die PIN für die Alarmanlage ist 447190.",
    "Das WLAN-Passwort zu Hause ist Blaubeere-7731!",
    "login for the router: admin / sunflower22",
    "Die PIN meiner Karte ist 4471",
    "The PIN for the alarm is 447190.",
    "IBAN: DE89 3704 0044 0532 0130 00",
    "pay to GB82WEST12345698765432, please",
    "Konto NL91ABNA0417164300",
    "card 4111 1111 1111 1111, valid until 09/29",
    "4111-1111-1111-1111"
  ])("is %j", (text) => {
    assert.isTrue(SensitiveText.isSensitive(text))
  })

  it.each([
    "The order number is 4111 1111 1111 1112",
    "DE89 3704 0044 0532 0130 01 is no account of anybody",
    "Deploys go out at 10:15 on 2026-03-04, build 20260304123456",
    "ISBN 978-3-16-148410-0",
    "0000 0000 0000 0000",
    "The password policy asks for twelve characters",
    "After three wrong passwords the account is locked for 15 minutes.",
    "The login page: /login/v2 is served by the gateway",
    "Pinned versions: effect 4.1.0",
    "AB12 is the gate, and BOARDING begins at 9"
  ])("is not %j", (text) => {
    assert.isFalse(SensitiveText.isSensitive(text))
  })

  it.prop("recognises a card by its check digit alone", [Digits], ([digits]) => {
    if (new Set(digits).size < 3) return assert.isAtMost(new Set(digits).size, 2)
    const right = card(digits)
    assert.isTrue(SensitiveText.isSensitive(`card ${right}`))
    const wrong = right.slice(0, -1) + String((Number(right.at(-1)) + 1) % 10)
    return assert.isFalse(SensitiveText.isSensitive(`order ${wrong}`))
  })
})
