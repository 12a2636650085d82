/** Presses what has the key in `data-key`: a button is clicked, a link followed, a field focused. */
export function readKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return
    const { target, key } = event
    if (target instanceof Element && target.closest("input:not([type=checkbox]), select, textarea")) {
      if (key === "Escape" && target instanceof HTMLElement) target.blur()
      return
    }
    if (key === "j" || key === "k") return void step(key === "j" ? 1 : -1)
    const what = `[data-key="${CSS.escape(key)}"]`
    // Of the run that the focus is on, else of the first that has it.
    const own = document.activeElement?.closest("li")?.querySelector<HTMLElement>(what)
    const wanted = own ?? document.querySelector<HTMLElement>(what)
    if (!wanted) return
    event.preventDefault()
    if (wanted instanceof HTMLInputElement) wanted.focus()
    else wanted.click()
  })
}

/** Moves the focus to the next or the last of the page's steps. */
function step(by: number): void {
  const all = [...document.querySelectorAll<HTMLElement>("[data-step]")]
  if (all.length === 0) return
  const active = document.activeElement
  const at = active instanceof HTMLElement ? all.indexOf(active) : -1
  all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))]?.focus()
}
