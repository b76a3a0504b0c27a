/**
 * Finds codes of digits by their names ("PIN 4711", "Geheimzahl", "CVC: 123"), and user names followed by a slash and a
 * password.
 */
import { looksMade, password } from "./NamedSecrets.ts"
import type { Format } from "./TokenFormats.ts"

const assigned = String.raw`\s{0,2}[:=：]\s{0,2}`
const said = String.raw`\s(?:is|are|was|ist|lautet|war|est|es|è|é)(?:\s(?:now|jetzt))?\s`
/** Matches the purpose between a code's name and the code: "for the card" in "PIN for the card: 4711". */
const purpose = String.raw`\s(?:for|of|to|on|at|für|fürs|der|des|vom|von|zum|zur|am|beim|de|du|della|del|para|pour|van|voor|da|do)\s[^\n.:;=[]{1,40}?`

const codes = (name: string, called: string, { digits = "{3,12}", flags = "giu" } = {}): Format => ({
  name,
  pattern: new RegExp(
    String.raw`(?<=(?<!\p{L})(?:${called})(?:(?:${purpose})?(?:${assigned}|${said})|\s))\d${digits}(?![\p{L}\d.,:-]?\d|\p{L})`,
    flags
  )
})

const inWords = [
  "pin[- ]?(?:code|number|nummer)",
  "code pin",
  "c[oó]digo pin",
  "codice pin",
  "geheim(?:zahl|nummer|code)",
  "(?:zugangs|zutritts|tür|haustür|entsperr|alarm|safe|tresor|sperr)-?code",
  "(?:door|gate|alarm|safe|lock|garage|entry|access|unlock|lockbox)[- ](?:code|combination)",
  "(?:code|combination) (?:for|of|to) the (?:door|gate|alarm|safe|lock|garage|lockbox)",
  "code secret",
  "digicode",
  "puk"
].join("|")

const cardCodes = "cvc2?|cvv2?|card security code|kartenpr(?:ü|ue)fnummer|pr(?:ü|ue)fziffer der karte"

const accounts =
  "log-?ins?|log-?on|credentials|creds|zugang(?:sdaten)?|anmeld(?:ung|edaten)|identifiants?|acc[eè]s|acceso|credenciales|credenziali|accesso|inlog(?:gegevens)?|wlan|wi-?fi|ssid|router"
/** Words for a user name, which also occur in many sentences about other things. */
const users = "user(?:name)?|benutzer(?:name)?"

export const formats: ReadonlyArray<Format> = [
  codes("card code", cardCodes, { digits: "{3,4}" }),
  // Only in capitals, because chips also have pins.
  codes("PIN", "PIN", { digits: "{4,8}", flags: "gu" }),
  codes("PIN", inWords),
  // "The password of the guests at home is …": the code may be further from the name than for a bare word.
  {
    name: "password",
    pattern: new RegExp(String.raw`(?<=${password}\s[^\n.:;=]{1,40}?(?:${assigned}|${said}))[^\s"'\x60,;]{8,}`, "giu"),
    accepts: looksMade(8)
  },
  {
    name: "password",
    pattern: new RegExp(
      String.raw`(?<=(?<!\p{L})(?:(?:${accounts})(?!\p{L})[^\n:=]{0,60}|${users})${assigned}[^\s/|:=]{2,64}\s?[/|]\s?)[^\s"'\x60,;/|]{6,}`,
      "giu"
    ),
    accepts: looksMade(6)
  }
]
