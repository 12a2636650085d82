/** Everything but the answer: folded until somebody wants it. */
export const detailsId = "details"

/** Opens whatever is folded around an element of the page. */
export function unfold(target: Element | null): void {
  for (let node = target?.closest("details"); node; node = node.parentElement?.closest("details")) node.open = true
}
