import { plainText } from "../../../src/words/text.ts"
import { densityOfPercentiles } from "../charts/density.ts"
import { LinesChart } from "../charts/lines-chart.tsx"
import { usePage } from "../context.tsx"
import { PartHeading } from "../words.tsx"

/** Where the end-to-end latencies of two variants lie; nothing where none was measured. */
export function Densities({ names }: { names: readonly string[] }) {
  const { report } = usePage()
  const lines = names.flatMap((name) => {
    const variant = report.variants.find((variantReport) => variantReport.name === name)
    const points = variant ? densityOfPercentiles(variant.speed.e2eMs.percentiles) : []
    return points.length > 0 ? [{ variant: name, points }] : []
  })
  if (lines.length === 0) return null
  return (
    <div>
      <PartHeading title="Distribution of end-to-end latency" />
      <LinesChart
        name="density"
        label={`Density of end-to-end latency of ${names.map((name) => plainText(name)).join(" and ")}`}
        lines={lines}
        x={{ title: "end to end", unit: "ms" }}
        y={{ title: "density", unit: null, zero: true }}
        height={240}
        keyed
      />
    </div>
  )
}
