/** The first characters of a text, as one of their own: a part that `slice` makes keeps all of the text in memory. */
export function firstCharacters(text: string, length: number): string {
  return JSON.parse(JSON.stringify(text.slice(0, length))) as string
}
