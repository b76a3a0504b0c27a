/** A developer of an app for walkers in Devon, with twins, a cat and an allotment. */
import { note } from "../NaturalNote.ts"

export const ruth = [
  note(
    "r-ios",
    "2026-03-03",
    "decision",
    "The app supports iOS 17 and later; iOS 16 was dropped in the spring release."
  ),
  note(
    "r-swiftui",
    "2025-09-15",
    "preference",
    "New screens are written in SwiftUI with the Observation framework, without Combine."
  ),
  note(
    "r-voiceover",
    "2025-06-24",
    "decision",
    "Every screen has to work with VoiceOver and with Dynamic Type up to XXXL before it ships."
  ),
  note(
    "r-testflight",
    "2025-10-09",
    "procedure",
    "TestFlight builds go out on Thursday evenings; Lorna writes the release notes."
  ),
  note(
    "r-snapshots",
    "2026-01-08",
    "procedure",
    "Snapshot tests are recorded on an iPhone 15 simulator; on any other device all of them fail."
  ),
  note(
    "r-lokalise",
    "2025-07-21",
    "procedure",
    "Translations come from Lokalise every night; do not edit the .strings files by hand."
  ),
  note(
    "r-sentry",
    "2025-11-26",
    "fact",
    "Crashes are watched in Sentry, project heron-ios; the crash-free rate must stay above 99.7 %."
  ),
  note(
    "r-figma",
    "2025-05-13",
    "fact",
    "Mock-ups are in Figma and belong to Teo; spacing follows an eight-point grid."
  ),
  note(
    "r-tiles",
    "2025-08-28",
    "decision",
    "The map must be usable without reception: tiles of the area last looked at are cached for a fortnight."
  ),
  note(
    "r-analytics",
    "2025-04-02",
    "decision",
    "No third-party analytics in the app: the board has promised that to the members."
  ),
  note("r-api-old", "2025-02-18", "fact", "The app's backend is https://api.heron.example/v2."),
  note(
    "r-api-new",
    "2026-05-11",
    "fact",
    "Since May the app talks to v3 of the backend; v2 is switched off in December."
  ),
  note("r-poker-old", "2025-01-14", "procedure", "Stories are estimated by planning poker every second Tuesday."),
  note(
    "r-poker-new",
    "2026-02-10",
    "procedure",
    "We gave up planning poker: stories are estimated in T-shirt sizes by the pair that takes them."
  ),
  note(
    "r-pairing",
    "2025-09-22",
    "preference",
    "Ruth pairs in the mornings and takes no meetings after 15:30, because she collects the twins."
  ),
  note(
    "r-branches",
    "2025-12-15",
    "procedure",
    "Release branches are called release/heron-x.y and are cut on the Monday before."
  ),
  note(
    "r-push",
    "2025-11-05",
    "fact",
    "The push certificate was replaced by a .p8 key in autumn, which never expires."
  ),
  note(
    "r-keychain",
    "2026-02-25",
    "decision",
    "Login tokens are stored in the Keychain, accessible after the first unlock."
  ),
  note("r-short", "2025-03-04", "preference", "Ruth wants the short answer first, and the reasoning only if she asks."),
  note("r-twins", "2025-03-05", "fact", "The twins are Nell and Barnaby, born on 17 May 2019."),
  note("r-school", "2025-09-08", "fact", "St Brannock's primary wants the reading diary signed every Monday."),
  note(
    "r-glasses",
    "2026-04-21",
    "fact",
    "Barnaby wears glasses, and an eye patch for two hours a day until Christmas."
  ),
  note(
    "r-choir",
    "2025-09-17",
    "fact",
    "Choir is on Wednesdays at half past seven in the Methodist hall; Ruth sings alto."
  ),
  note("r-plot", "2025-03-25", "fact", "The rent of the allotment, plot 9b, is due on Lady Day, 25 March."),
  note(
    "r-blight",
    "2026-03-29",
    "episode",
    "The tomatoes caught blight in 2025, so this year only resistant varieties such as Crimson Crush."
  ),
  note(
    "r-boiler",
    "2025-11-30",
    "procedure",
    "The boiler, a Worcester Greenstar, loses pressure: top it up to 1.3 bar."
  ),
  note("r-sweep", "2025-09-03", "fact", "The chimney sweep is Mr Penhallow; he comes in September."),
  note("r-cat", "2026-01-16", "fact", "Biscuit the cat gets thyroid tablets twice a day, from Moorside Vets."),
  note("r-pension", "2025-06-06", "fact", "The pension is with Aviva: 6 % from the employer, 5 % from Ruth."),
  note("r-isa", "2026-04-06", "fact", "A stocks and shares ISA was opened in April, 150 pounds a month."),
  note("r-hip", "2026-08-30", "fact", "Mum's hip operation is on 3 November at Derriford; Ruth drives her."),
  note(
    "r-achilles",
    "2026-06-14",
    "fact",
    "The physiotherapist allows no running until the Achilles tendon has healed; swimming is fine."
  ),
  note(
    "r-migraine",
    "2025-05-19",
    "fact",
    "Migraines come from red wine and too little sleep; sumatriptan 50 mg helps."
  ),
  note("r-skoda", "2025-02-27", "fact", "The Skoda is leased until February 2027, 10,000 miles a year."),
  note("r-bins", "2025-07-04", "fact", "Recycling is collected on alternate Fridays, garden waste on the others."),
  note("r-dilys", "2025-04-26", "fact", "Spare keys are with Dilys at number 12."),
  note("r-bookclub", "2026-09-02", "fact", "The book club reads The Bee Sting in October."),
  note(
    "r-wedding",
    "2025-07-08",
    "fact",
    "Wedding anniversary on 8 July: a table at the Oyster Shack, to be booked by May."
  ),
  note("r-alarm", "2025-12-02", "fact", "The PIN for the burglar alarm is 447190.")
]
