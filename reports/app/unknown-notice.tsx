import { useEffect, useState } from "preact/hooks"
import { count } from "../../src/words/number.ts"
import { plainText } from "../../src/words/text.ts"
import { usePage } from "./context.tsx"
import { openRows } from "./samples/row-store.ts"
import type { RowStore } from "./samples/rows.ts"
import { setHash, useHashParams } from "./state.ts"
import { type UnknownValue, unknownValues } from "./unknown-values.ts"

/** Values that are named; more are counted. */
const mostNamed = 3

/** Says in a line what the address asks for and the report does not have, with a way to go on without it. */
export function UnknownNotice() {
  const { report, facts } = usePage()
  const params = useHashParams()
  const [store, setStore] = useState<RowStore | null>(null)
  useEffect(() => {
    openRows().then(setStore, () => {})
  }, [])
  const values = unknownValues(params, report, store)
  if (values.length === 0) return null
  const isPart = facts.embeddedSamples < facts.samples && values.some(({ key }) => key === "sample")
  const held = isPart ? ` This file holds ${count(facts.embeddedSamples)} of ${count(facts.samples)} samples.` : ""
  return (
    <p class="doubt" role="status" id="unknown-in-address">
      {`The address of this page asks for something that this report does not have: ${namesOf(values)}.${held} `}
      <button
        type="button"
        class="plain"
        onClick={() => setHash(Object.fromEntries(values.map(({ key }) => [key, null])))}
      >
        go on without it
      </button>
    </p>
  )
}

function namesOf(values: readonly UnknownValue[]): string {
  const all = [...new Set(values.map(({ what, value }) => `${what} "${plainText(value, 60)}"`))]
  const more = all.length - mostNamed
  return `${all.slice(0, mostNamed).join(", ")}${more > 0 ? `, and ${count(more)} more` : ""}`
}
