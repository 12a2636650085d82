import { describe, expect, it } from "vitest"
import {
  contextWindowTable,
  dropsTable,
  groupTable,
  recalibrationTable,
  worstCaseTable,
} from "../../../reports/view-model/section-tables.ts"
import type { KnownFigure } from "../../../src/core/report/figure.ts"
import type { CalibrationData, RobustnessData } from "../../../src/core/report/report-sections.ts"

const figure = (value: number, half = 0.1): KnownFigure => ({
  status: "known",
  value,
  low: value - half,
  high: value + half,
  n: 40,
  method: "paired",
})

const robustness: RobustnessData = {
  metric: "exactMatch",
  unit: "share",
  rows: [
    { variant: "f16", perturbation: "typos", drop: figure(-0.25) },
    { variant: "q4_0", perturbation: "typos", drop: figure(0) },
    { variant: "f16", perturbation: "case-upper", drop: { status: "unknown", reason: "no pair of scores" } },
  ],
  summaries: [{ variant: "f16", worstCase: figure(0.4), invariance: figure(0.6) }],
}

describe("the tables of robustness", () => {
  it("show drops of rates in points, a row per perturbation and a column per variant", () => {
    const { columns, rows } = dropsTable(robustness)
    expect(columns).toEqual([
      { title: "perturbation" },
      { title: "f16", unit: "points" },
      { title: "q4_0", unit: "points" },
    ])
    expect(rows).toEqual([
      ["typos", { ...figure(-25), low: -35, high: -15 }, { ...figure(0), low: -10, high: 10 }],
      ["case-upper", { status: "unknown", reason: "no pair of scores" }, null],
    ])
    expect(dropsTable({ ...robustness, unit: null }).rows[0]![1]).toEqual(figure(-0.25))
  })

  it("show the worst case per sample and the unchanged answers", () => {
    expect(worstCaseTable(robustness, []).rows).toEqual([["f16", figure(0.4), figure(0.6)]])
  })
})

describe("the tables of calibration", () => {
  const data: CalibrationData = {
    variants: [
      {
        variant: "f16",
        expectedCalibrationError: figure(0.1),
        bins: [],
        recalibrations: [
          {
            method: "temperature",
            temperature: 2.5,
            fittedOn: 50,
            shownOn: 50,
            lossBefore: 0.7,
            lossAfter: 0.6,
            change: figure(-0.1),
            errorBefore: 0.2,
            errorAfter: 0.1,
            improves: true,
          },
        ],
        groups: [{ group: "north", confidence: 0.8, accuracy: 0.7, expectedCalibrationError: figure(0.1) }],
      },
      { variant: "q4_0", expectedCalibrationError: figure(0.1), bins: [] },
    ],
  }

  it("show the loss on held-out answers before and after each way of mending, and the groups", () => {
    expect(recalibrationTable(data).rows).toEqual([
      ["f16", "temperature scaling, T = 2.50", 50, 0.7, 0.6, figure(-0.1), 0.2, 0.1],
    ])
    expect(groupTable(data).rows).toEqual([["f16", "north", 0.8, 0.7, figure(0.1)]])
  })
})

describe("the table of context windows", () => {
  it("shows shares in per cent, an exact one without an interval, and the unknown with its reason", () => {
    const exact = (value: number): KnownFigure => ({ status: "known", value, n: 3, method: "counted" })
    const unknown = { status: "unknown", reason: "no window is stated" } as const
    const { columns, rows } = contextWindowTable({
      variants: [
        {
          variant: "a",
          requests: 3,
          window: exact(512),
          p50: figure(0.5),
          p95: unknown,
          largest: exact(0.95),
          nearlyFull: exact(1),
          cutOff: exact(0),
          atLimit: 2,
          refused: 0,
        },
      ],
    })
    expect(rows).toEqual([
      ["a", exact(512), { ...figure(50), low: 40, high: 60 }, unknown, exact(95), exact(1), 2, exact(0), 0, 3],
    ])
    expect(rows[0]).toHaveLength(columns.length)
  })
})
