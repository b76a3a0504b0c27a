/**
 * Notes about projects: own text. `{x}` is a name, `{v}` one of the values; then questions, the first in the note's own
 * words.
 */
import type { Topic } from "./people.ts"

const topic = (note: string, values: string, ...questions: [string, string, string]): Topic => ({
  note,
  values,
  questions
})

export const names: ReadonlyArray<string> = [
  "Kestrel",
  "Juniper",
  "Basalt",
  "Lantern",
  "Marlin",
  "Orchid",
  "Falcon",
  "Granite",
  "Harvest",
  "Indigo",
  "Jasmine",
  "Larch",
  "Meteor",
  "Nimbus",
  "Onyx",
  "Pelican",
  "Quartz",
  "Raven",
  "Saffron",
  "Thistle",
  "Umber",
  "Velvet",
  "Willow",
  "Zephyr",
  "Copper",
  "Delta",
  "Ember",
  "Fjord"
]

export const topics: ReadonlyArray<Topic> = [
  topic(
    "{x} is deployed from the {v} branch",
    "release;main;stable;production;trunk",
    "which branch is {x} deployed from",
    "how does {x} get shipped",
    "rollout source of {x}"
  ),
  topic(
    "{x} stores its data in {v}",
    "PostgreSQL;SQLite;MySQL;Redis;Oracle",
    "where does {x} store its data",
    "which database is behind {x}",
    "persistence layer of {x}"
  ),
  topic(
    "{x}'s tests take {v}; run only those you touched",
    "nine minutes;half an hour;two minutes;an hour;forty seconds",
    "how long do {x}'s tests take",
    "is checking {x} slow",
    "duration of the verification suite in {x}"
  ),
  topic(
    "{x} is written in {v}",
    "Python;Java;Go;Rust;Ruby",
    "what is {x} written in",
    "programming language of {x}",
    "which compiler or interpreter does {x} need"
  ),
  topic(
    "{x}'s budget this year is {v}",
    "ninety thousand;two million;half a million;forty thousand;nothing",
    "what is {x}'s budget this year",
    "how much money may {x} spend",
    "funding of {x}"
  ),
  topic(
    "{x} must be finished by {v}",
    "the end of June;Christmas;the trade fair;next quarter;Easter",
    "when must {x} be finished",
    "{x}'s deadline",
    "due date of {x}"
  ),
  topic(
    "{x}'s customer is {v}",
    "a bank;the ministry;an airline;a hospital;a brewery",
    "who is {x}'s customer",
    "which client ordered {x}",
    "who pays for {x}"
  ),
  topic(
    "{x} logs are kept for {v} days",
    "seven;thirty;ninety;fourteen;sixty",
    "how many days are {x} logs kept",
    "retention of traces in {x}",
    "how far back can we look into what {x} did"
  ),
  topic(
    "in {x} indent with {v}",
    "tabs;two spaces;four spaces;three spaces;whatever the formatter does",
    "how do we indent in {x}",
    "whitespace style of {x}",
    "code formatting rule for {x}"
  ),
  topic(
    "{x}'s servers are in {v}",
    "Frankfurt;Dublin;Oregon;Singapore;Montreal",
    "where are {x}'s servers",
    "hosting location of {x}",
    "which data centre runs {x}"
  ),
  topic(
    "{x} signs people in through {v}",
    "company accounts;magic links;passwords;smart cards;fingerprints",
    "how does {x} sign people in",
    "authentication of {x}",
    "how do users log on to {x}"
  ),
  topic(
    "{x} broke in production because of {v}",
    "a full disk;an expired certificate;a bad migration;a leap second;a lost cable",
    "why did {x} break in production",
    "cause of the outage in {x}",
    "what went wrong during the incident with {x}"
  ),
  topic(
    "{x} is licensed under {v}",
    "MIT;Apache;GPL;a proprietary licence;BSD",
    "how is {x} licensed",
    "may others copy {x} legally",
    "copyright terms of {x}"
  ),
  topic(
    "{x}'s mascot is {v}",
    "a hedgehog;a lighthouse;an otter;a teapot;a dragon",
    "what is {x}'s mascot",
    "the animal or thing on the stickers of {x}",
    "logo character of {x}"
  ),
  topic(
    "{x} sends mail through {v}",
    "our own relay;a cloud service;the customer's gateway;a queue;nobody yet",
    "how does {x} send mail",
    "email delivery in {x}",
    "which provider do {x}'s messages leave by"
  ),
  topic(
    "backups of {x} are made {v}",
    "hourly;every night;each Sunday;twice a day;by hand",
    "when are backups of {x} made",
    "how often is {x} copied for safety",
    "disaster recovery of {x}"
  ),
  topic(
    "{x}'s product owner is {v}",
    "Henrik;Salma;Joanna;Marcus;Olivia",
    "who is {x}'s product owner",
    "who decides what goes into {x}",
    "person responsible for the roadmap of {x}"
  ),
  topic(
    "we chose {v} for the front end of {x}",
    "React;Svelte;plain HTML;Vue;Elm",
    "what did we choose for the front end of {x}",
    "user interface framework of {x}",
    "how is the web page of {x} built"
  ),
  topic(
    "{x} caches pages for {v}",
    "ten minutes;one hour;a day;five seconds;ever",
    "how long does {x} cache pages",
    "why do visitors of {x} see stale content",
    "time to live in {x}"
  ),
  topic(
    "reviews in {x} need {v}",
    "two approvals;one approval;an architect;a security check;nobody",
    "what do reviews in {x} need",
    "who must agree before code is merged into {x}",
    "pull request policy of {x}"
  ),
  topic(
    "{x}'s documentation is in {v}",
    "the wiki;a shared folder;the repository;an old notebook;Markdown files",
    "where is {x}'s documentation",
    "where can a newcomer to {x} look things up",
    "manual of {x}"
  ),
  topic(
    "{x} is monitored with {v}",
    "Grafana;a cron job;Nagios;a dashboard on the wall;pager alerts",
    "what is {x} monitored with",
    "how do we notice that {x} is unhealthy",
    "alerting for {x}"
  ),
  topic(
    "to start {x} on a laptop type {v}",
    "make up;npm start;docker compose up;cargo run;just dev",
    "what to type to start {x} on a laptop",
    "how do I launch {x} locally",
    "command that brings up {x} for development"
  ),
  topic(
    "{x}'s stand-up is at {v}",
    "nine sharp;half past nine;noon;four;ten",
    "when is {x}'s stand-up",
    "daily meeting of the team behind {x}",
    "at what hour do the {x} developers gather"
  ),
  topic(
    "{x} must never show {v}",
    "salaries;patient names;home addresses;card numbers;drafts",
    "what must {x} never show",
    "privacy requirement of {x}",
    "confidential information in {x}"
  ),
  topic(
    "{x}'s search is powered by {v}",
    "Elastic;a suffix array;full-text tables;a vendor;grep",
    "what powers {x}'s search",
    "how does one find things in {x}",
    "retrieval engine inside {x}"
  ),
  topic(
    "the load test of {x} reached {v} requests a second",
    "four hundred;nine thousand;sixty;two thousand;thirty thousand",
    "how many requests a second did the load test of {x} reach",
    "how much traffic can {x} take",
    "performance limit of {x}"
  ),
  topic(
    "{x} supports {v} browsers",
    "only recent;all;two;mobile;text",
    "which browsers does {x} support",
    "can {x} be opened with an old Firefox",
    "compatibility of {x}"
  ),
  topic(
    "{x} is translated into {v}",
    "French;six languages;Japanese;Welsh;nothing yet",
    "what is {x} translated into",
    "localisation of {x}",
    "can a foreigner use {x}"
  ),
  topic(
    "we dropped {v} from {x}",
    "the chat;dark mode;the importer;offline use;the wizard",
    "what did we drop from {x}",
    "feature removed from {x}",
    "what was cut out of the scope of {x}"
  ),
  topic(
    "{x}'s contract runs until {v}",
    "2027;2030;the end of the year;next spring;2028",
    "until when does {x}'s contract run",
    "when does the agreement about {x} expire",
    "legal commitment for {x}"
  ),
  topic(
    "errors in {x} go to {v}",
    "the on-call phone;a channel;a mailbox;Sentry;the bin",
    "where do errors in {x} go",
    "who hears about crashes of {x}",
    "exception tracking in {x}"
  ),
  topic(
    "{x} uses {v} for its icons",
    "an old font;hand-drawn vectors;emoji;a bought set;sprites",
    "what does {x} use for its icons",
    "graphics in {x}",
    "pictures on the buttons of {x}"
  ),
  topic(
    "{x} rounds money {v}",
    "to cents;half to even;down;up;at the end",
    "how does {x} round money",
    "arithmetic of prices in {x}",
    "decimal handling for currency in {x}"
  ),
  topic(
    "feature flags of {x} live in {v}",
    "a JSON file;the database;environment variables;a service;the code",
    "where do feature flags of {x} live",
    "how are switches of {x} turned on",
    "toggle configuration of {x}"
  ),
  topic(
    "{x} is written for {v}",
    "nurses;pilots;teachers;farmers;accountants",
    "whom is {x} written for",
    "target audience of {x}",
    "typical user of {x}"
  )
]
