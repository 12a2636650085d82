import { useEffect } from "preact/hooks"
import { useHashState } from "./state.ts"

const themes = ["auto", "light", "dark"] as const

/** Switches between the reader's own theme, light and dark. */
export function ThemeSwitch() {
  const [theme, setTheme] = useHashState("theme", "auto")
  useEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }, [theme])
  const next = themes[(themes.indexOf(theme as (typeof themes)[number]) + 1) % themes.length] ?? "auto"
  return (
    <button type="button" class="plain theme" onClick={() => setTheme(next)} title={`switch to ${next}`}>
      {`theme: ${theme}`}
    </button>
  )
}
