/** An address in a question always names the host that it leads to. */
import { assert, describe, it } from "@effect/vitest"
import * as AddressText from "../src/AddressText.ts"

const apple = "аррӏе.com"
const sent = "xn--80ak6aa92e.com"
const long = "a".repeat(400)

describe("the text of an address", () => {
  it.each([
    [`http://${apple}/login`, `http://${sent}/login (in its own letters ${apple})`],
    ["https://bank.com@evil.test/x", "https://bank.com@evil.test/x (its host is evil.test)"],
    ["https://:bank.com@evil.test:8443/", "https://:bank.com@evil.test:8443/ (its host is evil.test:8443)"],
    [`https://bank.com@${apple}/`, `https://bank.com@${sent}/ (its host is ${sent}; in its own letters ${apple})`],
    [`//${apple}/x`, `//${apple}/x (its host is ${sent})`],
    [`${apple}:443/x`, `${apple}:443/x (its host is ${sent})`],
    ["https://evil.test\\@bank.com/", "https://evil.test/@bank.com/"],
    ["https://ｅvil。test/", "https://evil.test/"],
    ["no address", "no address"]
  ])("%s names the host that is sent", (address, text) => {
    assert.strictEqual(AddressText.formatAddress(address), text)
  })

  it("names the host that a truncation would cut off", () => {
    assert.match(AddressText.formatAddress(`https://bank.com${long}@evil.test/`), /… \(its host is evil\.test\)$/u)
    assert.match(AddressText.formatAddress(`https://bank.com.${long}.evil.test/`), /a\.evil\.test\)$/u)
    assert.match(AddressText.formatAddress(`https://evil.test/${long}`), /^https:\/\/evil\.test\/a+…$/u)
  })
})
