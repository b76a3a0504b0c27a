/** Questions about the notes, each by hand. In each class, every other question is held out: see `NaturalSet.ts`. */
import { question } from "./NaturalQuestion.ts"

/** Questions in the words of the note. */
const exact = [
  question("exact", "Idempotency-Key header ledgerd", ["j-idempotency"]),
  question("exact", "webhooks exponential backoff", ["j-webhooks"]),
  question("exact", "snapshot tests on the iPhone 15 simulator", ["r-snapshots"]),
  question("exact", "stuck refunds pending_manual", ["j-refunds"]),
  question("exact", "Biome for linting", ["j-linter"]),
  question("exact", "translations from Lokalise", ["r-lokalise"]),
  question("exact", "rent of the allotment", ["r-plot"]),
  question("exact", "Worcester Greenstar boiler", ["r-boiler"]),
  question("exact", "brand colours of Museum Kade", ["m-kade"]),
  question("exact", "Snakemake conda environment", ["c-snakemake"]),
  question("exact", "comisión de Redsys", ["i-redsys"]),
  question("exact", "STM32H743 主频", ["l-mcu"]),
  question("exact", "Administratiekantoor De Vecht", ["m-btw"]),
  question("exact", "MISRA deviation comment", ["l-misra"]),
  question("exact", "dbt のモデル名", ["a-dbt"]),
  question("exact", "Schrebergarten Parzelle 47", ["j-garten"]),
  question("exact", "Crimson Crush tomatoes", ["r-blight"]),
  question("exact", "pédiatre rue des Tanneurs", ["c-pediatre"]),
  question("exact", "feature flags in Unleash", ["j-flags"]),
  question("exact", "fraud scorer gRPC port", ["j-fraud"])
]

/** Questions in other words. */
const paraphrase = [
  question("paraphrase", "how do we avoid charging somebody twice when a request is sent again", ["j-idempotency"]),
  question("paraphrase", "may I store prices as decimal numbers", ["j-money"]),
  question("paraphrase", "why did the payment service go down in winter", ["j-outage"]),
  question("paraphrase", "who changes the credentials for other companies' services", ["j-vault"]),
  question("paraphrase", "what becomes of experiments that were never switched off", ["j-flags"]),
  question("paraphrase", "how slow may paying out get", ["j-p99"]),
  question("paraphrase", "is it fine to print the payload while debugging", ["j-logging"]),
  question("paraphrase", "how long do we keep trying to reach a shop about an event", ["j-webhooks"]),
  question("paraphrase", "my change was rejected because it was too big", ["j-review"]),
  question("paraphrase", "can blind people use our screens", ["r-voiceover"]),
  question("paraphrase", "may I add a tracking SDK to count users", ["r-analytics"]),
  question("paraphrase", "can I book a call with Ruth at four", ["r-pairing"]),
  question("paraphrase", "what brings on her headaches", ["r-migraine"]),
  question("paraphrase", "which medicine does the pet get", ["r-cat"], ["m-hond"]),
  question("paraphrase", "who can let me in if I am locked out", ["r-dilys"]),
  question("paraphrase", "is jogging allowed again", ["r-achilles"]),
  question("paraphrase", "where will they celebrate being married", ["r-wedding"]),
  question("paraphrase", "when does her mother go to hospital", ["r-hip"]),
  question("paraphrase", "the heating gauge reads too low", ["r-boiler"]),
  question("paraphrase", "should I reach for a utility framework for the styles", ["m-css"]),
  question("paraphrase", "do visitors have to consent to being tracked", ["m-cookies"], ["r-analytics"]),
  question("paraphrase", "how do I undo a broken release of a client's page", ["m-deploy"]),
  question("paraphrase", "what does a chart need before it is published", ["c-ggplot"]),
  question("paraphrase", "where do large data sets belong", ["c-bucket"], ["a-parquet"]),
  question("paraphrase", "how can I get the same random numbers again", ["c-seeds"]),
  question("paraphrase", "can a Jupyter file run in production", ["a-notebooks"]),
  question("paraphrase", "can a device be downgraded to earlier software", ["l-ota"]),
  question("paraphrase", "when is it safe to upgrade the extensions of the online store", ["i-shop"]),
  question("paraphrase", "what did the journal think of our manuscript", ["c-article"]),
  question("paraphrase", "how wide may a row of code be", ["a-pyright"])
]

const abbreviation = [
  question("abbreviation", "SCA exemption", ["j-sca"]),
  question("abbreviation", "k8s clusters", ["j-k8s"]),
  question("abbreviation", "l10n workflow", ["r-lokalise"]),
  question("abbreviation", "a11y requirements", ["r-voiceover"], ["m-wcag"]),
  question("abbreviation", "max PR size", ["j-review"]),
  question("abbreviation", "PG version of ledgerd", ["j-postgres-new"], ["j-postgres-old"]),
  question("abbreviation", "i18n of the museum site", ["m-talen"]),
  question("abbreviation", "tz of merchant reports", ["j-zones"]),
  question("abbreviation", "expired cert between gateway and service", ["j-outage"]),
  question("abbreviation", "JWT storage on the phone", ["r-keychain"]),
  question("abbreviation", "who writes the TF notes", ["r-testflight"]),
  question("abbreviation", "BQ limit per query", ["a-bigquery"]),
  question("abbreviation", "over-the-air image signature", ["l-ota"]),
  question("abbreviation", "personally identifiable information masking", ["j-logging"], ["a-hash"]),
  question("abbreviation", "Web Content Accessibility Guidelines gemeente", ["m-wcag"]),
  question("abbreviation", "where is prod", ["j-k8s"]),
  question("abbreviation", "int tests hang", ["j-containers"]),
  question("abbreviation", "continuous integration machines", ["j-runners"])
]

const typo = [
  question("typo", "idempotancy key redis", ["j-idempotency"]),
  question("typo", "chimny swep", ["r-sweep"]),
  question("typo", "Kubernets clusters in Frankfrt", ["j-k8s"]),
  question("typo", "sumatriptn for the migranes", ["r-migraine"]),
  question("typo", "snakmake enviroment", ["c-snakemake"]),
  question("typo", "tomatos resistent to blihgt", ["r-blight"]),
  question("typo", "alotment", ["r-plot"]),
  question("typo", "huisarst Achterbergh", ["m-huisarts"]),
  question("typo", "Steuererklärug", ["j-steuer"]),
  question("typo", "posgres replicaton", ["j-postgres-new"], ["j-postgres-old"]),
  question("typo", "feture flags in Unleesh", ["j-flags"]),
  question("typo", "snapshoot tests simulater", ["r-snapshots"]),
  question("typo", "harnia ecolójica", ["i-harina-new"]),
  question("typo", "soutenence de thése", ["c-soutenance"]),
  question("typo", "Kecyhain tokens", ["r-keychain"]),
  question("typo", "zwemmles diplma", ["m-zwemles"])
]

const multiAnswer = [
  question("multi-answer", "who has an allergy or an intolerance", ["j-nuesse", "i-penicilina", "a-kotaro", "c-lait"]),
  question("multi-answer", "when do releases of the app go out", ["r-testflight", "r-branches"]),
  question("multi-answer", "tests that fail or hang for no good reason", ["j-containers", "r-snapshots"]),
  question("multi-answer", "rules for commits and pull requests", ["j-review", "j-commit", "j-branching"]),
  question("multi-answer", "how is code formatted and checked", ["j-linter", "a-pyright", "l-misra"]),
  question(
    "multi-answer",
    "how long are things kept before they are deleted",
    ["j-idempotency", "a-parquet", "j-flags"],
    ["r-tiles"]
  ),
  question("multi-answer", "certificates and signing keys", ["j-outage", "r-push", "l-ota"]),
  question("multi-answer", "personal data that must not be logged or leave", ["j-logging", "c-patients", "a-hash"]),
  question("multi-answer", "money put aside every month", ["r-pension", "r-isa"]),
  question("multi-answer", "Barnaby and Nell", ["r-twins", "r-glasses"], ["r-school", "r-pairing"]),
  question("multi-answer", "what happens in November", ["r-hip", "c-soutenance", "m-wcag", "j-garten"], ["a-passport"]),
  question("multi-answer", "deploy and roll back", ["m-deploy", "j-migrations"]),
  question("multi-answer", "pictures on web pages: format and size", ["m-avif", "i-seo"]),
  question("multi-answer", "everything about bicycles", ["j-rad", "m-ebike", "c-antivol"]),
  question("multi-answer", "sports and classes in the week", [
    "i-yoga",
    "c-poterie",
    "a-boulder",
    "l-badminton",
    "m-roeien",
    "m-zwemles"
  ]),
  question("multi-answer", "who has a spare key", ["r-dilys", "c-antivol", "j-urlaub"]),
  question("multi-answer", "paying by card", ["j-sca", "i-redsys"]),
  question("multi-answer", "which language to write in", ["a-nihongo", "l-zhongwen", "c-francais"])
]

/** Questions in the language of the note, if that is not English. */
const sameLanguage = [
  question("same-language", "Wann macht die Kita am Freitag zu?", ["j-kita"]),
  question("same-language", "Wer kümmert sich um unsere Steuern?", ["j-steuer"]),
  question("same-language", "Was verträgt Emil nicht?", ["j-nuesse"]),
  question("same-language", "Welche Werkstatt macht den TÜV?", ["j-tuev"]),
  question("same-language", "Wanneer is de verhuizing?", ["m-verhuizing"]),
  question("same-language", "Welke rente heeft de hypotheek?", ["m-hypotheek"]),
  question("same-language", "Hoe lang is de betaaltermijn van een factuur?", ["m-factuur"]),
  question("same-language", "Waar is de hond bang voor?", ["m-hond"]),
  question("same-language", "結婚式はいつですか", ["a-sister"]),
  question("same-language", "ごみを出す日を教えて", ["a-gomi"]),
  question("same-language", "在宅勤務は何曜日？", ["a-home"]),
  question("same-language", "ピアノの調律は誰に頼む？", ["a-piano"]),
  question("same-language", "车停在哪里", ["l-parking"]),
  question("same-language", "几点打羽毛球", ["l-badminton"]),
  question("same-language", "看门狗多久超时", ["l-watchdog"]),
  question("same-language", "谁来做代码评审", ["l-jie"]),
  question("same-language", "¿Cuánto es el alquiler del local?", ["i-alquiler"]),
  question("same-language", "¿A qué hora hay que encender el horno?", ["i-horno"]),
  question("same-language", "¿A qué es alérgico Mateo?", ["i-penicilina"]),
  question("same-language", "Quand a lieu la soutenance ?", ["c-soutenance"]),
  question("same-language", "Quel lait pour Louise ?", ["c-lait"]),
  question("same-language", "Qui a le double de la clé du vélo ?", ["c-antivol"])
]

/** Questions in another language than the note. */
const crossLanguage = [
  question("cross-language", "when does the kindergarten close on Fridays", ["j-kita"]),
  question("cross-language", "tax adviser", ["j-steuer"]),
  question("cross-language", "what is the dog afraid of", ["m-hond"]),
  question("cross-language", "interest rate of the mortgage", ["m-hypotheek"]),
  question("cross-language", "which milk does Louise drink", ["c-lait"]),
  question("cross-language", "when is the sister's wedding", ["a-sister"]),
  question("cross-language", "parking space", ["l-parking"]),
  question("cross-language", "badminton on Saturday", ["l-badminton"]),
  question("cross-language", "when is the oven switched on", ["i-horno"]),
  question("cross-language", "how many hours may a job run on the cluster", ["c-cluster"]),
  question("cross-language", "Wann ist die Chorprobe?", ["r-choir"]),
  question("cross-language", "wat is de laagste versie van iOS", ["r-ios"]),
  question("cross-language", "¿qué marca es la caldera?", ["r-boiler"]),
  question("cross-language", "où sont hébergés les sites des clients", ["m-astro"]),
  question("cross-language", "スナップショットテストの機種", ["r-snapshots"]),
  question("cross-language", "谁写发布说明", ["r-testflight"])
]

/** Questions about the newer of two notes. */
const updated = [
  question("updated", "when is the on-call handover", ["j-duty-new"], ["j-duty-old"]),
  question("updated", "which Postgres does ledgerd run on", ["j-postgres-new"], ["j-postgres-old"]),
  question("updated", "Wie viel Euro zahlen wir kalt?", ["j-miete-new"], ["j-miete-old"]),
  question("updated", "which version of the backend does the app talk to", ["r-api-new"], ["r-api-old"]),
  question("updated", "how are stories estimated", ["r-poker-new"], ["r-poker-old"]),
  question("updated", "Wat is het uurtarief exclusief btw?", ["m-tarief-new"], ["m-tarief-old"]),
  question("updated", "ワークフローは何で動かしている？", ["a-airflow-new"], ["a-airflow-old"]),
  question("updated", "电阻和电容在哪里买", ["l-zhou-new"], ["l-zhou-old"]),
  question("updated", "¿Dónde compramos la harina?", ["i-harina-new"], ["i-harina-old"]),
  question("updated", "which genome are reads aligned against", ["c-genome-new"], ["c-genome-old"]),
  question("updated", "on which weekday does on-call change hands", ["j-duty-new"], ["j-duty-old"]),
  question("updated", "planning poker", ["r-poker-new"], ["r-poker-old"])
]

/** Questions that no note answers, although many share a word or a topic. */
const negative = [
  question("negative", "what is my shoe size"),
  question("negative", "which blood group does Emil have"),
  question("negative", "licence plate of the Skoda"),
  question("negative", "which GraphQL library do we use"),
  question("negative", "how many days of leave are left"),
  question("negative", "which Kafka topics does billing read"),
  question("negative", "when does the library open"),
  question("negative", "colour of the new curtains"),
  question("negative", "does the Android app support tablets"),
  question("negative", "where is the state of Terraform kept"),
  question("negative", "deploying to Heroku"),
  question("negative", "favourite football club"),
  question("negative", "salary of the new colleague"),
  question("negative", "price of a loaf of rye bread"),
  question("negative", "phone number of the plumber"),
  question("negative", "which Elasticsearch version runs in production"),
  question("negative", "how do I reset the printer"),
  question("negative", "maximum upload size of attachments"),
  question("negative", "what did we decide about dark mode"),
  question("negative", "who won the hackathon"),
  question("negative", "Welche Schuhgröße hat Emil?"),
  question("negative", "Wie heißt der Hausmeister?"),
  question("negative", "Welk merk is de wasmachine?"),
  question("negative", "Wanneer begint de schoolvakantie?"),
  question("negative", "血液型は何ですか"),
  question("negative", "冰箱是什么牌子"),
  question("negative", "¿Qué talla de camisa usa Mateo?"),
  question("negative", "¿Cuándo juega el Celta?"),
  question("negative", "Quel est le code postal de la mairie ?"),
  question("negative", "Où acheter des billets pour le concert ?")
]

export const questions = [
  ...exact,
  ...paraphrase,
  ...abbreviation,
  ...typo,
  ...multiAnswer,
  ...sameLanguage,
  ...crossLanguage,
  ...updated,
  ...negative
]
