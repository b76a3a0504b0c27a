/** Lookalike hosts, as an approval shows them to the user. */
import type { Approval } from "@bough/protocol"
import { Session } from "@bough/protocol"
import { plain } from "@bough/tui/theme/Style"
import { assert, describe, it } from "@effect/vitest"
import * as ApprovalText from "../../src/format/ApprovalText.ts"
import * as Hosts from "../../src/format/Hosts.ts"

/** All Cyrillic. */
const apple = "\u0430\u0440\u0440\u04CF\u0435.com"

describe("Hosts", () => {
  it.each([
    [`POST http://${apple}/login`, `POST http://${apple} [xn--80ak6aa92e.com]/login`],
    [`https://a:b@${apple}:8443?x`, `https://a:b@${apple} [xn--80ak6aa92e.com]:8443?x`],
    [`https://apple.com@${apple}/`, `https://apple.com@${apple} [xn--80ak6aa92e.com]/`],
    [`it goes to ${apple}, which`, `it goes to ${apple} [xn--80ak6aa92e.com], which`],
    ["ssh://www.\uFF45vil\uFF0Ecom/x", "ssh://www.\uFF45vil\uFF0Ecom [www.evil.com]/x"],
    ["http://2130706433/ or http://0x7f.1", "http://2130706433 [127.0.0.1]/ or http://0x7f.1 [127.0.0.1]"],
    ["http://user:example.com@2130706433/x", "http://user:example.com@2130706433 [127.0.0.1]/x"],
    ["http://[0:0:0:0:0:0:0:1]:80/", "http://[0:0:0:0:0:0:0:1] [[::1]]:80/"],
    ["https://b\u00FCcher.example/", "https://b\u00FCcher.example [xn--bcher-kva.example]/"],
    ["https://EXAMPLE.com/ a.b.c 1.2.3 мир e.g. file.txt http:// https://xn--80ak6aa92e.com", null]
  ])("%s", (text, expected) => {
    assert.strictEqual(Hosts.withCanonical(text), expected ?? text)
  })

  it("are named in the arguments, in the reason and in a warning of their own", () => {
    const request: Approval.Request = {
      approvalId: Session.ApprovalId.make("apr_1"),
      sessionPath: [Session.SessionId.make("ses_1")],
      toolCallId: Session.ToolCallId.make("t1"),
      tool: "http_request",
      version: 1,
      tier: "Elevated",
      arguments: JSON.stringify({ url: `http://${apple}/login` }),
      argumentsDigest: "sha256:0",
      preview: { render: "", preconditions: [] },
      reason: `it sends to ${apple}`,
      askedAtMillis: 0,
      expiresAtMillis: 1
    }
    const rows = ApprovalText.question({ request, askedBy: [] }, null, { columns: 100, rows: 40, style: plain })
    assert.include<string>(rows.join("\n"), `│ url: http://${apple} [xn--80ak6aa92e.com]/login\n`)
    assert.include<string>(rows.join("\n"), `│ reason: it sends to ${apple} [xn--80ak6aa92e.com]`)
    assert.include<string>(rows.join("\n"), `! ${apple} is xn--80ak6aa92e.com`)
    const previewed = { ...request, preview: { render: `$ curl http://${apple}/x`, preconditions: [] } }
    const shown = ApprovalText.question({ request: previewed, askedBy: [] }, null, {
      columns: 100,
      rows: 40,
      style: plain
    })
    assert.include<string>(shown.join("\n"), `│ $ curl http://${apple}/x`)
    assert.include<string>(shown.join("\n"), `! ${apple} is xn--80ak6aa92e.com`)
  })
})
