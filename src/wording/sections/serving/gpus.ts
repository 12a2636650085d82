import { type Figure, unknown } from "../../../core/report/figure.ts"
import type { ReportSection } from "../../../core/report/report-sections.ts"
import { type TableColumn, tableData } from "../../../core/report/table-data.ts"
import { toJson } from "../../../core/report/to-json.ts"
import { roundPercent } from "../../../words/percent.ts"
import type { ServedVariant } from "./served-variant.ts"

/** From here on heat changed the speed that was measured. */
const muchHeat = 0.05

type Gpu = NonNullable<NonNullable<ServedVariant["resources"]>["gpu"]>
type Served = Pick<ServedVariant, "report"> & { readonly gpu: Gpu; readonly ready: Gpu["memoryAfterLoadBytes"] }

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
    data: toJson(tableData(served, columns)),
    ...(hot[0] !== undefined && { caution: hot[0] }),
  }
}

const unsaid = "the driver does not say"
const unheld = "the driver does not say what a process holds"

const columns: readonly TableColumn<Served>[] = [
  ["variant", ({ report }) => report.name],
  ["GPU", ({ gpu }) => namesOf(gpu) || unknown("the driver does not name it")],
  ["driver", ({ gpu }) => gpu.driver || unknown("the driver does not state its version")],
  ["GPU memory after load", ({ ready }) => reading(ready, "when the server was ready", unheld), "bytes"],
  ["GPU memory, peak", ({ gpu }) => reading(gpu.peakMemoryBytes, "highest reading", unheld), "bytes"],
  [
    "GPU use",
    ({ gpu }) => reading(gpu.meanUtilisation, "mean of the readings", "it was not read while the server had requests"),
    "share",
  ],
  ["mean power", ({ gpu }) => powerOf(gpu), "W"],
  ["power limit", ({ gpu }) => reading(gpu.powerLimitWatts, "as the driver enforces it", unsaid), "W"],
  ["temperature, peak", ({ gpu }) => reading(gpu.peakTemperatureCelsius, "highest reading", unsaid), "°C"],
  ["slowed by heat", ({ gpu }) => reading(gpu.slowedByHeat, "share of the readings", unsaid), "share"],
  ["at the power limit", ({ gpu }) => reading(gpu.slowedByPowerLimit, "share of the readings", unsaid), "share"],
  ["other processes", ({ gpu }) => reading(gpu.sharedWith, "processes of others that were seen", "not read")],
]

function powerOf({ energyIsValid, meanPowerWatts, energyReason }: Gpu): Figure {
  const watts = energyIsValid === false ? null : meanPowerWatts
  return reading(watts, "mean while the server had requests", energyReason ?? "not read")
}

function reading(value: number | null | undefined, method: string, reason: string): Figure {
  return value == null ? unknown(reason) : { status: "known", value, n: 1, method }
}

/** @example namesOf({ names: ["NVIDIA H100"], count: 2 }) // "2 × NVIDIA H100" */
function namesOf({ names = [], count }: Pick<Gpu, "names" | "count">): string {
  const all = names.join(", ")
  return all !== "" && count !== undefined && count > 1 ? `${count} × ${all}` : all
}
