/**
 * Words beside which personal data stand, in English, German, French, Spanish, Italian, Portuguese, Dutch and Polish: what is not in
 * these lists is no cue. Small letters and capitals are read alike, but for titles.
 */
export const cues = {
  /** As they are written: without a capital some are words of another language, or a unit. */
  titles: [
    "MR|MRS|MS|DR|HERR|FRAU|MME|SR|SRA|Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Madam|dr|prof|Herr|Herrn|Frau|M.|Mme|Mlle|Monsieur|Madame|Mademoiselle|Maître|monsieur|madame|mademoiselle",
    "Sr|Sra|Srta|Señor|Señora|Señorita|Don|Doña|sr|sra|señor|señora|señorita|don|doña|Sig|Sig.ra|Signor|Signora|Signorina|signor|signora",
    "Dott|Dott.ssa|dott|dott.ssa|Avv|avv|Ing|Senhor|Senhora|Dona|Dra|senhor|senhora|dra|Dhr|Mevr|Mw|Meneer|Mevrouw|dhr|mevr|mw|meneer",
    "mevrouw|heer|Pan|Pani|Pana|Panu|Panie|Panem|Panią|pan|pani|pana|panu|panem|panią",
  ],
  introductions: [
    "my name is|my name's|the name is|on behalf of|mein name ist|ich heiße|ich heisse|im namen von|je m'appelle|mon nom est|au nom de",
    "me llamo|mi nombre es|en nombre de|mi chiamo|il mio nome è|a nome di|meu nome é|o meu nome é|chamo-me|me chamo|em nome de",
    "mijn naam is|ik heet|namens|nazywam się|mam na imię|w imieniu",
  ],
  /** Of a field of a form, before a colon. */
  fields: [
    "name|full name|first name|last name|surname|customer|client|patient|employee|passenger|guest|recipient|sender|signed",
    "vorname|nachname|kunde|kundin|patientin|absender|empfänger|ansprechpartner|nom|prénom|cliente|patiente|expéditeur|destinataire",
    "nombre|apellido|apellidos|paciente|remitente|destinatario|nome|cognome|paziente|mittente|apelido|sobrenome|remetente|destinatário",
    "naam|voornaam|achternaam|klant|patiënt|afzender|ontvanger|imię|nazwisko|imię i nazwisko|klient|klientka|pacjent|nadawca|odbiorca",
  ],
  greetings: [
    "dear|hi|hello|hey|good morning|good afternoon|liebe|lieber|hallo|guten tag|guten morgen|cher|chère|bonjour|bonsoir|salut",
    "querido|querida|estimado|estimada|hola|buenos días|caro|cara|gentile|ciao|buongiorno|salve|prezado|prezada|olá|bom dia",
    "beste|geachte|hoi|dag|goedemorgen|drogi|droga|szanowny|szanowna|cześć|witaj|dzień dobry",
  ],
  /** Who is greeted and is nobody. */
  nobody: [
    "world|all|team|everyone|everybody|there|sir|madam|customer|friend|friends|assistant|zusammen|welt|alle|monde|tous|mundo|todos|equipo",
    "mondo|tutti|equipe|wereld|allemaal|świecie|wszystkim|sirs|support|claude|chatgpt|gpt|gemini|siri|alexa",
  ],
  farewells: [
    "best regards|kind regards|regards|warm regards|sincerely|yours sincerely|yours faithfully|best wishes|best|cheers|thanks|thank you|many thanks",
    "mit freundlichen grüßen|mit freundlichem gruß|freundliche grüße|viele grüße|beste grüße|liebe grüße|herzliche grüße|mfg|danke|vielen dank",
    "cordialement|bien cordialement|bien à vous|sincèrement|merci|saludos|un saludo|saludos cordiales|atentamente|gracias|cordiali saluti",
    "distinti saluti|saluti|grazie|atenciosamente|cumprimentos|com os melhores cumprimentos|abraços|obrigado|obrigada|met vriendelijke groet",
    "met vriendelijke groeten|vriendelijke groet|groeten|groet|hartelijke groet|bedankt|z poważaniem|pozdrawiam|serdecznie pozdrawiam|dziękuję",
  ],
  /** Of a number that is somebody's, before it. */
  numbers: [
    "customer number|customer no|customer id|client number|account number|account no|member id|membership number|passport number|passport no",
    "passport|ssn|social security number|national insurance number|driving licence|driver's license|policy number|patient id|user id|tax id",
    "employee id|id number|date of birth|kundennummer|kontonummer|mitgliedsnummer|personalausweisnummer|ausweisnummer|passnummer|reisepassnummer",
    "steuer-id|steuernummer|steueridentifikationsnummer|sozialversicherungsnummer|versicherungsnummer|patientennummer|geburtsdatum",
    "numéro client|numéro de client|numéro de compte|numéro de sécurité sociale|numéro de passeport|passeport|numéro d'adhérent|carte d'identité",
    "número de cliente|número de cuenta|número de pasaporte|pasaporte|dni|nie|nif|codice fiscale|codice cliente|numero cliente|passaporto",
    "partita iva|número do cliente|número da conta|passaporte|cpf|contribuinte|bsn|burgerservicenummer|klantnummer|rekeningnummer",
    "paspoortnummer|paspoort|polisnummer|pesel|nip|numer klienta|numer konta|numer paszportu|paszport|numer dowodu",
  ],
} as const

/** Small words within names of people and of streets. */
export const particles =
  "van|['’]t|von|vom|op|in|zu|zum|zur|de|der|den|des|du|da|das|do|dos|di|del|della|delle|degli|dei|la|le|las|los|el|al|ten|ter|te|y|e|i|am|an|im|unter|auf"

/** Words for a street: at its head, at its end, and, in Dutch and German, as the end of its name. */
export const streets = {
  head: "rue|avenue|av|boulevard|bd|place|chemin|impasse|allée|quai|cours|calle|c/|avenida|avda|plaza|paseo|camino|carrer|via|viale|piazza|corso|largo|rua|travessa|praça|estrada|ulica|ul|aleja|aleje|al|plac|pl|osiedle|os",
  end: "street|st|road|rd|avenue|ave|lane|ln|drive|dr|way|court|ct|square|sq|terrace|close|place|boulevard|blvd|crescent|parkway|pkwy|highway|straße|strasse|str|weg|platz|allee|gasse|ring|damm|ufer|straat|laan|plein|gracht|kade|dreef|singel",
  suffix: "straße|strasse|str|weg|platz|allee|gasse|ring|damm|ufer|straat|laan|plein|gracht|kade|dreef|singel",
} as const
