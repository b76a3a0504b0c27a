/**
 * Tests of the notes that are recalled for messages of a user with a young memory. Among a few dozen notes every word
 * is on one or two, so that words of any message look as rare as a topic.
 */
import { Note } from "@bough/protocol"
import { SessionStoreSql } from "@bough/store-sqlite"
import { NoteStore } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Memory } from "../src/index.ts"
import { temporaryDirectory } from "./World.ts"

const place = { user: "sam", hold: null }

const notes: Readonly<Record<string, string>> = {
  n1: "Python code is formatted with black at line length 100, never autopep8.",
  n2: "Write tests with pytest fixtures; unittest classes are not wanted in new code.",
  n3: "Background jobs run in Celery with Redis as the broker; we do not add RQ.",
  n4: "The staging database is on host db-stg-2 and is rebuilt every Sunday night from an anonymised dump.",
  n5: "Production runs in AWS eu-central-1; the second region eu-west-1 only holds backups.",
  n6: "Terraform state lives in the S3 bucket hive-tfstate, locked by a DynamoDB table.",
  n7: "Priya is on call in odd weeks, Tomasz in even weeks.",
  n8: "The customer portal's session cookie expires after 20 minutes of inactivity.",
  n9: "Feature branches are squashed on merge; the pull request title becomes the commit subject.",
  n10: "The nightly export to the tax office (ELSTER) fails if a company name has an ampersand.",
  n11: "The load balancer drops idle websocket connections after 60 seconds, so the client pings every 25.",
  n12: "Dates in the API are ISO 8601 in UTC; the browser converts them to local time.",
  n13: "Our SLA (service level agreement) with Nordwind promises 99.9 % uptime and an answer within four hours.",
  n14: "Vendor invoices go to rechnungen@imkerei-krause.example, subject with the order number.",
  n15: "Hive 3 has a queen from 2024, marked green; hive 5 swarmed last May.",
  n16: "Varroa treatment with oxalic acid is due in December when the colonies have no brood.",
  n17: "The honey extractor is borrowed from Karl-Heinz and has to be back by the end of July.",
  n18: "Die Bienenstöcke stehen am Waldrand hinter dem Friedhof von Oberlauter.",
  n19: "Der Hausarzt Dr. Wieland hat mittwochs nachmittags geschlossen.",
  n20: "Die Kaution für die Wohnung beträgt 2.400 Euro und liegt auf einem Sparbuch bei der Volksbank.",
  n21: "Das Auto muss im September zum TÜV; die Winterreifen sind im Keller von Oma Lotte eingelagert.",
  n22: "Choir rehearsal is on Thursdays at 19:30 in the parish hall; bring a pencil and the Rutter score.",
  n23: "I sing second bass, and I cannot make the concert on 14 June.",
  n24: "Mila (8) is allergic to hazelnuts; the epinephrine pen is in the red pouch.",
  n25: "Mila's school starts at 7:50; her teacher is Frau Aydin.",
  n26: "Swimming lessons for Mila are on Saturday mornings at ten in the Hallenbad.",
  n27: "Our anniversary is on 3 October; Jana likes dahlias and dislikes surprises.",
  n28: "Jana is vegetarian but eats fish.",
  n29: "母の誕生日は11月3日で、好きな花は百合です。",
  n30: "東京の実家の郵便番号は157-0066です。",
  n31: "成田からの便は朝が安い。窓側の席を予約すること。",
  n32: "日本語の返事は敬語でお願いします。",
  n33: "We log with structlog as JSON; print statements fail the review.",
  n34: "Sentry alerts go to the channel #hive-alarms, and the noisy ones from the crawler are muted.",
  n35: "The PDF invoices are made by WeasyPrint 62; version 63 breaks the page numbers.",
  n36: "Money is stored in integer cents, never in floats.",
  n37: "The mobile app is Flutter; only Elif has the signing key for the Play Store.",
  n38: "CI runs on self-hosted runners in the basement; the one called toaster is slow and often out of disk.",
  n39: "Explain trade-offs in two or three sentences before a bigger change, then wait.",
  n40: "No emojis in code comments or commit messages.",
  n41: "Weekly planning is on Mondays at 10:00.",
  n42: "Weekly planning moved to Tuesdays at 9:15.",
  n43: "The API rate limit is 100 requests a minute per key.",
  n44: "Since June the API rate limit is 300 requests a minute per key.",
  n45: "The landlord is Frau Schobert; she prefers letters to e-mail.",
  n46: "The bike's rear tyre is a 28-622 Marathon Plus at 5 bar.",
  n47: "The espresso machine needs descaling every two months; the filter is a BWT one.",
  n48: "For the sailing trip we rented a Bavaria 37 from Biograd from 22 to 29 August.",
  n49: "Croatian boat licences need a VHF (very high frequency) radio certificate as well.",
  n50: "My dentist is Dr. Okonkwo on Bahnhofstrasse; the next check-up is in November.",
  n51: "The wifi at the allotment is called Bienenfunk, and it goes down when it rains.",
  n52: "We dropped GraphQL for the partner API: REST with OpenAPI only.",
  n53: "The search index is Meilisearch 1.9; typo tolerance is off for part numbers.",
  n54: "Kubernetes was evaluated and rejected in 2025; everything runs on ECS Fargate.",
  n55: "Migrations with locks over two seconds are run by Tomasz between 3 and 4 in the morning.",
  n56: "The retention of raw telemetry is 30 days, that of aggregates two years.",
  n57: "My blood group is A negative.",
  n58: "Login for the router at home: admin / Honig-2291!",
  n59: "The gift for Tomasz's farewell is a bread-baking course; 15 euros from each.",
  n60: "Sourdough starter is fed on Sunday evenings with rye flour, 1:1:1.",
  n61: "Honey is sold at 7.50 a jar at the market, 6 to friends.",
  n62: "Der Mähroboter fährt nur dienstags und freitags, wegen der Igel nie nachts.",
  n63: "Docker images are built from python:3.13-slim; alpine broke the wheels of numpy.",
  n64: "The error budget of the portal for the third quarter is used up; no risky releases before October.",
  n65: "Customers in Switzerland pay in CHF by QR-bill, with four decimal places nowhere.",
  n66: "The old importer written in Perl is kept alive by Gunnar and must not be touched without him.",
  n67: "User avatars are resized to 256 px WebP by a Lambda function.",
  n68: "We test e-mails with Mailpit on port 8025."
}

/** The messages with the notes that are useful for each; empty: it needs no note. */
const messages: ReadonlyArray<readonly [text: string, ...served: ReadonlyArray<string>]> = [
  ["hi there"],
  ["thanks a lot, see you tomorrow"],
  ["can you have a look at the failing test in test_views.py?"],
  ["make the table header sticky"],
  ["what is the time complexity of this?"],
  ["please write the README section about installation"],
  ["add type hints to this module"],
  ["why does this query take two seconds?"],
  ["run it again with more memory"],
  ["the last commit broke the build, find out why"],
  ["rename the user model's field to display_name"],
  ["what changed between these two versions?"],
  ["delete the old code, nobody needs it"],
  ["Kannst du das bitte noch einmal ausführen?"],
  ["Mach bitte weiter, das sieht gut aus."],
  ["ありがとう、続けてください"],
  ["how many lines does this file have?"],
  ["set the window title to the name of the page"],
  ["give me a summary of this PDF"],
  ["the button on the login page does nothing when I click it"],
  ["fix the spelling in the comments"],
  ["open the file at line 100 and read it to me"],
  ["what does a 502 from the load balancer mean?"],
  ["the search in the sidebar is slow, profile it"],
  ["show the last 30 days in the chart"],
  ["write a poem about autumn for the newsletter"],
  ["book a table for two on Saturday"],
  ["which port does this server listen on?"],
  ["the app crashes on start, here is the log"],
  ["please answer in German from now on"],
  ["add a retry to the Celery task that sends invoices", "n3"],
  ["write the Terraform backend block for the new stack", "n6"],
  ["the websocket connection drops after a minute on idle", "n11"],
  ["upgrade WeasyPrint to the latest version", "n35"],
  ["store the price of the new plan as a float column", "n36"],
  ["add a GraphQL endpoint for partners", "n52"],
  ["use alpine as the base image in the Dockerfile, it is smaller: python:3.13-alpine", "n63"],
  ["touch up the Perl importer so that it reads UTF-8", "n66"],
  ["I want to release the new portal this week although it is risky", "n64"],
  ["plan a dinner with fish for Jana", "n28"],
  ["bake hazelnut cookies for Mila's birthday", "n24"],
  ["schreib Frau Schobert wegen der Kaution", "n45", "n20"],
  ["raise the API rate limit in the docs to 200 requests a minute", "n44"],
  ["deploy the staging database dump to db-stg-2", "n4"],
  ["move the weekly planning to Friday in the calendar", "n42"],
  ["母の誕生日のカードを書いて", "n29"]
]

const germanNotes: Readonly<Record<string, string>> = {
  d0: "Die neue Heizung wird im Oktober eingebaut, der Monteur heißt Pohl.",
  d1: "Tests laufen bei uns mit Jest, neue Dateien bekommen immer die Endung .spec.ts.",
  d2: "Der letzte Bus nach Weinheim fährt um 23:10 Uhr.",
  d3: "Zahlungen gehen über Stripe, die Webhooks landen auf dem Dienst kasse.",
  d4: "Am ersten Montag im Monat ist Retrospektive.",
  d5: "Die Zeile mit dem Copyright steht in jeder Datei ganz oben.",
  d6: "Der Name der Datenbank in der Abnahme ist lager_abn.",
  d7: "Lukas hat eine Laktoseintoleranz.",
  d8: "Der Kindergarten schließt freitags um 14 Uhr.",
  d9: "Wir schreiben Kommentare auf Englisch, Tickets auf Deutsch.",
  d10: "Das Passwort für das WLAN im Büro hängt am Kühlschrank.",
  d11: "Die Garantie der Waschmaschine läuft bis März 2028.",
  d12: "Steuerberaterin ist Frau Lindner in Mannheim.",
  d13: "Fehler aus dem Shop landen in Sentry im Projekt laden-web.",
  d14: "Der Server für die Berichte wird jede Nacht um drei neu gestartet.",
  d15: "Releases gibt es dienstags, nie freitags.",
  d16: "Oma Hilde hat am 9. Mai Geburtstag und mag Pralinen.",
  d17: "Die Suche nutzt Elasticsearch 8, Updates nur mit Absprache.",
  d18: "Im Urlaub in Südtirol wohnen wir im Gasthof Zur Post.",
  d19: "Das Fahrrad steht im Keller links, Schloss mit Zahlen.",
  d20: "Die Prüfung für den Bootsschein ist am 12. September.",
  d21: "Kundennummern haben acht Stellen und beginnen mit 40.",
  d22: "Die Testdaten liegen im Ordner fixtures und werden nicht geändert.",
  d23: "Der Vertrag mit dem Hoster endet im Dezember, Kündigung drei Monate vorher.",
  d24: "Für die Schrift auf der Startseite nehmen wir Inter.",
  d25: "Lange Funktionen werden geteilt, mehr als 40 Zeilen sind zu viel.",
  d26: "Der Chor probt donnerstags im Gemeindehaus.",
  d27: "Die Tabelle auftraege hat zwei Millionen Zeilen, darum nur mit Index abfragen.",
  d28: "Mein Hausarzt ist im August im Urlaub.",
  d29: "Die App läuft auf Android ab Version 10."
}

const germanMessages: typeof messages = [
  ["Kannst du die letzte Änderung bitte rückgängig machen?"],
  ["Lies die Datei und sag mir, was in Zeile 40 steht."],
  ["Gib der Funktion einen besseren Namen."],
  ["Das läuft auf meinem Rechner nicht, schau mal nach."],
  ["Schreib mir eine kurze Zusammenfassung von diesem Text."],
  ["Danke, das reicht für heute."],
  ["Wie viele Zeilen hat diese Datei?"],
  ["Ändere die Farbe im ersten Absatz."],
  ["Was ist der Unterschied zwischen zwei und drei?"],
  ["Mach eine neue Datei mit dem Namen liste.txt."],
  ["Führ die Tests aus und zeig mir die Fehler."],
  ["Starte den Server neu und warte, bis er läuft."],
  ["Warum ist die Suche so langsam?"],
  ["Teile diese lange Funktion in zwei Teile."],
  ["Baue die Webhooks von Stripe ein", "d3"],
  ["Plane das Release für Freitag", "d15"],
  ["Koch etwas ohne Milch für Lukas mit Laktoseintoleranz", "d7"],
  ["schreib eine Abfrage auf der Tabelle auftraege ohne Index", "d27"]
]

describe("a young memory", () => {
  it.live.each([
    { language: "English", notes, messages, maxNeedless: 2, minServed: 14, minPrecision: 0.8 },
    {
      language: "German",
      notes: germanNotes,
      messages: germanMessages,
      maxNeedless: 2,
      minServed: 4,
      minPrecision: 0.6
    }
  ])("in $language adds notes to most messages that need them, to hardly any other, and mostly the right ones", (own) =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const joined = yield* Effect.gen(function* () {
        const store = yield* NoteStore.NoteStore
        const draft = { kind: "fact", tags: [], source: "", untrusted: false, createdAtMillis: null } as const
        yield* Effect.forEach(Object.entries(own.notes), ([id, text]) =>
          store.save(place, { ...draft, noteId: Note.NoteId.make(id), text })
        )
        const weights = { words: 1, meaning: 1, smoothing: 20 }
        const memory = yield* Memory.make({ directory, embedder: null, weights, onProgress: () => {} })
        return yield* Effect.forEach(own.messages, ([text, ...served]) =>
          Effect.map(memory.findBearing(place, text, new Set()), (lines) => ({
            served,
            ids: lines.map(({ note }) => String(note.noteId))
          }))
        )
      }).pipe(Effect.provide(SessionStoreSql.layer({ directory })))
      const needless = joined.filter(({ served }) => served.length === 0)
      assert.isAtMost(needless.filter(({ ids }) => ids.length > 0).length, own.maxNeedless)
      const needing = joined.filter(({ served }) => served.length > 0)
      const helped = needing.filter(({ ids, served }) => served.some((id) => ids.includes(id)))
      assert.isAtLeast(helped.length, own.minServed)
      const sent = joined.flatMap(({ ids, served }) => ids.map((id) => served.includes(id)))
      assert.isAtLeast(sent.filter(Boolean).length / sent.length, own.minPrecision)
    }).pipe(Effect.scoped)
  )
})
