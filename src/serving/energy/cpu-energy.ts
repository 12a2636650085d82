import type { ResourceUsage } from "../../core/provider.ts"
import { startPowermetrics } from "./powermetrics.ts"
import { openRapl, type RaplReader } from "./rapl.ts"
import { createServingWindows } from "./serving-windows.ts"

/** The processors' energy between the moments at which a server begins and ends to have requests. Times are milliseconds. */
export interface CpuEnergy {
  /** The first request after a time without. */
  begin(atMs: number): void
  end(atMs: number): void
  /** To be called now and then. */
  poll(): void
  read(serving: {
    readonly nowMs: number
    readonly servingMs: number
    readonly windows: number
  }): NonNullable<ResourceUsage["cpuEnergy"]>
  stop(): void
}

/** What the machine offers. */
export interface CpuEnergyOptions {
  /** Where Linux shows its counters. */
  readonly root: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
}

/** By the counters of RAPL, on a Mac by `powermetrics`. */
export function createCpuEnergy({ root, environment, platform }: CpuEnergyOptions): CpuEnergy {
  if (platform === "darwin") return byPowermetrics(environment)
  const opened = openRapl(root)
  return "reason" in opened ? unknownEnergy(opened.reason) : byRapl(opened)
}

/** RAPL's counters move about once a millisecond. */
const counterStepSeconds = 0.001

function byRapl(reader: RaplReader): CpuEnergy {
  let reason: string | null = null
  let sum = 0
  let since: number | null = null
  const now = (): number | null => {
    const joules = reader.joules()
    if (joules === null) reason = "processor energy: its counters could not be read any more"
    return joules
  }
  return {
    begin() {
      since = now()
    },
    end() {
      const joules = now()
      if (since !== null && joules !== null) sum += joules - since
      since = null
    },
    // A counter that went round twice could not be told from one that went round once.
    poll: () => void now(),
    read({ servingMs, windows }) {
      const joules = now()
      const isKnown = reason === null && joules !== null && servingMs > 0
      const total = sum + (since !== null && joules !== null ? joules - since : 0)
      const watts = servingMs > 0 ? (total * 1000) / servingMs : 0
      // Each edge of a window is off by a share of a step that is equally likely everywhere.
      const error = watts * counterStepSeconds * Math.sqrt(windows / 6)
      return {
        joules: isKnown ? total : null,
        errorJoules: isKnown ? error : null,
        reason: isKnown ? null : (reason ?? "processor energy: the server had no request"),
        source: "processor packages (RAPL)",
      }
    },
    stop() {},
  }
}

/** Longest time inside a window without a reading for which the energy is still believed. */
const longestGapMs = 2000

function byPowermetrics(environment: CpuEnergyOptions["environment"]): CpuEnergy {
  const windows = createServingWindows()
  const reader = startPowermetrics(environment, ({ watts, overMs }) =>
    // A mean stands for the middle of its time.
    windows.power("chip", performance.now() - overMs / 2, watts),
  )
  return {
    begin: (atMs) => void windows.begin(atMs),
    end: (atMs) => void windows.end(atMs),
    poll() {},
    read({ nowMs }) {
      const { joules, errorJoules, longestGapMs: gapMs } = windows.figures(nowMs)
      const why =
        reader.reason() ??
        (joules === null || gapMs > longestGapMs ? "it reported too seldom while the server had requests" : null)
      return why === null
        ? {
            joules,
            errorJoules,
            reason: null,
            source: "the whole chip by Apple's estimate (powermetrics), other programs included",
          }
        : { joules: null, errorJoules: null, reason: `processor energy: ${why}` }
    },
    stop: () => reader.stop(),
  }
}

function unknownEnergy(why: string): CpuEnergy {
  const noop = (): void => {}
  return {
    begin: noop,
    end: noop,
    poll: noop,
    stop: noop,
    read: () => ({ joules: null, errorJoules: null, reason: `processor energy: ${why}` }),
  }
}
