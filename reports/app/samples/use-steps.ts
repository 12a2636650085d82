import { useEffect } from "preact/hooks"

/** Where the chosen sample is in the list, and the ways to its neighbours; null at an end. */
export interface Steps {
  /** From 1; 0 where the filters leave the chosen sample out. */
  readonly position: number
  readonly of: number
  readonly previous: (() => void) | null
  readonly next: (() => void) | null
}

/**
 * Steps through the listed samples; the keys j and k take them wherever the reader is on the page, but for fields.
 *
 * @param close what Escape does in the list or the pane
 */
export function useSteps(
  shown: readonly number[],
  chosen: number,
  choose: (sample: number) => void,
  close: () => void,
): Steps {
  const at = shown.indexOf(chosen)
  const to = (index: number) => {
    const sample = shown[index]
    return sample === undefined ? null : () => choose(sample)
  }
  const steps = { position: at + 1, of: shown.length, previous: at > 0 ? to(at - 1) : null, next: to(at + 1) }
  useEffect(() => {
    if (chosen < 0) return
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return
      if (event.key === "j") steps.next?.()
      if (event.key === "k") steps.previous?.()
      if (event.key === "Escape" && isBeside(event.target)) close()
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  })
  return steps
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("input, select, textarea, [contenteditable]")
}

/** In the list or the pane, or nowhere: whoever came by the address has not been anywhere yet. */
function isBeside(target: EventTarget | null): boolean {
  return target instanceof Element && (target === document.body || target.closest(".sample-desk") !== null)
}
