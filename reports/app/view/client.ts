import "../style/index.css"
import "./view.css"
import { readKeys } from "./keys.ts"
import { replaceChanged } from "./replace.ts"

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
