import "../style/index.css"
import "./view.css"

/** Answers that were asked for earlier than what is shown are thrown away. */
let asked = 0

/** Asks for a page's main part, and puts in place what changed. */
async function renew(address: string, etag: string | null): Promise<string | null> {
  const turn = ++asked
  const headers = { "x-evalkit-part": "1", ...(etag !== null && { "if-none-match": etag }) }
  const reply = await fetch(address, { headers, cache: "no-store" }).catch(() => null)
  const isLate = turn !== asked
  const old = document.querySelector("main")
  if (reply === null || reply.status === 304 || isLate || !old) return etag
  if (!reply.ok) return null
  const news = new DOMParser().parseFromString(await reply.text(), "text/html").querySelector("main")
  if (!news || turn !== asked) return etag
  if (news.dataset.over !== undefined) location.reload()
  else {
    old.dataset.refresh = news.dataset.refresh ?? ""
    replaceChanged(old, news)
  }
  return reply.headers.get("etag")
}

/** Looks for news while the page is seen, as often as it says. */
function keepFresh(): void {
  let etag: string | null = null
  let lastAddress = location.href
  const look = async (): Promise<void> => {
    const seconds = Number(document.querySelector("main")?.dataset.refresh || 0)
    if (seconds > 0 && !document.hidden) {
      if (lastAddress !== location.href) etag = null
      lastAddress = location.href
      etag = await renew(location.href, etag)
    }
    setTimeout(look, 1000 * Math.max(1, seconds || 5))
  }
  setTimeout(look, 1000 * Number(document.querySelector("main")?.dataset.refresh || 5))
}

/** A form with `data-filter` is sent while somebody types; its address stays the page's. */
function filterAtOnce(): void {
  let timer = 0
  const send = (form: HTMLFormElement): void => {
    const query = new URLSearchParams()
    for (const [name, value] of new FormData(form))
      if (typeof value === "string" && value !== "") query.set(name, value)
    const address = `${location.pathname}${query.size > 0 ? `?${query}` : ""}`
    history.replaceState(null, "", address)
    void renew(address, null)
  }
  document.addEventListener("input", ({ target }) => {
    const form = target instanceof Element ? target.closest<HTMLFormElement>("form[data-filter]") : null
    if (!form) return
    clearTimeout(timer)
    timer = window.setTimeout(send, 200, form)
  })
  document.addEventListener("submit", (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.dataset.filter === undefined) return
    event.preventDefault()
    clearTimeout(timer)
    send(form)
  })
}

readKeys()
filterAtOnce()
keepFresh()
document.documentElement.dataset.ready = "yes"

/** Presses what has the key in `data-key`: a button is clicked, a link followed, a field focused. */
function readKeys(): void {
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
    const element = own ?? document.querySelector<HTMLElement>(what)
    if (!element) return
    event.preventDefault()
    if (element instanceof HTMLInputElement) element.focus()
    else element.click()
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

/**
 * Makes the children of `old` those of `news`. What is equal stays as it is; elements with an id are found again by it; a field that
 * somebody is at, and boxes that are ticked, stay as people left them.
 */
function replaceChanged(old: Element, news: Element): void {
  const byId = new Map([...old.children].filter(({ id }) => id !== "").map((child) => [child.id, child]))
  const unnamed = [...old.children].filter(({ id }) => id === "")
  const kept = new Set<Element>()
  let before: ChildNode | null = old.firstChild
  for (const fresh of [...news.childNodes]) {
    const match = fresh instanceof Element ? (fresh.id === "" ? unnamed.shift() : byId.get(fresh.id)) : undefined
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
