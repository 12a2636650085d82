import type { LlamaContextSequence, Token } from "node-llama-cpp"

/** A sequence, and the prompt that it was last taken for; null where nobody comes back to it: it is unused, or its request asked for no cache. */
export interface Place {
  readonly id: number
  readonly sequence: LlamaContextSequence
  readonly prompt: readonly Token[] | null
}

/** Of what a place holds of a prompt, the part that may be thrown away beside it. */
const mostLost = 0.1

/**
 * Which of the free places a request gets, so that conversations that take turns find what was read of them before: the one that holds the longest
 * head of its prompt, where little else of an earlier prompt is lost; else the first one. So the next turn of a conversation, the same prompt
 * again and a last question that was written anew come back to their place, and a prompt that merely begins as another one does (the same
 * rules, other questions) does not drive that one out. A comparison takes no more steps than the prompt has tokens.
 *
 * @param free those that nobody comes back to first, then from the one that was unused for longest to the last one
 * @param prompt null for a request that asks for no cache
 * @returns its index
 * @example choosePlace([{ prompt: [1, 2, 9] }, { prompt: [1, 2, 3] }], [1, 2, 3, 4, 5]) // 1
 */
export function choosePlace(free: readonly Pick<Place, "prompt">[], prompt: readonly Token[] | null): number {
  let chosen = 0
  let longest = 0
  if (prompt === null) return chosen
  for (const [index, { prompt: held }] of free.entries()) {
    const head = commonHead(held ?? [], prompt)
    const lost = (held?.length ?? 0) - head
    if (head <= longest || lost > mostLost * head) continue
    longest = head
    chosen = index
  }
  return chosen
}

function commonHead(held: readonly Token[], prompt: readonly Token[]): number {
  const most = Math.min(held.length, prompt.length)
  let head = 0
  while (head < most && held[head] === prompt[head]) head++
  return head
}
