import { createRandom, type Random } from "../../src/core/random.ts"

/** One call of production with what was planted in it. */
export interface PlantedCall {
  readonly question: string
  readonly answer: string
  /** What must not be left of it: names also by their parts. */
  readonly planted: readonly string[]
}

interface Language {
  readonly first: string
  readonly last: string
  /** Sentences with a name: `@` stands for it. */
  readonly people: readonly string[]
  readonly street: (random: Random) => string
  readonly phone: (random: Random) => string
  readonly iban: readonly [country: string, digits: number]
  readonly id: (random: Random) => readonly [label: string, id: string]
  readonly filler: string
}

const digits = (random: Random, n: number) => Array.from({ length: n }, () => random.integer(10)).join("")
const pick = (random: Random, list: string) => list.split("|")[random.integer(list.split("|").length)] as string

const languages: Readonly<Record<string, Language>> = {
  en: {
    first: "Harriet|Desmond|Priya|Siobhan|Thaddeus|Mary-Anne",
    last: "Okonkwo|O'Rourke|Featherstone|Whitcombe|McAllister|Pemberton-Hale",
    people: [
      "Dear @,\nthank you for writing.",
      "my name is @ and my card is gone.",
      "Please ask Mr @ first.",
      "Best regards,\n@",
    ],
    street: (r) =>
      `${1 + r.integer(400)} ${pick(r, "Larkspur Lane|Old Mill Road|St. Cuthbert's Street")}, ${pick(r, "Leeds LS1 4AP|London NW1 6XE")}`,
    phone: (r) => `+44 20 7946 0${digits(r, 3)}`,
    iban: ["GB", 18],
    id: (r) => ["my SSN:", `5${digits(r, 2)}-4${digits(r, 1)}-7${digits(r, 3)}`],
    filler: "The parcel has not come and nobody at the counter could tell why.",
  },
  de: {
    first: "Jürgen|Käthe|Annegret|Björn|Hans-Peter|Sieglinde",
    last: "Großschmidt|Öztürk|von Hohenfels|Kräutermann|Schäufele|Müller-Lüdenscheidt",
    people: [
      "Sehr geehrter Herr Dr. @, vielen Dank.",
      "mein Name ist @ und die Karte ist weg.",
      "Bitte fragen Sie Frau @ zuerst.",
      "Mit freundlichen Grüßen\n@",
    ],
    street: (r) =>
      `${pick(r, "Lindenblütenstraße|Am-Anger-Weg|Kölner Straße")} ${1 + r.integer(200)}b, 10${digits(r, 3)} Berlin`,
    phone: (r) => `030 2093 1${digits(r, 3)}`,
    iban: ["DE", 18],
    id: (r) => ["Kundennummer:", `KD-${digits(r, 7)}`],
    filler: "Das Paket ist nicht gekommen und am Schalter wusste niemand etwas.",
  },
  fr: {
    first: "Héloïse|Théodore|Jean-Luc|Anaïs|Gaëtan|Clémence",
    last: "d'Artigues|Lefèvre|de la Tour|Bézivin|Quénéhervé|Rousselière",
    people: [
      "Bonjour Madame @, merci.",
      "je m’appelle @ et ma carte est perdue.",
      "Demandez à M. @ avant.",
      "Cordialement,\n@",
    ],
    street: (r) =>
      `${1 + r.integer(200)} bis, ${pick(r, "rue des Glycines|avenue du Général Leclerc|impasse de l'Églantier")}, 75${digits(r, 3)} Paris`,
    phone: (r) => `01 42 68 ${digits(r, 2)} ${digits(r, 2)}`,
    iban: ["FR", 23],
    id: (r) => {
      const nir = `2${60 + r.integer(39)}0${1 + r.integer(9)}75${digits(r, 6)}`
      return ["mon numéro est le", `${nir}${String(97n - (BigInt(nir) % 97n)).padStart(2, "0")}`]
    },
    filler: "Le colis n'est pas arrivé et personne au guichet ne savait pourquoi.",
  },
  es: {
    first: "Íñigo|Begoña|María José|Álvaro|Ximena|Fermín",
    last: "Etxebarría|Núñez Cabeza|de la Cruz|Peñaranda|Zubizarreta|Güell",
    people: [
      "Estimada @:\ngracias por escribir.",
      "me llamo @ y perdí la tarjeta.",
      "Pregunte antes a la señora @.",
      "Un saludo,\n@",
    ],
    street: (r) =>
      `Calle ${pick(r, "del Almendro|Mayor|San Vicente")}, ${1 + r.integer(200)}, 28${digits(r, 3)} Madrid`,
    phone: (r) => `+34 612 345 ${digits(r, 3)}`,
    iban: ["ES", 20],
    id: (r) => {
      const number = `4${digits(r, 7)}`
      return ["mi documento es", `${number}${"TRWAGMYFPDXBNJZSQVHLCKE"[Number(number) % 23]}`]
    },
    filler: "El paquete no llegó y nadie en la oficina sabía la razón.",
  },
  it: {
    first: "Niccolò|Fiammetta|Gian Marco|Loredana|Ettore|Ginevra",
    last: "Dell'Acqua|Brambilla|Di Gennaro|Passalacqua|Zanicchi|Fumagalli",
    people: [
      "Gentile @, grazie.",
      "mi chiamo @ e ho perso la carta.",
      "Chieda prima al dott. @ in ufficio.",
      "Cordiali saluti\n@",
    ],
    street: (r) =>
      `${pick(r, "via dei Tigli|Corso Garibaldi|piazza San Lorenzo")} ${1 + r.integer(200)}, 00${digits(r, 3)} Roma`,
    phone: (r) => `+39 06 698 ${digits(r, 5)}`,
    iban: ["IT", 23],
    id: (r) => ["il mio codice:", `BRMNCL8${digits(r, 1)}A1${digits(r, 1)}F${digits(r, 3)}Z`],
    filler: "Il pacco non arriva e nessuno allo sportello sapeva il motivo.",
  },
  pt: {
    first: "Conceição|João|Inês|Gonçalo|Luísa|Estêvão",
    last: "dos Santos|Magalhães|Queirós|da Assunção|Guimarães|Falcão",
    people: [
      "Prezada @, obrigado.",
      "o meu nome é @ e perdi o cartão.",
      "Pergunte antes à Sra. @ no balcão.",
      "Atenciosamente,\n@",
    ],
    street: (r) =>
      `Rua ${pick(r, "das Amoreiras|Augusta|de São Bento")}, ${1 + r.integer(200)}, 11${digits(r, 2)}-${digits(r, 3)} Lisboa`,
    phone: (r) => `+351 912 345 ${digits(r, 3)}`,
    iban: ["PT", 21],
    id: (r) => ["meu CPF", `${digits(r, 3)}.${digits(r, 3)}.${digits(r, 3)}-${digits(r, 2)}`],
    filler: "A encomenda não chegou e ninguém no balcão sabia a razão.",
  },
  nl: {
    first: "Sjoerd|Marijke|Anneloes|Diederik|Wietske|Joost",
    last: "van den Heuvel|de Vries|Ter Braak|Hoogendijk|van 't Hoff|Zijlstra",
    people: [
      "Beste @,\ndank voor het bericht.",
      "mijn naam is @ en mijn pas is weg.",
      "Vraag het eerst aan mevrouw @ daar.",
      "Met vriendelijke groet,\n@",
    ],
    street: (r) => `${pick(r, "Keizersgracht|Wilgenlaan|Oude Kerkstraat")} ${1 + r.integer(200)}, 1015 CJ Amsterdam`,
    phone: (r) => `+31 20 794 0${digits(r, 3)}`,
    iban: ["NL", 14],
    id: (r) => ["BSN is", `1${digits(r, 8)}`],
    filler: "Het pakket is niet gekomen en niemand aan de balie wist waarom.",
  },
  pl: {
    first: "Łukasz|Małgorzata|Żaneta|Stanisław|Agnieszka|Świętosława",
    last: "Wiśniewski|Brzęczyszczykiewicz|Żółkiewska|Nowak-Dąbrowska|Śliwa|Ćwikła",
    people: [
      "Szanowny Panie @, dziękuję.",
      "nazywam się @ i zgubiłem kartę.",
      "Proszę najpierw zapytać: pani @ wie.",
      "Z poważaniem\n@",
    ],
    street: (r) =>
      `ul. ${pick(r, "Marszałkowska|Świętego Jana|Krakowskie Przedmieście")} ${1 + r.integer(200)}, 00-${digits(r, 3)} Warszawa`,
    phone: (r) => `+48 22 555 ${digits(r, 2)} ${digits(r, 2)}`,
    iban: ["PL", 24],
    id: (r) => {
      const born = `85${["01", "12"][r.integer(2)]}1${digits(r, 5)}`
      const sum = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3].reduce((all, weight, i) => all + weight * Number(born[i]), 0)
      return ["numer", `${born}${(10 - (sum % 10)) % 10}`]
    },
    filler: "Paczka nie przyszła i nikt w okienku nie znał przyczyny.",
  },
}

/** An account whose check digits are right (ISO 7064), in groups of four. */
function ibanOf(random: Random, [country, length]: readonly [string, number]): string {
  // What a country has for letters is left to digits: the checksum alone is read.
  const account = digits(random, length)
  const spelled = `${account}${[...country].map((letter) => letter.charCodeAt(0) - 55).join("")}00`
  const whole = `${country}${String(98n - (BigInt(spelled) % 97n)).padStart(2, "0")}${account}`
  return (whole.match(/.{1,4}/g) ?? []).join(" ")
}

/** A card's number whose last digit is right (Luhn). */
function cardOf(random: Random): string {
  const first = `4${digits(random, 14)}`
  const sum = [...first].reduce((all, digit, i) => {
    const doubled = i % 2 === 0 ? Number(digit) * 2 : Number(digit)
    return all + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return `${first}${(10 - (sum % 10)) % 10}`.replace(/(\d{4})(?=\d)/g, "$1 ")
}

const particles = new Set(["von", "van", "den", "der", "de", "la", "da", "dos", "Di", "Ter", "'t", "María", "San"])

/** Calls with eight personal data each, in eight languages by turns, from a seed. */
export function plantedCalls(count: number, seed: number): readonly PlantedCall[] {
  const random = createRandom(seed)
  const all = Object.values(languages)
  return Array.from({ length: count }, (_, i) => {
    const { first, last, people, street, phone, iban, id, filler } = all[i % all.length] as Language
    const family = pick(random, last)
    const name = `${pick(random, first)} ${family}`
    const mail = `${family.replace(/[^\p{L}]/gu, "").toLowerCase()}.${digits(random, 4)}@${pick(random, "example.org|bücher.example|mail.example.co.uk")}`
    const [label, own] = id(random)
    const said = {
      street: street(random),
      phone: phone(random),
      iban: ibanOf(random, iban),
      card: cardOf(random),
      key: ["sk", digits(random, 24)].join("-"),
      ip: `203.0.113.${random.integer(255)}`,
    }
    const greeting = (people[(i >> 3) % people.length] as string).replace("@", name)
    const isEnd = greeting.endsWith(name)
    const body = `${filler} ${label} ${own}. ${said.street}. ${said.phone}; ${mail}; IBAN ${said.iban}; ${said.card}; ${said.key} (${said.ip})`
    return {
      question: isEnd ? `${body}\n\n${greeting}` : `${greeting} ${body}`,
      answer: `${family}: ${filler} ${mail}`,
      planted: [...name.split(" ").filter((part) => !particles.has(part)), mail, own, ...Object.values(said)],
    }
  })
}
