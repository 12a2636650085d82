/** What an answer is held to: exactly these tokens, or a grammar that the binding reads. */
export type ServedGrammar =
  | { readonly kind: "tokens"; readonly tokens: readonly number[] }
  | { readonly kind: "letters"; readonly text: string }

const tokenNumbers = /^\s*root\s*::=\s*((?:<\[\d{1,9}\]>\s*)+)$/
const letters = /^\s*root ::= \[[a-zA-Z0-9-]{1,64}\]\+\s*$/

/**
 * Reads a grammar of llama.cpp's form; null for one that is not served. Of all that can be written in it these two are served, which scoring needs:
 * token numbers one behind the other, which are followed without the binding's grammar engine, and letters of one class. That engine ends the
 * process at some texts (deep nesting, token numbers) and never ends at others (choices of choices), so that no others reach it.
 *
 * @example readGrammar("root ::= <[5]> <[6]>") // { kind: "tokens", tokens: [5, 6] }
 */
export function readGrammar(text: string): ServedGrammar | null {
  const numbers = tokenNumbers.exec(text)?.[1]
  if (numbers !== undefined) return { kind: "tokens", tokens: [...numbers.matchAll(/\d+/g)].map(([n]) => Number(n)) }
  return letters.test(text) ? { kind: "letters", text: text.trim() } : null
}
