/**
 * Templates of notes about people, written for this benchmark. `{x}` stands for a name and `{v}` for one of the values.
 * The first question of a topic uses the words of its note.
 */

export interface Topic {
  readonly note: string
  readonly values: string
  readonly questions: readonly [string, string, string]
}

const topic = (note: string, values: string, ...questions: [string, string, string]): Topic => ({
  note,
  values,
  questions
})

export const names: ReadonlyArray<string> = [
  "Mara",
  "Anton",
  "Ines",
  "Tobias",
  "Leila",
  "Oscar",
  "Priya",
  "Hugo",
  "Freya",
  "Dmitri",
  "Carmen",
  "Felix",
  "Aisha",
  "Bruno",
  "Greta",
  "Kenji",
  "Lucia",
  "Martin",
  "Nadia",
  "Owen",
  "Paula",
  "Quentin",
  "Rosa",
  "Stefan",
  "Teresa",
  "Ulrich",
  "Vera",
  "Walter",
  "Yusuf",
  "Zelda",
  "Edith",
  "Ivan"
]

export const topics: ReadonlyArray<Topic> = [
  topic(
    "{x}'s physician is Dr {v}, at the clinic by the station",
    "Holt;Barnes;Okafor;Lindqvist;Moreau",
    "who is {x}'s physician",
    "which doctor does {x} see when ill",
    "medical contact for {x}"
  ),
  topic(
    "{x} cannot eat {v}; it brings out a rash",
    "peanuts;shellfish;eggs;strawberries;sesame",
    "what can {x} not eat",
    "food allergies of {x}",
    "what should we leave out of dinner for {x}"
  ),
  topic(
    "{x} drives a {v} and parks it in the yard",
    "red hatchback;grey van;blue estate;black pickup;white coupe",
    "what does {x} drive",
    "what kind of car has {x} got",
    "which vehicle belongs to {x}"
  ),
  topic(
    "{x} was born on {v}",
    "3 March;19 July;28 October;11 January;7 May",
    "when was {x} born",
    "what is {x}'s birthday",
    "date to send {x} a cake"
  ),
  topic(
    "{x} plays the {v} in a small orchestra",
    "cello;oboe;violin;trumpet;viola",
    "what does {x} play in the orchestra",
    "which musical instrument has {x} learned",
    "is {x} a musician"
  ),
  topic(
    "{x} grew up in {v} before moving here",
    "Porto;Krakow;Bergen;Lyon;Tallinn",
    "where did {x} grow up",
    "what is {x}'s home town",
    "childhood city of {x}"
  ),
  topic(
    "{x} wants invoices sent to the {v} address",
    "billing;home;holding company;warehouse;agency",
    "where does {x} want invoices sent",
    "how should we bill {x}",
    "payment paperwork for {x}"
  ),
  topic(
    "{x} prefers meetings {v}",
    "before ten;after lunch;on Tuesdays;by telephone;without slides",
    "when does {x} prefer meetings",
    "best time to schedule a call with {x}",
    "{x}'s appointment habits"
  ),
  topic(
    "{x}'s sister {v} works at the museum",
    "Clara;Hanna;Sonia;Judith;Elena",
    "who is {x}'s sister",
    "does {x} have siblings",
    "family member of {x} who is a curator"
  ),
  topic(
    "{x} keeps {v} as pets",
    "two cats;a greyhound;three hens;a tortoise;a parrot",
    "what pets does {x} keep",
    "which animals live with {x}",
    "who feeds {x}'s creatures during vacation"
  ),
  topic(
    "{x} takes coffee {v}",
    "black;with oat milk;with two sugars;iced;only before noon",
    "how does {x} take coffee",
    "{x}'s favourite hot drink",
    "what beverage to order for {x}"
  ),
  topic(
    "{x} speaks fluent {v} with clients",
    "Portuguese;Mandarin;Turkish;Dutch;Arabic",
    "which language does {x} speak fluently",
    "can {x} translate for foreign customers",
    "{x}'s linguistic skills"
  ),
  topic(
    "{x} studied {v} at university",
    "chemistry;law;geology;economics;linguistics",
    "what did {x} study at university",
    "{x}'s college degree",
    "academic background of {x}"
  ),
  topic(
    "{x} runs {v} every week with a club",
    "ten kilometres;a hill course;intervals;a half marathon;along the canal",
    "how far does {x} run every week",
    "{x}'s fitness routine",
    "which sport keeps {x} in shape"
  ),
  topic(
    "{x} lives on {v}, third floor",
    "Elm Street;Harbour Lane;Mill Road;Castle Square;Orchard Avenue",
    "on which floor does {x} live",
    "{x}'s home address",
    "where should the parcel for {x} be delivered"
  ),
  topic(
    "{x} is afraid of {v} and avoids it when travelling",
    "flying;heights;tunnels;ferries;crowds",
    "what is {x} afraid of when travelling",
    "{x}'s phobia",
    "what makes {x} anxious on trips"
  ),
  topic(
    "{x}'s lawyer is {v}, of the firm upstairs",
    "Ms Brandt;Mr Osei;Ms Keller;Mr Pugh;Ms Novak",
    "who is {x}'s lawyer",
    "which attorney represents {x}",
    "legal counsel of {x}"
  ),
  topic(
    "{x} paid off the mortgage in {v}",
    "2019;2021;2015;2023;2017",
    "when did {x} pay off the mortgage",
    "does {x} still owe the bank for the house",
    "{x}'s home loan"
  ),
  topic(
    "{x} reads {v} on the train",
    "detective novels;poetry;biographies;science fiction;history",
    "what does {x} read on the train",
    "which books does {x} enjoy",
    "literary taste of {x}"
  ),
  topic(
    "{x} broke a {v} skiing last winter",
    "wrist;collarbone;ankle;rib;thumb",
    "what did {x} break skiing",
    "{x}'s injury",
    "which bone did {x} fracture"
  ),
  topic(
    "{x} manages {v} people in the sales team",
    "four;seven;eleven;fifteen;twenty",
    "how many people does {x} manage",
    "size of the staff under {x}",
    "who is {x} the boss of"
  ),
  topic(
    "{x} is saving for {v}",
    "a sailing boat;a piano;a greenhouse;a caravan;a kitchen",
    "what is {x} saving for",
    "what would {x} like to buy one day",
    "{x}'s financial goal"
  ),
  topic(
    "{x} sings {v} in the church choir",
    "bass;tenor;alto;soprano;baritone",
    "what does {x} sing in the choir",
    "{x}'s voice",
    "vocal part of {x}"
  ),
  topic(
    "{x} grows {v} on the balcony",
    "tomatoes;basil;roses;chillies;lavender",
    "what does {x} grow on the balcony",
    "which plants are in {x}'s garden",
    "{x}'s gardening hobby"
  ),
  topic(
    "{x} votes in {v} and follows its council",
    "the northern district;the old town;the harbour ward;the university ward;the east side",
    "where does {x} vote",
    "which constituency is {x} registered for in elections",
    "local politics that {x} cares about"
  ),
  topic(
    "{x} wears glasses of strength {v}",
    "minus two;minus four;plus one;minus six;plus three",
    "what strength are {x}'s glasses",
    "{x}'s eyesight",
    "optician's prescription for {x}"
  ),
  topic(
    "{x} cooks {v} for guests",
    "lasagne;paella;curry;dumplings;goulash",
    "what does {x} cook for guests",
    "{x}'s signature dish",
    "which meal is {x} known for"
  ),
  topic(
    "{x} retires in {v}",
    "2031;2034;2029;2040;2036",
    "when does {x} retire",
    "how long will {x} still be employed",
    "{x}'s pension plans"
  ),
  topic(
    "{x}'s daughter {v} starts school in autumn",
    "Mila;Emma;Zoe;Nina;Lotte",
    "when does {x}'s daughter start school",
    "name of {x}'s child",
    "does {x} have kids"
  ),
  topic(
    "{x} spends August in {v}",
    "Brittany;the Alps;Crete;Scotland;Norway",
    "where does {x} spend August",
    "{x}'s summer holiday",
    "vacation destination of {x}"
  ),
  topic(
    "{x} collects {v}",
    "stamps;old maps;fountain pens;vinyl records;coins",
    "what does {x} collect",
    "a present that {x}, as a collector, would love",
    "{x}'s hobby at home"
  ),
  topic(
    "{x} sleeps badly {v}",
    "before deadlines;in hotels;at full moon;after wine;in summer",
    "when does {x} sleep badly",
    "{x}'s insomnia",
    "what keeps {x} awake at night"
  ),
  topic(
    "{x} supports {v} at football",
    "the home side;the rivals;the women's team;a Spanish club;the under-dogs",
    "whom does {x} support at football",
    "which soccer team is {x} a fan of",
    "{x}'s favourite club in the league"
  ),
  topic(
    "{x} volunteers at {v} on Sundays",
    "the food bank;the animal shelter;the library;the lifeboat station;the hospice",
    "where does {x} volunteer",
    "{x}'s charity work",
    "which cause does {x} help for free"
  ),
  topic(
    "{x} owes {v} to the office kitty",
    "twelve euros;forty euros;five euros;nothing any more;a round of cake",
    "what does {x} owe the kitty",
    "{x}'s debt at work",
    "money that {x} must still hand over"
  ),
  topic(
    "{x} was promoted to {v} in spring",
    "head of design;chief buyer;lead auditor;regional director;site manager",
    "what was {x} promoted to",
    "{x}'s new job title",
    "career step of {x}"
  )
]
