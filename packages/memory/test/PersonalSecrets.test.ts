/**
 * Codes, logins and numbers of accounts and cards, which people leave in notes; and lookalikes that are not secrets.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { notes as templates } from "../../../bench/src/retrieval/Corpus.ts"
import * as NaturalSet from "../../../bench/src/retrieval/natural/NaturalSet.ts"
import { SecretPatterns } from "../src/index.ts"

const hidden: ReadonlyArray<readonly [text: string, redacted: string]> = [
  ["login for the router: admin / sunflower22", "login for the router: admin / [redacted: password]"],
  ["Zugang Router: admin/Sonnenblume22", "Zugang Router: admin/[redacted: password]"],
  ["user: bob / Secr3t!x", "user: bob / [redacted: password]"],
  ["Das Passwort zu Hause ist Blaubeere-7731!", "Das Passwort zu Hause ist [redacted: password]"],
  ["PIN 4711", "PIN [redacted: PIN]"],
  ["Die PIN der EC-Karte ist 4711", "Die PIN der EC-Karte ist [redacted: PIN]"],
  ["Geheimzahl für die Karte lautet 0815", "Geheimzahl für die Karte lautet [redacted: PIN]"],
  ["Türcode 4711#", "Türcode [redacted: PIN]#"],
  ["código PIN: 2580", "código PIN: [redacted: PIN]"],
  ["the code for the garage is 9988.", "the code for the garage is [redacted: PIN]."],
  ["PUK: 12345678", "PUK: [redacted: PIN]"],
  ["IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX", "IBAN [redacted: IBAN], BIC COBADEFFXXX"],
  ["BE68 5390 0754 7034 KBC", "[redacted: IBAN] KBC"],
  ["konto at61 1904 3002 3457 3201", "konto [redacted: IBAN]"],
  ["Visa 4111 1111 1111 1111 CVC 123 exp 12/29", "Visa [redacted: card number] CVC [redacted: card code] exp 12/29"],
  ["card number 4012888888881881", "card number [redacted: card number]"],
  ["3782-822463-10005", "[redacted: card number]"]
]

const open = [
  "The PIN was changed in 2023",
  "PIN entry is limited to 3 attempts, since 2024",
  "PIN 4711-0815 board",
  "chip has pin 1234 as ground",
  "Order 4012888888881881 shipped",
  "order 4012 8888 8888 1882 shipped",
  "IMEI 490154203237518",
  "ISBN 978-3-16-148410-0",
  "Phone +49 170 1234567",
  "DE89 3704 0044 0532 0130 01",
  "login: google/oauth2",
  "login page: users / settings",
  "user roles: admin / editor / viewer",
  "user story: checkout / step2of3",
  "Router: FritzBox 7590 / firmware 7.57",
  "the password policy for guests is unchanged since 2024",
  "wifi: guest / no password",
  "Steuernummer 12/345/67890",
  "access code coverage 8500 lines",
  "The safe code path returns 404",
  "CVC meeting in room 123",
  "alarm code E42"
]

const shown = ({ id, text }: { readonly id: string; readonly text: string }) =>
  SecretPatterns.redact(text).hidden.map((name) => `${id}: ${name}`)

const Digits = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))).check(
  Schema.isMinLength(14),
  Schema.isMaxLength(14)
)

describe("SecretPatterns of personal data", () => {
  it.each(hidden)("%s", (text, redacted) => {
    assert.strictEqual(SecretPatterns.redact(text).text, redacted)
  })

  it.each(open)("finds no secret in: %s", (text) => {
    assert.deepStrictEqual(SecretPatterns.redact(text), { text, hidden: [] })
  })

  it("finds none in the 2,160 notes of the templates, and of the natural ones in exactly those that contain one", () => {
    assert.lengthOf(templates, 2160)
    assert.deepStrictEqual(
      templates.flatMap(({ text }, n) => shown({ id: `${n}`, text })),
      []
    )
    for (const note of NaturalSet.notes)
      if (shown(note).length > 0) assert.include(NaturalSet.secrets, note.id, note.text)
  })

  it.prop("an IBAN of any number is valid with its own check digits, and with no others", [Digits], ([digits]) => {
    const account = `${digits.join("")}0000`
    // DE is 1314, and the check digits are 98 minus the remainder of the whole with 00 for them.
    const check = 98 - Number(BigInt(`${account}131400`) % 97n)
    for (const input of [check, (check % 96) + 2]) {
      const { hidden: found } = SecretPatterns.redact(`to DE${String(input).padStart(2, "0")}${account} please`)
      assert.deepStrictEqual(found, input === check ? ["IBAN"] : [])
    }
  })
})
