/** One GPU in the output of the power query. `[N/A]` and `[Not Supported]` are unknown. */
export interface GpuReport {
  readonly name: string
  readonly driver: string
  /** Whether its watts are the mean of a time. */
  readonly powerIsMean: boolean
  readonly uuid: string
  /** 0..1 */
  readonly utilisation: number | null
  readonly watts: number | null
  /** Whether its clocks are held down at the moment, and by what; null where the driver does not say. */
  readonly slowed: { readonly byHeat: boolean; readonly byPowerLimit: boolean } | null
  readonly temperatureCelsius: number | null
  /** Watts that it may draw at most. */
  readonly powerLimitWatts: number | null
}

const always = ["uuid", "name", "driver_version", "utilization.gpu"] as const
const state = ["temperature.gpu", "enforced.power.limit"] as const

/**
 * What is asked of each GPU, for newer drivers first: those before 535 call the reasons of a slowdown `clocks_throttle_reasons`, those before
 * 530 do not know the momentary power. A driver that does not know a field ends with an error.
 */
export const gpuQueries: readonly (readonly string[])[] = [
  [...always, "power.draw.instant", "power.draw", "clocks_event_reasons.active", ...state],
  [...always, "power.draw.instant", "power.draw", "clocks_throttle_reasons.active", ...state],
  [...always, "power.draw", "clocks_throttle_reasons.active", ...state],
  [...always, "power.draw"],
]

/**
 * The momentary power where the driver states it, else `power.draw`, which from Ampere on is the mean of a second.
 *
 * @param fields what was asked, in the order of the line
 * @example parseGpuLine("GPU-1, NVIDIA H100, 550.54, 50, 310.5, 280, 0x0")?.watts // 310.5
 */
export function parseGpuLine(line: string, fields: readonly string[] = gpuQueries[0] ?? []): GpuReport | null {
  const values = line.split(",").map((value) => value.trim())
  const field = (name: RegExp): string | undefined => values[fields.findIndex((title) => name.test(title))]
  const [uuid, name, driver, percent] = [field(/^uuid$/), field(/^name$/), field(/^driver/), field(/^utilization/)]
  if (!/^(GPU|MIG)-/.test(uuid ?? "") || percent === undefined || values.length <= always.length) return null
  const use = numberOf(percent)
  const now = numberOf(field(/^power\.draw\.instant$/))
  const mean = numberOf(field(/^power\.draw$/))
  return {
    uuid: uuid ?? "",
    name: name ?? "",
    driver: driver ?? "",
    utilisation: use === null ? null : use / 100,
    watts: now ?? mean,
    powerIsMean: now === null && mean !== null,
    slowed: slowdownOf(field(/^clocks_/)),
    temperatureCelsius: numberOf(field(/^temperature/)),
    powerLimitWatts: numberOf(field(/^enforced\.power\.limit$/)),
  }
}

/** NVML's `nvmlClocksEventReason…`: thermal slowdowns and those of the hardware; limits of power. */
const heat = 0x8 | 0x20 | 0x40
const powerLimit = 0x4 | 0x80

function slowdownOf(reasons: string | undefined): GpuReport["slowed"] {
  if (reasons === undefined || !/^0x[0-9a-f]{1,16}$/i.test(reasons)) return null
  // The reasons stand in the lowest bits.
  const bits = Number.parseInt(reasons.slice(-4).replace(/^.*x/i, ""), 16)
  return { byHeat: (bits & heat) !== 0, byPowerLimit: (bits & powerLimit) !== 0 }
}

/** A process on a GPU. */
export interface GpuProcess {
  readonly uuid: string
  readonly pid: number
  /** Null where the driver does not say. */
  readonly memoryBytes: number | null
}

/** @example parseProcessLine("GPU-1, 4711, 1024")?.memoryBytes // 1073741824 */
export function parseProcessLine(line: string): GpuProcess | null {
  const [uuid = "", pid = "", memory = ""] = line.split(",").map((field) => field.trim())
  if (!/^(GPU|MIG)-/.test(uuid) || !/^\d+$/.test(pid)) return null
  const mebibytes = numberOf(memory)
  return { uuid, pid: Number(pid), memoryBytes: mebibytes === null ? null : mebibytes * 1024 * 1024 }
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : null
}
