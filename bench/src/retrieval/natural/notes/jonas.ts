/** A developer of payment services in Leipzig: work in English, the family in German. */
import { note } from "../NaturalNote.ts"

export const jonas = [
  note(
    "j-idempotency",
    "2025-11-03",
    "decision",
    "Every POST to ledgerd carries an Idempotency-Key header; keys are kept in Redis for 48 hours."
  ),
  note(
    "j-migrations",
    "2025-08-19",
    "procedure",
    "Database migrations run with `make migrate` before the deploy, never during it; the pipeline stops if one takes longer than 90 s."
  ),
  note(
    "j-p99",
    "2025-10-02",
    "fact",
    "The p99 of the payout endpoint has to stay under 250 ms, or the bank partner fines us."
  ),
  note(
    "j-sca",
    "2025-05-27",
    "fact",
    "Card payments from the EEA need Strong Customer Authentication; we skip it below 30 euros only."
  ),
  note("j-branching", "2025-03-11", "preference", "Rebase, don't merge: the history of main stays linear."),
  note("j-commit", "2025-03-11", "preference", "Commit subjects start with the ticket number, for instance PAY-1234."),
  note(
    "j-linter",
    "2026-01-20",
    "decision",
    "The TypeScript services use Biome for formatting and linting; Prettier was dropped."
  ),
  note("j-duty-old", "2025-06-02", "fact", "On-call handover is on Monday at 10:00, in the channel #pay-duty."),
  note("j-duty-new", "2026-02-16", "fact", "The on-call handover has moved to Wednesday, 14:00, same channel."),
  note(
    "j-k8s",
    "2025-07-08",
    "fact",
    "Production runs on Kubernetes in Frankfurt, three clusters; staging is a single node in Nuremberg."
  ),
  note("j-postgres-old", "2025-04-14", "fact", "ledgerd runs on Postgres 14."),
  note(
    "j-postgres-new",
    "2026-03-23",
    "fact",
    "ledgerd was upgraded to Postgres 17 in March, with logical replication switched on."
  ),
  note(
    "j-containers",
    "2025-09-30",
    "procedure",
    "Integration tests start Postgres in a container; if they hang, `docker system prune` frees the disk and they pass again."
  ),
  note(
    "j-flags",
    "2025-12-01",
    "decision",
    "Feature flags live in Unleash; one older than three months is deleted along with its dead code."
  ),
  note(
    "j-vault",
    "2025-10-21",
    "fact",
    "API keys of our partners are in Vault under kv/pay, and Dana rotates them every quarter."
  ),
  note(
    "j-outage",
    "2026-01-12",
    "episode",
    "The outage of 9 January came from an expired mTLS certificate between the gateway and ledgerd."
  ),
  note(
    "j-money",
    "2025-02-05",
    "decision",
    "Amounts are integers in minor units, never floats: rounding lost us 12 cents a day in 2024."
  ),
  note(
    "j-zones",
    "2025-06-17",
    "decision",
    "All timestamps are stored in UTC; reports for merchants show their local time zone."
  ),
  note("j-editor", "2025-03-11", "preference", "Jonas works in Helix and wants no advice about VS Code plugins."),
  note(
    "j-review",
    "2025-11-18",
    "procedure",
    "Pull requests above 400 lines are sent back; anything in settlement/ needs two approvals."
  ),
  note(
    "j-logging",
    "2025-09-09",
    "procedure",
    "Logs are JSON lines on stdout. PII such as IBANs is masked by the logger; never log request bodies."
  ),
  note("j-fraud", "2026-02-03", "fact", "The fraud scorer is written in Rust and called over gRPC on port 7070."),
  note(
    "j-runners",
    "2026-03-02",
    "fact",
    "CI runs on our own ARM machines; x86 images have to be cross-built with buildx."
  ),
  note(
    "j-webhooks",
    "2025-10-28",
    "fact",
    "Webhooks to merchants are retried for three days with exponential backoff, then a mail goes out."
  ),
  note(
    "j-refunds",
    "2026-01-27",
    "procedure",
    "Stuck refunds: set the state to `pending_manual` and tell finance; never delete the row."
  ),
  note("j-wlan", "2025-12-27", "fact", "Das WLAN-Passwort zu Hause ist Blaubeere-7731!"),
  note("j-kita", "2025-09-01", "fact", "Die Kita schließt freitags schon um 15 Uhr; abholen darf auch Oma Gerda."),
  note("j-tuev", "2026-04-07", "fact", "Der Wagen muss im Oktober zum TÜV, Werkstatt Hölzer in der Eisenbahnstraße."),
  note("j-nuesse", "2025-05-05", "fact", "Emil verträgt keine Haselnüsse, das Notfallset liegt im roten Rucksack."),
  note("j-steuer", "2026-02-22", "fact", "Die Steuererklärung macht Frau Behrends; Belege bis Ende Mai hochladen."),
  note("j-zahn", "2026-03-14", "fact", "Nächster Termin zur Zahnreinigung: 14. September, 8:15 Uhr."),
  note("j-miete-old", "2024-12-30", "fact", "Die Kaltmiete beträgt 940 Euro."),
  note("j-miete-new", "2026-01-04", "fact", "Seit Januar zahlen wir 1.015 Euro kalt."),
  note(
    "j-rad",
    "2025-08-02",
    "fact",
    "Die Rahmennummer vom Lastenrad steht auf der Versicherungspolice im Ordner „Haus“."
  ),
  note(
    "j-urlaub",
    "2026-04-19",
    "fact",
    "Im August zwei Wochen Dänemark, Ferienhaus bei Blåvand, der Schlüssel liegt beim Nachbarn."
  ),
  note(
    "j-garten",
    "2025-10-12",
    "fact",
    "Der Schrebergarten ist Parzelle 47; das Wasser wird am 1. November abgestellt."
  ),
  note("j-mutter", "2025-03-30", "fact", "Mutters Geburtstag ist am 2. April, und sie wünscht sich nie Blumen.")
]
