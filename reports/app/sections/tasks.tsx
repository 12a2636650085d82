import { figureValue } from "../../../src/core/report/figure.ts"
import { metricCalled } from "../../../src/words/metric.ts"
import { count } from "../../../src/words/number.ts"
import { decidingComparison } from "../../view-model/comparisons.ts"
import { usePage } from "../context.tsx"
import { setHash } from "../state.ts"
import { unfold } from "../unfold.ts"

/**
 * What a reader wants to know next: the answers that became wrong, if any did, and the bill at their volume. It stands below the answer, and
 * (`skip`) as what the keyboard comes to first, seen only then.
 */
export function Tasks({ skip = false }: { skip?: boolean }) {
  const { report, facts } = usePage()
  const comparison = decidingComparison(report)
  if (!comparison) return null
  const { baseline, candidate, flips } = comparison
  const by = flips?.metric === undefined ? "" : ` by ${metricCalled(report.metrics, flips.metric)}`
  const isPriced = report.variants.some(({ cost }) => figureValue(cost.perQueryUsd) !== null)
  const showBroken = () => {
    unfold(document.getElementById("samples"))
    setHash({ chip: "broke", of: candidate, versus: baseline, left: baseline, right: candidate })
    document.getElementById("samples")?.scrollIntoView()
    document.querySelector<HTMLElement>(".sample-frame")?.focus({ preventScroll: true })
  }
  const showBill = () => {
    const field = document.querySelector<HTMLInputElement>("#briefing input, #cost input")
    field?.scrollIntoView({ block: "center" })
    field?.focus({ preventScroll: true })
    field?.select()
  }
  return (
    <p class={skip ? "tasks skip" : "tasks"}>
      {facts.embeddedSamples > 0 && flips !== null && flips.lost.length > 0 && (
        <button type="button" class="plain" onClick={showBroken}>
          {`read what broke (${count(flips.lost.length)}${by})`}
        </button>
      )}
      {isPriced && (
        <button type="button" class="plain" onClick={showBill}>
          cost at your volume
        </button>
      )}
    </p>
  )
}
