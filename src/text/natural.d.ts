/** The parts of natural that evalkit loads, each by its own path: natural's own types cover only the whole package. */
declare module "natural/lib/natural/stemmers/*" {
  const stemmer: { stem(word: string): string }
  export = stemmer
}

declare module "natural/lib/natural/phonetics/*" {
  const Phonetic: new () => { process(word: string): string }
  export = Phonetic
}
