import type { CalibrationData } from "../../../src/core/report/report-sections.ts"
import { counted } from "../../../src/words/number.ts"
import { plainText } from "../../../src/words/text.ts"
import { colourClass, usePage } from "../context.tsx"
import { FigureCell, Foreign } from "../parts.tsx"
import { AxisX, AxisY, Chart } from "./frame.tsx"
import { InlineMark, Mark, round } from "./mark.tsx"
import { axisScale } from "./scale.ts"

/** Reliability diagrams, one per variant on shared scales: on the diagonal, confidence is what it says it is. */
export function Reliability({ data }: { data: CalibrationData }) {
  const page = usePage()
  return (
    <div class="columns narrow">
      {data.variants.map((row) => (
        <div key={row.variant}>
          <p>
            <InlineMark variant={row.variant} /> <Foreign text={row.variant} limit={60} />, expected calibration error{" "}
            <FigureCell figure={row.expectedCalibrationError} unit="share" />
          </p>
          <Chart
            name={`calibration-${plainText(row.variant, 30)}`}
            label={`Accuracy by confidence of ${plainText(row.variant)}: ${row.bins.map((bin) => `${bin.confidence.toFixed(2)}: ${bin.accuracy.toFixed(2)}`).join(", ")}`}
            height={250}
            margin={{ left: 44, right: 12, top: 22 }}
          >
            {(plot) => {
              const sx = axisScale([0, 1], { range: [0, plot.width], unit: "share", logarithmic: false, ticks: 3 })
              const sy = axisScale([0, 1], { range: [plot.height, 0], unit: "share", logarithmic: false })
              const max = Math.max(1, ...row.bins.map((bin) => bin.count))
              return (
                <>
                  <AxisX scale={sx} plot={plot} title="confidence" />
                  <AxisY scale={sy} plot={plot} title="share right" />
                  <line class="diagonal" x1={sx(0)} y1={sy(0)} x2={sx(1)} y2={sy(1)} />
                  <g class={`whisker ${colourClass(page, row.variant)}`}>
                    {row.bins.map(
                      (bin, index) =>
                        bin.low !== null &&
                        bin.high !== null && (
                          <line
                            key={index}
                            x1={round(sx(bin.confidence))}
                            x2={round(sx(bin.confidence))}
                            y1={round(sy(bin.low))}
                            y2={round(sy(bin.high))}
                          />
                        ),
                    )}
                  </g>
                  {row.bins.map((bin, index) => (
                    <g key={index}>
                      <Mark
                        variant={row.variant}
                        x={sx(bin.confidence)}
                        y={sy(bin.accuracy)}
                        size={round(3 + 4 * Math.sqrt(bin.count / max))}
                      />
                      <title>{counted(bin.count, "answer")}</title>
                    </g>
                  ))}
                </>
              )
            }}
          </Chart>
        </div>
      ))}
    </div>
  )
}
