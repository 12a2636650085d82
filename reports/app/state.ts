import { useEffect, useState } from "preact/hooks"
import { detailsId, unfold } from "./unfold.ts"

const listeners = new Set<() => void>()
let params = new URLSearchParams()

/** Reads the view out of the address; called once, after the first paint, so that it equals what the server rendered. */
export function startHashState(): void {
  const read = () => {
    // A plain anchor (#frontier) moves the reader and leaves the view as it is.
    const isAnchor = location.hash.length > 1 && !location.hash.includes("=")
    // Whoever sends a view, or a part of the page, means what is to be seen there.
    if (location.hash.length > 1) unfold(document.getElementById(isAnchor ? location.hash.slice(1) : detailsId))
    if (isAnchor) return
    params = new URLSearchParams(location.hash.slice(1))
    for (const listener of listeners) listener()
  }
  addEventListener("hashchange", read)
  read()
}

/** All that the address says of the view; empty until the page is interactive. */
export function useHashParams(): URLSearchParams {
  const [shown, setShown] = useState(() => new URLSearchParams())
  useEffect(() => {
    const read = () => setShown(new URLSearchParams(params))
    listeners.add(read)
    read()
    return () => void listeners.delete(read)
  }, [])
  return shown
}

/** One value of the view, kept in the address behind #, so that a view can be shared. The initial value is left out. */
export function useHashState(key: string, initial: string): [string, (value: string) => void] {
  const [value, setValue] = useState(initial)
  useEffect(() => {
    const read = () => setValue(params.get(key) ?? initial)
    listeners.add(read)
    read()
    return () => void listeners.delete(read)
  }, [key, initial])
  return [value, (next) => setHash({ [key]: next === initial ? null : next })]
}

/** Changes several values of the view at once; null removes one. */
export function setHash(changes: Readonly<Record<string, string | null>>): void {
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) params.delete(key)
    else params.set(key, value)
  }
  const text = params.toString()
  history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search)
  for (const listener of listeners) listener()
}
