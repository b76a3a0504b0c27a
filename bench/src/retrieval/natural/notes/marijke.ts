/** A freelance designer of web sites in Utrecht: Dutch, and English for projects in English. */
import { note } from "../NaturalNote.ts"

export const marijke = [
  note("m-tarief-old", "2025-01-10", "fact", "Het uurtarief is 78 euro, exclusief btw."),
  note("m-tarief-new", "2026-06-20", "decision", "Vanaf 1 juli reken ik 85 euro per uur, exclusief btw."),
  note(
    "m-btw",
    "2025-04-01",
    "fact",
    "De btw-aangifte gaat per kwartaal; Sjoerd van Administratiekantoor De Vecht doet de boekhouding."
  ),
  note("m-astro", "2025-05-22", "fact", "Client sites are built with Astro and hosted on a small VPS at TransIP."),
  note("m-css", "2025-05-22", "preference", "Plain CSS with custom properties, please, and no Tailwind."),
  note(
    "m-wcag",
    "2026-05-06",
    "fact",
    "De site van de gemeente moet aan WCAG 2.2 niveau AA voldoen, de keuring is in november."
  ),
  note("m-huisarts", "2025-02-14", "fact", "De huisarts is dokter Achterberg, inloopspreekuur tussen acht en negen."),
  note(
    "m-ebike",
    "2026-09-12",
    "fact",
    "De e-bike staat bij fietsenmaker Profijt voor een nieuwe accu, klaar op de 21e."
  ),
  note("m-roeien", "2025-09-06", "fact", "Elke zaterdag roeien bij De Viking, verzamelen om kwart voor acht."),
  note(
    "m-hond",
    "2025-12-20",
    "fact",
    "De hond heet Sproet, is bang voor vuurwerk en krijgt met oud en nieuw een kalmerende pil."
  ),
  note(
    "m-verhuizing",
    "2026-09-25",
    "fact",
    "De verhuizing naar Amersfoort is op 12 december, de sleuteloverdracht de dag ervoor."
  ),
  note("m-hypotheek", "2026-08-18", "fact", "De hypotheek loopt bij de ASN, tien jaar vast op 3,4 procent."),
  note("m-vega", "2025-03-19", "preference", "Wij eten vegetarisch, behalve oma: die wil op zondag gehakt."),
  note(
    "m-fonts",
    "2025-08-11",
    "decision",
    "Lettertypen hosten we zelf als woff2, nooit van Google geladen, vanwege de AVG."
  ),
  note("m-avif", "2025-10-03", "procedure", "Afbeeldingen komen als AVIF met een JPEG als reserve, hoogstens 200 kB."),
  note(
    "m-domein",
    "2026-01-30",
    "fact",
    "Domeinnamen worden in februari verlengd; die van de kapper laten we dit jaar vervallen."
  ),
  note("m-zwemles", "2026-09-01", "fact", "Joris heeft op dinsdag zwemles voor diploma B, badmuts mee."),
  note("m-portaal", "2025-11-11", "fact", "Het wachtwoord van het klantenportaal is Zonnebloem#88."),
  note(
    "m-factuur",
    "2025-06-30",
    "procedure",
    "Facturen hebben een betaaltermijn van veertien dagen; daarna een herinnering, daarna incasso."
  ),
  note(
    "m-deploy",
    "2026-02-12",
    "procedure",
    "A push to `live` triggers the GitHub Action that rsyncs the build to the VPS; roll back by moving the `current` symlink."
  ),
  note("m-kade", "2026-03-17", "fact", "Brand colours of Museum Kade: deep green #0B3D2E and warm sand #E8D9B5."),
  note("m-bril", "2025-07-15", "fact", "Leesbril +1,5; de opticien zit in de Lange Viestraat."),
  note(
    "m-cookies",
    "2025-08-11",
    "decision",
    "No cookie banner on any site: we set no cookies, statistics come from Plausible."
  ),
  note(
    "m-talen",
    "2026-04-28",
    "fact",
    "The museum site is in Dutch, English and German; the German texts come from Annegret."
  ),
  note(
    "m-lunch",
    "2025-10-16",
    "fact",
    "On Thursdays the freelancers of the studio on the Oudegracht have lunch together."
  )
]
