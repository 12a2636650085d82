import { type Figure, unknown } from "../../../core/report/figure.ts"
import type { ReportSection } from "../../../core/report/report-sections.ts"
import { toJson } from "../../../core/report/to-json.ts"
import { roundPercent } from "../../../words/percent.ts"
import type { ServedVariant } from "./served-variant.ts"

/** From here on heat changed the speed that was measured. */
const muchHeat = 0.05

/** The GPUs that served each variant: which they are, what its processes held and used of them, and what held their clocks down. Null without one. */
export function gpusSection(variants: readonly ServedVariant[]): ReportSection | null {
  const served = variants.flatMap(({ report, resources }) =>
    resources?.gpu ? [{ report, gpu: resources.gpu, ready: resources.gpu.memoryAfterLoadBytes }] : [],
  )
  if (served.length === 0) return null
  const hot = served
    .filter(({ gpu }) => (gpu.slowedByHeat ?? 0) > muchHeat)
    .map(
      ({ report, gpu }) =>
        `${report.name}: heat or the hardware held the GPU's clocks down in ${roundPercent(gpu.slowedByHeat ?? 0)} of the readings: cooler it would be faster.`,
    )
  return {
    kind: "table",
    topic: "gpus",
    title: "The GPUs that served",
    sentences: [
      "Memory is what the variant's processes held; use, power and what held the clocks down count only while the server had requests.",
      ...hot,
    ],
    data: toJson({
      columns,
      rows: served.map(({ report, gpu, ready }) => [
        report.name,
        namesOf(gpu) || unknown("the driver does not name it"),
        gpu.driver || unknown("the driver does not state its version"),
        reading(ready, "when the server was ready", "the driver does not say what a process holds"),
        reading(gpu.peakMemoryBytes, "highest reading", "the driver does not say what a process holds"),
        reading(gpu.meanUtilisation, "mean of the readings", "it was not read while the server had requests"),
        reading(
          gpu.energyIsValid === false ? null : gpu.meanPowerWatts,
          "mean while the server had requests",
          gpu.energyReason ?? "not read",
        ),
        reading(gpu.powerLimitWatts, "as the driver enforces it", "the driver does not say"),
        reading(gpu.peakTemperatureCelsius, "highest reading", "the driver does not say"),
        reading(gpu.slowedByHeat, "share of the readings", "the driver does not say"),
        reading(gpu.slowedByPowerLimit, "share of the readings", "the driver does not say"),
        reading(gpu.sharedWith, "processes of others that were seen", "not read"),
      ]),
    }),
    ...(hot[0] !== undefined && { caution: hot[0] }),
  }
}

const columns = [
  { title: "variant" },
  { title: "GPU" },
  { title: "driver" },
  { title: "GPU memory after load", unit: "bytes" },
  { title: "GPU memory, peak", unit: "bytes" },
  { title: "GPU use", unit: "share" },
  { title: "mean power", unit: "W" },
  { title: "power limit", unit: "W" },
  { title: "temperature, peak", unit: "°C" },
  { title: "slowed by heat", unit: "share" },
  { title: "at the power limit", unit: "share" },
  { title: "other processes" },
]

function reading(value: number | null | undefined, method: string, reason: string): Figure {
  return value == null ? unknown(reason) : { status: "known", value, n: 1, method }
}

/** @example namesOf({ names: ["NVIDIA H100"], count: 2 }) // "2 × NVIDIA H100" */
function namesOf({
  names = [],
  count,
}: Pick<NonNullable<ServedVariant["resources"]>["gpu"] & {}, "names" | "count">): string {
  const all = names.join(", ")
  return all !== "" && count !== undefined && count > 1 ? `${count} × ${all}` : all
}
