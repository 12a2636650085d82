/**
 * Makes the children of `old` those of `news`. What is equal stays as it is; elements with an id are found again by it; a field that
 * somebody is at, and boxes that are ticked, stay as people left them.
 */
export function replaceChanged(old: Element, news: Element): void {
  const known = new Map([...old.children].filter(({ id }) => id !== "").map((child) => [child.id, child]))
  const unnamed = [...old.children].filter(({ id }) => id === "")
  const kept = new Set<Element>()
  let before: ChildNode | null = old.firstChild
  for (const fresh of [...news.childNodes]) {
    const match = fresh instanceof Element ? (fresh.id === "" ? unnamed.shift() : known.get(fresh.id)) : undefined
    const placed = fresh instanceof Element && match?.tagName === fresh.tagName ? renewed(match, fresh) : fresh
    if (placed instanceof Element) kept.add(placed)
    if (placed !== before) old.insertBefore(placed, before)
    else before = placed.nextSibling
  }
  while (before) {
    const next: ChildNode | null = before.nextSibling
    before.remove()
    before = next
  }
  for (const child of [...old.children]) if (!kept.has(child)) child.remove()
}

function renewed(old: Element, fresh: Element): Element {
  if (old.outerHTML === fresh.outerHTML) return old
  const isField = old.matches("input, select, textarea")
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name)
  for (const { name, value } of [...fresh.attributes])
    if (old.getAttribute(name) !== value) old.setAttribute(name, value)
  if (!isField) replaceChanged(old, fresh)
  return old
}
