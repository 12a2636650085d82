import { plainText } from "../../../src/words/text.ts"
import { InlineMark } from "../charts/mark.tsx"
import { usePage } from "../context.tsx"
import { useHashState } from "../state.ts"
import { maxListed, readListed, usuallyListed, writeListed } from "./listed.ts"

/** The variants that the list shows, and how to choose others, kept in the address. */
export function useListed(variants: readonly string[]): [readonly string[], (chosen: readonly string[]) => void] {
  const { report } = usePage()
  const defaults = usuallyListed(report, variants)
  const [text, setText] = useHashState("listed", "")
  const choose = (chosen: readonly string[]) =>
    setText(writeListed(chosen.length === 0 ? defaults : variants.filter((name) => chosen.includes(name)), defaults))
  return [readListed(text, variants, defaults), choose]
}

/** A box to tick for each variant, where there are more than the list has columns for. */
export function ListedChoice({ variants }: { variants: readonly string[] }) {
  const [listed, choose] = useListed(variants)
  if (variants.length <= maxListed) return null
  const isFull = listed.length >= maxListed
  return (
    <details class="more-filters">
      <summary>{`variants in the list (${listed.length} of ${variants.length})`}</summary>
      <fieldset class="listed">
        <legend class="note">
          {isFull
            ? `The list has room for ${maxListed}: take one off to put another one on. A sample\u2019s pane has all of them.`
            : `The list has room for ${maxListed}. A sample\u2019s pane has all of them.`}
        </legend>
        {variants.map((name) => {
          const isListed = listed.includes(name)
          return (
            <label key={name} class={isFull && !isListed ? "off" : ""}>
              <input
                type="checkbox"
                checked={isListed}
                disabled={isListed ? listed.length === 1 : isFull}
                onChange={() => choose(isListed ? listed.filter((own) => own !== name) : [...listed, name])}
              />
              <InlineMark variant={name} />
              <bdi>{plainText(name, 40)}</bdi>
            </label>
          )
        })}
        <button type="button" class="plain" onClick={() => choose([])}>
          as at first
        </button>
      </fieldset>
    </details>
  )
}
