import { createHmac } from "node:crypto"
import { canonicalJson } from "../core/json.ts"
import { boundedText, spellOutInvisible } from "./spell-out-invisible.ts"

/** A text with the heading under which a judge sees it. */
export interface FencedText {
  readonly title: string
  readonly text: string
}

/**
 * The mark of one request's fences: 128 bits of HMAC-SHA-256 over everything that is fenced, keyed by the rubric's hash and
 * the run's seed.
 *
 * Why not plain random: the response cache is keyed by the request, so a mark drawn anew would ask (and pay for) the same
 * verdict again on every re-score. Why this is as good: to close the fence, an answer must contain the mark, but the mark is
 * a hash of the answer that contains it. Its author would need a fixed point of a 128-bit keyed hash (2^128 trials, each with
 * another text), also when rubric and seed are public. A mark seen in one request is of no use in another.
 *
 * @param key rubric hash, seed and number of the repeat
 * @param texts what is fenced, answers included
 */
export function fenceMark(key: string, texts: readonly FencedText[]): string {
  return createHmac("sha256", key).update(canonicalJson(texts)).digest("hex").slice(0, 32)
}

/**
 * Texts between lines that carry the mark, each bounded and with its invisible characters and role tokens spelled out.
 *
 * @param limit characters of each text, at most
 */
export function fenced(texts: readonly FencedText[], mark: string, limit: number): string {
  return texts
    .map(
      ({ title, text }) =>
        `${title}:\n<<<${mark} begin>>>\n${boundedText(spellOutInvisible(text), limit)}\n<<<${mark} end>>>`,
    )
    .join("\n\n")
}
