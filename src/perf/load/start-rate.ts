import { type Figure, unknown } from "../../core/report/figure.ts"
import { speedMethods, speedReasons } from "../../words/perf/speed.ts"

/** How fast requests really started, against how fast the plan wanted them to. */
export interface StartRate {
  add(block: number, atMs: number): void
  /** Gaps / time between the first and the last start, over all blocks. */
  perSecond(): Figure
}

/** Counts starts; blocks have clocks of their own. */
export function createStartRate(): StartRate {
  const blocks = new Map<number, { firstMs: number; lastMs: number; count: number }>()
  return {
    add(block, atMs) {
      const span = blocks.get(block) ?? { firstMs: atMs, lastMs: atMs, count: 0 }
      blocks.set(block, span)
      span.firstMs = Math.min(span.firstMs, atMs)
      span.lastMs = Math.max(span.lastMs, atMs)
      span.count++
    },
    perSecond() {
      let gaps = 0
      let milliseconds = 0
      for (const { firstMs, lastMs, count } of blocks.values()) {
        gaps += count - 1
        milliseconds += lastMs - firstMs
      }
      if (milliseconds === 0) return unknown(speedReasons.singleStart)
      return { status: "known", value: (gaps * 1000) / milliseconds, n: gaps, method: speedMethods.startRate }
    },
  }
}
