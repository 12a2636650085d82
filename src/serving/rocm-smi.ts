import { execFile } from "node:child_process"
import { asMembers, jsonValue, type Members } from "../core/json-members.ts"
import { isInstalled } from "./is-installed.ts"
import type { GpuReport } from "./nvidia-smi.ts"

/** Each call starts an interpreter that takes a tenth of a second and more: the next begins when it has ended, and this has passed. */
const everyMs = 200
const callLimitMs = 5000
const maxBytes = 4_000_000

/** A GPU as `rocm-smi` reports it. */
export interface RocmReport extends GpuReport {
  /** Its number in the list of GPUs by process. */
  readonly index: number
  /** Old cards state the mean power only. */
  readonly powerIsMean: boolean
}

/** Messages while AMD's GPUs are watched. */
export interface RocmEvents {
  onGpu(report: RocmReport): void
  onProcess(process: { readonly uuid: string; readonly pid: number; readonly memoryBytes: number | null }): void
  /** It cannot be run, or says nothing of a GPU. */
  onMissing(): void
}

/**
 * Asks `rocm-smi` for the power of AMD's GPUs and for the processes on them, again and again until it is stopped. Where it is not installed
 * it is asked once.
 *
 * Source: rocm.docs.amd.com, ROCm SMI's command line (`--showpower --showuse --showpids --showpidgpus --json`)
 */
export function watchRocm(environment: Readonly<Record<string, string | undefined>>, events: RocmEvents): () => void {
  const stopped = new AbortController()
  const call = (...args: readonly string[]) =>
    new Promise<string | null>((resolve) => {
      const options = { env: { ...environment }, timeout: callLimitMs, maxBuffer: maxBytes, signal: stopped.signal }
      const child = execFile("rocm-smi", [...args], { ...options, windowsHide: true }, (error, stdout) =>
        resolve(error ? null : stdout),
      )
      child.unref()
    })
  void (async () => {
    if (!isInstalled("rocm-smi", environment)) return events.onMissing()
    const uuids = new Map<number, string>()
    for (let round = 0; !stopped.signal.aborted; round++) {
      const text = await call(
        "--showproductname",
        "--showdriverversion",
        "--showuniqueid",
        "--showpower",
        "--showuse",
        "--json",
      )
      const reports = text === null ? [] : parseRocm(text)
      if (stopped.signal.aborted) return
      if (reports.length === 0 && round === 0) return events.onMissing()
      for (const report of reports) {
        uuids.set(report.index, report.uuid)
        events.onGpu(report)
      }
      // Which process is where changes seldom.
      if (round % 5 === 0) {
        const memory = parseRocmPids((await call("--showpids", "--json")) ?? "")
        const places = parseRocmPidGpus((await call("--showpidgpus")) ?? "")
        for (const [pid, indices] of places)
          for (const [at, index] of indices.entries()) {
            const uuid = uuids.get(index)
            // It states what a process holds on all GPUs together: counted once.
            if (uuid !== undefined)
              events.onProcess({ uuid, pid, memoryBytes: at === 0 ? (memory.get(pid) ?? null) : 0 })
          }
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, everyMs)
        timer.unref()
        stopped.signal.addEventListener("abort", () => resolve(), { once: true })
      })
    }
  })()
  return () => stopped.abort()
}

/**
 * Reads the JSON of `rocm-smi`: an object a card. Names of fields differ between releases; `N/A` is unknown.
 *
 * @example parseRocm('{"card0":{"Current Socket Graphics Package Power (W)":"310.0"}}')[0]?.watts // 310
 */
export function parseRocm(text: string): readonly RocmReport[] {
  const cards = members(text)
  const driver = textOf(asMembers(cards.system) ?? {}, /^driver version$/i)
  return Object.entries(cards).flatMap(([key, value]) => {
    const index = /^card(\d{1,3})$/.exec(key)?.[1]
    if (index === undefined) return []
    const card = asMembers(value) ?? {}
    const now = numberOf(card, /^current socket graphics package power \(W\)$/i)
    const mean = numberOf(card, /^average graphics package power \(W\)$/i)
    const use = numberOf(card, /^gpu use \(%\)$/i)
    return [
      {
        index: Number(index),
        uuid: `ROCm-${textOf(card, /^unique id$/i) ?? key}`,
        name: textOf(card, /^card series$/i) ?? "AMD GPU",
        driver: driver ?? "",
        utilisation: use === null ? null : use / 100,
        watts: now ?? mean,
        powerIsMean: now === null,
        slowed: null,
        temperatureCelsius: null,
        powerLimitWatts: null,
      },
    ]
  })
}

/** Bytes of GPU memory by process: `{"system":{"PID4711":"python3, 1, 2147483648, 0, 0"}}`, the third being its memory. */
export function parseRocmPids(text: string): ReadonlyMap<number, number> {
  const byPid = new Map<number, number>()
  for (const [key, value] of Object.entries(asMembers(members(text).system) ?? {})) {
    const pid = /^PID(\d{1,10})$/.exec(key)?.[1]
    // A name may hold commas; the four numbers stand at the end.
    const bytes = /,\s*\d+\s*,\s*(\d+)\s*,\s*[^,]*,\s*[^,]*$/.exec(String(value).slice(0, 1000))?.[1]
    if (pid !== undefined && bytes !== undefined) byPid.set(Number(pid), Number(bytes))
  }
  return byPid
}

/** GPUs by process: `PID 4711 is using 1 DRM device(s):`, and their numbers in the next line. */
export function parseRocmPidGpus(text: string): ReadonlyMap<number, readonly number[]> {
  const byPid = new Map<number, readonly number[]>()
  const lines = text.split("\n", 10_000)
  for (const [at, line] of lines.entries()) {
    const pid = /^\s*PID (\d{1,10}) is using [1-9]\d* DRM device\(s\)/.exec(line)?.[1]
    const numbers = (lines[at + 1] ?? "").match(/\d{1,3}/g)
    if (pid !== undefined && numbers !== null && /^[\s\d]+$/.test(lines[at + 1] ?? ""))
      byPid.set(Number(pid), numbers.map(Number))
  }
  return byPid
}

function members(text: string): Members {
  // Warnings may stand before the object.
  const start = text.indexOf("{")
  return asMembers(start < 0 ? null : jsonValue(text.slice(start), null)) ?? {}
}

function textOf(fields: Members, name: RegExp): string | null {
  const value = Object.entries(fields).find(([key]) => name.test(key))?.[1]
  return typeof value === "string" && value !== "" && !/^N\/A$/i.test(value) ? value.slice(0, 200) : null
}

function numberOf(fields: Members, name: RegExp): number | null {
  const value = Object.entries(fields).find(([key]) => name.test(key))?.[1]
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : ""
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : null
}
