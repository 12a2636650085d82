/**
 * Syllables of an English word by its spelling: groups of vowels, without the silent e at the end and in -es and -ed. Right for
 * about nine words in ten; a dictionary would be needed for the rest. Words without a vowel, and numbers, count as one.
 *
 * @example syllables("considerable") // 5
 */
export function syllables(word: string): number {
  const letters = word
    .toLowerCase()
    .normalize("NFD")
    .replace(/[^a-z]/g, "")
  const spoken = letters
    .replace(/^y/, "")
    .replace(/(?<=[^aeiouy])(?:es|e)$|(?<=[^aeioutdy])ed$/, (ending, at: number) =>
      // "-le" after a consonant is spoken (table), and so is "-es" after a sibilant (boxes).
      /[^aeiouy]l$/.test(letters.slice(0, at)) ||
      (ending === "es" && /(?:[sxz]|[cs]h|[cg])$/.test(letters.slice(0, at)))
        ? ending
        : "",
    )
  const groups = spoken.match(/[aeiouy]+/g)?.length ?? 0
  const split = spoken.match(/i[ao](?![nu])|eo|ua|[aiou]ing|uou/g)?.length ?? 0
  return Math.max(1, groups + split)
}
