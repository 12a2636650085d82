const digit = /\p{N}|\P{N}+/gu
const piece = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu

/**
 * Cuts a text into the pieces that byte-pair encoding works in, as llama.cpp does under `tokenizer.ggml.pre = "smollm"`:
 * every digit alone, then GPT-2's expression.
 *
 * @example preTokenize("It's 42 km.") // ["It", "'s", " ", "4", "2", " km", "."]
 */
export function preTokenize(text: string): string[] {
  return (text.match(digit) ?? []).flatMap((part) => (/^\p{N}$/u.test(part) ? [part] : (part.match(piece) ?? [])))
}
