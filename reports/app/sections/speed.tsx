import { figureValue } from "../../../src/core/report/figure.ts"
import type { Distribution, VariantReport } from "../../../src/core/report/report.ts"
import { noticedStop, readingThreshold, waitingThresholds } from "../../../src/perf/bench/experience.ts"
import { crossover, timeToTokens } from "../../../src/perf/time-to-tokens.ts"
import { milliseconds } from "../../../src/words/quantity.ts"
import { shortenedNames } from "../../../src/words/short-names.ts"
import { plainText } from "../../../src/words/text.ts"
import { latencies } from "../../wording/latencies.ts"
import { stageName, stopNotes } from "../../wording/stages.ts"
import type { Line } from "../charts/coincident.ts"
import { LinesChart, type Remark } from "../charts/lines-chart.tsx"
import { answersPerSecond, failuresPerSecond } from "../charts/per-second.ts"
import { usePage } from "../context.tsx"
import { DataTable } from "../data-table.tsx"
import { Choice, FigureCell, Foreign, Notes, Section, VariantHead } from "../parts.tsx"
import { useHashState } from "../state.ts"
import { PartHeading } from "../words.tsx"

/** Up to where the lines are drawn in reports that do not say how long the longest answer was. */
const defaultLength = 500

type Latency = keyof typeof latencies

const waiting = waitingThresholds.map(({ ms, label }) => ({ x: ms, label }))
const reading = [{ x: readingThreshold.ms, label: readingThreshold.label }]

/** What people feel: Nielsen's limits of waiting, the speed of reading, and a stop that is noticed. */
const thresholds: Readonly<Partial<Record<Latency, readonly { readonly x: number; readonly label: string }[]>>> = {
  ttftMs: waiting,
  e2eMs: waiting,
  tpotMs: reading,
  itlMs: reading,
  longestStopMs: [{ x: noticedStop.ms, label: noticedStop.label }],
}

const choices = (Object.keys(latencies) as Latency[]).map((value) => {
  const { name, explanation } = latencies[value]
  return { value, title: `${name} (${explanation})` }
})

/** Percentile curves, when the N-th token arrives, and throughput over time. */
export function Speed() {
  const { report } = usePage()
  const [chosen, setChosen] = useHashState("latency", "ttftMs")
  const measured = report.variants.filter((variant) => variant.speed.measured > 0)
  const offered = choices.filter(({ value }) => measured.some(({ speed }) => speed[value]?.p50.status === "known"))
  const latency = offered.find((entry) => entry.value === chosen) ?? offered[0]
  if (measured.length === 0)
    return (
      <Section id="speed" title="Speed">
        <p class="unknown">
          No latency was measured in this run: its answers came by batch, were replayed, recorded or foreign.
        </p>
      </Section>
    )
  return (
    <Section
      id="speed"
      title="Speed"
      lead="Measured requests only; answers from the cache or by batch never enter a latency."
    >
      {latency ? (
        <>
          <div class="controls">
            <Choice label="latency" value={latency.value} options={offered} onChange={setChosen} />
          </div>
          <LinesChart
            name="ecdf"
            label={`Share of answers within a time, by variant: ${latency.title}`}
            lines={measured.map((variant) => ({ variant: variant.name, points: curve(times(variant, latency.value)) }))}
            x={{ title: latencies[latency.value].name, unit: "ms" }}
            y={{ title: "share of answers", unit: "share", zero: true }}
            thresholds={thresholds[latency.value] ?? []}
            steps
            keyed
          />
          <Notes notes={stopNotes(report)} />
          <PercentileTable variants={measured} latency={latency.value} />
        </>
      ) : (
        <p class="unknown">No time of an answer is known in this run.</p>
      )}
      <StageTable variants={measured} />
      <div class="columns">
        <TimeToTokens variants={measured} />
        <OverTime variants={measured} />
      </div>
    </Section>
  )
}

/** Where nothing sets the first token of any kind, or the successful attempt, apart, it is what the caller waited for. */
function times({ speed }: VariantReport, latency: Latency): Distribution {
  return speed[latency] ?? (latency === "attemptE2eMs" ? speed.e2eMs : speed.ttftMs)
}

function curve({ percentiles }: Distribution): { x: number; y: number }[] {
  return percentiles.map((x, index) => ({ x, y: index / 100 }))
}

function PercentileTable({ variants, latency }: { variants: readonly VariantReport[]; latency: Latency }) {
  return (
    <details>
      <summary>The same as a table</summary>
      <DataTable label="Percentiles" headings={["variant", ...statistics]}>
        {variants.map((variant) => (
          <tr key={variant.name}>
            <VariantHead name={variant.name} />
            <Percentiles of={times(variant, latency)} />
          </tr>
        ))}
      </DataTable>
    </details>
  )
}

const statistics = ["mean", "p50", "p90", "p95", "p99"] as const

function Percentiles({ of }: { of: Distribution }) {
  return statistics.map((name) => (
    <td key={name}>
      <FigureCell figure={of[name]} unit="ms" />
    </td>
  ))
}

/** What applications spent their time on, by stage. */
function StageTable({ variants }: { variants: readonly VariantReport[] }) {
  const rows = variants.flatMap(({ name, speed }) =>
    Object.entries(speed.stages ?? {}).map(([stage, times]) => ({ name, stage, times })),
  )
  if (rows.length === 0) return null
  return (
    <div>
      <PartHeading title="Stages" />
      <DataTable label="Stages" headings={["variant", { words: "stage" }, ...statistics]}>
        {rows.map(({ name, stage, times }) => (
          <tr key={`${name} ${stage}`}>
            <VariantHead name={name} />
            <td class="texts">
              <Foreign text={stageName(stage)} limit={40} />
            </td>
            <Percentiles of={times} />
          </tr>
        ))}
      </DataTable>
    </div>
  )
}

/** Time to the N-th token, at the medians, with the places where a line crosses the baseline's. */
function TimeToTokens({ variants }: { variants: readonly VariantReport[] }) {
  const lines = variants.flatMap((variant) => {
    const ttftMs = figureValue((variant.speed.ttftAnyMs ?? variant.speed.ttftMs).p50)
    const tpotMs = figureValue(variant.speed.tpotMs.p50)
    return ttftMs === null || tpotMs === null
      ? []
      : [{ name: variant.name, baseline: variant.baseline, ttftMs, tpotMs, longestTokens: variant.speed.longestTokens }]
  })
  const longest = Math.max(...lines.map(({ longestTokens }) => longestTokens ?? defaultLength))
  if (lines.length === 0 || longest < 2) return null
  const baseline = lines.find((line) => line.baseline)
  const remarks = lines.flatMap((line): Remark[] => {
    const tokens = baseline && line !== baseline ? crossover(line, baseline) : null
    if (!baseline || tokens === null || tokens < 2 || tokens > longest) return []
    const y = timeToTokens(line, tokens)
    const names = shortenedNames([plainText(line.name), plainText(baseline.name)], 16).join(" = ")
    return [
      {
        x: tokens,
        y,
        of: [line.name, baseline.name],
        text: `${names} at ${Math.round(tokens)} tokens, ${milliseconds(y)}`,
      },
    ]
  })
  return (
    <div>
      <PartHeading title="Time to the N-th token" />
      <LinesChart
        name="time-to-tokens"
        label="Median time until N tokens have arrived"
        lines={lines.map((line) => ({
          variant: line.name,
          points: tokensUpTo(longest).map((tokens) => ({ x: tokens, y: timeToTokens(line, tokens) })),
        }))}
        x={{ title: "tokens", unit: null }}
        y={{ title: "time", unit: "ms" }}
        remarks={remarks.slice(0, 2)}
        height={280}
      />
    </div>
  )
}

/** 1, 2, 5, 10, 20, 50 … and the longest answer itself: nothing is drawn beyond what was measured. */
function tokensUpTo(longest: number): number[] {
  const steps = Array.from({ length: 21 }, (_, i) => ([1, 2, 5][i % 3] as number) * 10 ** Math.floor(i / 3))
  return [...steps.filter((tokens) => tokens < longest), longest]
}

/** Answers per second of the run, and failures per second where there were any. */
function OverTime({ variants }: { variants: readonly VariantReport[] }) {
  const span = Math.max(...variants.flatMap((variant) => variant.speed.overTime.map((slot) => slot.second)), 0)
  const width = Math.max(1, Math.ceil((span + 1) / 60))
  const ended = variants.map((variant) => answersPerSecond(variant, width))
  const drawn = ended.filter(isLine)
  const brief = ended.filter((line) => !isLine(line)).map(({ variant }) => variant)
  const failing = variants
    .filter((variant) => variant.speed.overTime.some((slot) => slot.failed > 0))
    .map((variant) => failuresPerSecond(variant, width))
    .filter(isLine)
  if (drawn.length + failing.length === 0) return null
  return (
    <div>
      <PartHeading title="Over time" />
      {drawn.length > 0 && (
        <LinesChart
          name="over-time"
          label="Answers per second over the run, by variant"
          lines={drawn}
          x={{ title: "since the start", unit: "ms", logarithmic: false }}
          y={{ title: "answers per second", unit: null, zero: true }}
          height={280}
          keyed
        />
      )}
      {drawn.length > 0 && brief.length > 0 && (
        <p class="note">
          <Foreign
            text={`Not shown, for ${brief.length === 1 ? "it took" : "they took"} too short a time: ${brief.map((name) => plainText(name, 40)).join(", ")}.`}
            limit={600}
          />
        </p>
      )}
      {variants.every((variant) => variant.speed.overTime.every((slot) => slot.failed === 0)) ? (
        <p class="note">No request failed.</p>
      ) : (
        failing.length > 0 && (
          <LinesChart
            name="failures-over-time"
            label="Failures per second over the run, by variant"
            lines={failing}
            x={{ title: "since the start", unit: "ms", logarithmic: false }}
            y={{ title: "failures per second", unit: null, zero: true }}
            height={200}
            keyed
          />
        )
      )}
    </div>
  )
}

/** Whether there is more of it than a point, which nobody would see. */
function isLine({ points }: Line): boolean {
  return points.length > 1
}
