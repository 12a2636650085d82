import { useEffect } from "preact/hooks"
import { themes } from "./address.ts"
import { useHashState } from "./state.ts"

/** Switches between the reader's own theme, light and dark. */
export function ThemeSwitch() {
  const [asked, setTheme] = useHashState("theme", "auto")
  const theme = themes.find((one) => one === asked) ?? "auto"
  useEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }, [theme])
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "auto"
  return (
    <button type="button" class="plain theme" onClick={() => setTheme(next)} title={`switch to ${next}`}>
      {`theme: ${theme}`}
    </button>
  )
}
