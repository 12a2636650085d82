import type { PlannedTarget } from "../../bench/targets.ts"
import { profileOf } from "../../perf/load/profiles.ts"
import type { Args } from "../command.ts"

/** Options that say what load is put on; a profile's load is taken where none of them is given. */
const loads = ["sweep", "findRate", "rate", "trace", "concurrency"] as const

/**
 * The options with what `--profile` says where the command line says nothing: lengths, objectives, and the load with its arrivals.
 *
 * @returns the options, and what a reader must know of the profile; empty without one
 */
export function withProfile(args: Args): { readonly args: Args; readonly remarks: readonly string[] } {
  if (args.profile === undefined) return { args, remarks: [] }
  const name = String(args.profile)
  const { promptTokens, outputTokens, sharedPrefix, load, slo, source } = profileOf(name)
  const isFree = loads.every((kind) => args[kind] === undefined || args[kind] === false)
  const isOpen = args.rate !== undefined || args.findRate === true || (isFree && load.kind === "open")
  const defaults = {
    promptTokens: String(promptTokens),
    maxTokens: String(outputTokens),
    ...(sharedPrefix > 0 && { sharedPrefix }),
    slo,
    ...(isFree &&
      (load.kind === "open" ? { rate: String(load.ratePerSecond) } : { concurrency: String(load.concurrency) })),
    ...(isOpen && load.kind === "open" && args.arrival === undefined && arrivalOf(load.coefficientOfVariation)),
  }
  const own = Object.keys(defaults).filter((option) => args[option] !== undefined)
  const named = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined))
  const isConfig = typeof args.url !== "string"
  return {
    args: { ...defaults, ...named },
    remarks: [
      `profile ${name}: ${source}`,
      ...(isConfig
        ? [`profile ${name}: a config's own prompts were asked, so that the profile's lengths are not theirs`]
        : []),
      ...(own.length > 0 ? [`profile ${name}: changed by the command line: ${own.join(", ")}`] : []),
    ],
  }
}

function arrivalOf(cv: number) {
  return cv === 1 ? { arrival: "poisson" } : { arrival: "gamma", cv }
}

/** Targets whose loads carry these remarks. */
export function withRemarks(targets: readonly PlannedTarget[], remarks: readonly string[]): readonly PlannedTarget[] {
  if (remarks.length === 0) return targets
  return targets.map((target) => ({
    ...target,
    async open() {
      const opened = await target.open()
      return { ...opened, remarks: [...remarks, ...(opened.remarks ?? [])] }
    },
  }))
}
