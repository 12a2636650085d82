import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"

const everyMs = 100

/** Watts of the whole chip, with how long the mean was taken over. */
export interface ChipPower {
  readonly watts: number
  /** Milliseconds before the line over which it is the mean. */
  readonly overMs: number
}

/** Reads Apple's power reports while it is not stopped. */
export interface PowermetricsReader {
  /** Why there are none, as a sentence's end; null while there is no doubt. */
  reason(): string | null
  stop(): void
}

/**
 * Starts `powermetrics`, which needs root, and tells the power of processors, GPU and neural engine ten times a second. Apple calls
 * the figures estimates, and says that they compare runs on one machine, not machines.
 *
 * Source: powermetrics(1): `--samplers cpu_power,gpu_power`
 */
export function startPowermetrics(
  environment: Readonly<Record<string, string | undefined>>,
  onPower: (power: ChipPower) => void,
): PowermetricsReader {
  const parser = createPowermetricsParser()
  let reports = 0
  let failure: string | null = null
  let isStopped = false
  const child: ChildProcess = spawn("powermetrics", ["--samplers", "cpu_power,gpu_power", "-i", String(everyMs)], {
    env: { ...environment },
    stdio: ["ignore", "pipe", "ignore"],
    windowsHide: true,
  })
  child.once("error", () => {
    failure = "powermetrics is not installed"
  })
  child.once("exit", (code) => {
    if (!isStopped) failure ??= `powermetrics ended with exit code ${code}: only root may run it`
  })
  child.unref()
  if (child.stdout)
    createInterface({ input: child.stdout }).on("line", (line) => {
      const power = parser(line.slice(0, 500))
      if (power === null) return
      reports++
      onPower(power)
    })
  return {
    reason: () => failure ?? (reports === 0 ? "powermetrics has reported nothing yet" : null),
    stop() {
      isStopped = true
      child.kill("SIGTERM")
    },
  }
}

/**
 * A reader of the lines of `powermetrics`: the whole chip's power where a line states it, null for other lines.
 *
 * @example createPowermetricsParser()("Combined Power (CPU + GPU + ANE): 1172 mW") // { watts: 1.172, overMs: 100 }
 */
export function createPowermetricsParser(): (line: string) => ChipPower | null {
  let overMs = everyMs
  return (line) => {
    const elapsed = /^\*\*\* Sampled system activity .*\((\d+(?:\.\d+)?)ms elapsed\) \*\*\*/.exec(line)?.[1]
    if (elapsed !== undefined) overMs = Number(elapsed)
    const match = whole.exec(line)
    return match ? { watts: Number(match[1]) * (match[2] === "mW" ? 1e-3 : 1), overMs } : null
  }
}

/** Apple's chips now and on macOS 12, and Intel's. */
const whole =
  /^\s*(?:Combined Power \(CPU \+ GPU(?: \+ ANE)?\)|Package Power|Intel energy model derived package power \(CPUs\+GT\+SA\)):\s*(\d{1,7}(?:\.\d{1,6})?)\s*(mW|W)\s*$/
