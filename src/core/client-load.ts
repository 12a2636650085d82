/** What the event loops that capture answers went through while they measured. @experimental */
export interface ClientLoad {
  /** Event loops that captured: 1 in the process itself, else the capture threads. Of several, the busiest one's share and delay. */
  readonly loops: number
  /** Share of the time that the event loop was busy, 0..1. */
  readonly eventLoopUtilisation: number
  /** 99th percentile of how late the event loop ran, in milliseconds. */
  readonly eventLoopDelayMsP99: number
  readonly gcMs: number
  readonly gcCount: number
  /** How often the system took the processor away from the process; null on systems that do not count it. */
  readonly involuntaryContextSwitches: number | null
  /** Of the whole process, all threads together. */
  readonly cpuSeconds: number
  readonly durationMs: number
}
