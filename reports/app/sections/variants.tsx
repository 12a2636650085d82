import type { RunReport, VariantReport } from "../../../src/core/report/report.ts"
import { count } from "../../../src/words/number.ts"
import { levelText } from "../../../src/words/percent.ts"
import { shownAxis } from "../../view-model/axes.ts"
import {
  failedCount,
  type Standing,
  shownColumns,
  standings,
  type VariantColumn,
} from "../../view-model/variant-columns.ts"
import { isDominated, variantCell } from "../../view-model/variant-rows.ts"
import { answeredNotes } from "../../wording/answered-notes.ts"
import { percentileNotes } from "../../wording/percentile-notes.ts"
import { InlineMark } from "../charts/mark.tsx"
import { usePage } from "../context.tsx"
import { DataTable } from "../data-table.tsx"
import { FigureCell, Foreign, figureStory, Notes, Section, TableFrame, VariantHead } from "../parts.tsx"
import { useHashState } from "../state.ts"
import { ColumnHead, Explained, Hinted, PartHeading } from "../words.tsx"
import { Failures } from "./failures.tsx"
import { Limits } from "./limits.tsx"

/** One row per variant, sortable; best bold, not distinguishable from it softly marked, dominated rows quiet. */
export function Variants() {
  const { report } = usePage()
  const columns = shownColumns(report)
  const quality = columns.filter((column) => isMetric(report, column))
  const leading = columns.filter((column) => column.primary || !quality.includes(column))
  return (
    <Section id="variants" title="Variants" lead="One row per variant; every figure comes from the same calls.">
      <SortableTable label="Variants" columns={leading} />
      <Limits />
      <p class="legend">
        {`\u25b2 baseline \u00b7 \u25cb dominated: another variant is at least as good in ${dominatedIn(report)} \u00b7 `}
        <b>bold</b>
        {" best of its column \u00b7 "}
        <span class="tied">underlined</span>
        {` not distinguishable from the best (intervals overlap) \u00b7 \u00b1 half of the ${levelText(report.run.alpha)} interval, all of it in brackets where \u00b1 would reach beyond what can be`}
      </p>
      <Notes notes={[...answeredNotes(report), ...percentileNotes(report.variants, leading, { cellsSayWhy: true })]} />
      {quality.some((column) => !column.primary) && (
        <>
          <PartHeading title="Quality, every metric" />
          <SortableTable label="Quality" columns={quality} />
        </>
      )}
      <details>
        <summary>What the columns mean</summary>
        <dl class="glossary">
          {columns.map((variantColumn) => (
            <div key={variantColumn.id}>
              <dt>
                <Explained word={variantColumn.id}>{variantColumn.title}</Explained>
              </dt>
              <dd>
                <Foreign text={variantColumn.explain} />
              </dd>
            </div>
          ))}
        </dl>
      </details>
      <Failures />
      <Groups />
    </Section>
  )
}

function SortableTable({ label, columns }: { label: string; columns: readonly VariantColumn[] }) {
  const { report } = usePage()
  const [sort, setSort] = useHashState("sort", "")
  const [id, order] = sort.split(":")
  const column = columns.find((variantColumn) => variantColumn.id === id)
  const variants = column ? sorted(report.variants, column, order === "up") : report.variants
  const marks = new Map(columns.map((variantColumn) => [variantColumn.id, standings(variantColumn, report.variants)]))
  const toggle = (variantColumn: VariantColumn) => {
    const first = variantColumn.goal === "maximize" ? "down" : "up"
    const next = id !== variantColumn.id ? first : order === first ? (first === "up" ? "down" : "up") : null
    setSort(next ? `${variantColumn.id}:${next}` : "")
  }
  return (
    <TableFrame label={label}>
      <table class="variants">
        <thead>
          <tr>
            <ColumnHead title="variant" />
            {columns.map((variantColumn) => (
              <th
                key={variantColumn.id}
                scope="col"
                aria-sort={variantColumn.id === id ? (order === "up" ? "ascending" : "descending") : "none"}
              >
                <button type="button" onClick={() => toggle(variantColumn)}>
                  <Hinted word={variantColumn.id}>{variantColumn.title}</Hinted>
                  <span aria-hidden="true">
                    {variantColumn.id === id ? (order === "up" ? " \u2191" : " \u2193") : ""}
                  </span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {variants.map((variant) => (
            <Row
              key={variant.name}
              variant={variant}
              columns={columns}
              standing={(variantColumn) => marks.get(variantColumn.id)?.[report.variants.indexOf(variant)] ?? null}
            />
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

function Row(props: {
  variant: VariantReport
  columns: readonly VariantColumn[]
  standing: (column: VariantColumn) => Standing
}) {
  const { report } = usePage()
  const { variant, columns } = props
  const dominated = isDominated(report, variant.name)
  return (
    <tr class={dominated ? "dominated" : ""}>
      <th scope="row">
        <InlineMark variant={variant.name} hollow={dominated} /> <Foreign text={variant.name} limit={60} />
        <small class="model">
          <Foreign text={[variant.model, variant.quantization].filter(Boolean).join(" \u00b7 ")} limit={60} />
          {variant.baseline && " \u00b7 \u25b2 baseline"}
          {dominated && " \u00b7 dominated"}
        </small>
      </th>
      {variant.failure === null ? (
        columns.map((column) => (
          <Cell key={column.id} column={column} variant={variant} standing={props.standing(column)} />
        ))
      ) : (
        <td colSpan={columns.length} class="bad">
          failed: <Foreign text={variant.failure} limit={300} />
        </td>
      )}
    </tr>
  )
}

function Cell({ column, variant, standing }: { column: VariantColumn; variant: VariantReport; standing: Standing }) {
  const { report } = usePage()
  const figure = column.figure(variant)
  const bar = figure.status === "known" ? barShare(column, figure.value, report.variants) : null
  return (
    <td class={standing ?? ""}>
      <Content column={column} variant={variant} best={standing === "best"} />
      {bar !== null && (
        <svg class="cell-bar" viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
          <rect width={bar} height="3" />
        </svg>
      )}
    </td>
  )
}

/** All that a dominated variant is beaten or equalled in: the axes of the run, of which the frontier's picture shows two. */
function dominatedIn(report: RunReport): string {
  const titles = (report.frontier?.axes ?? []).map((axis) => shownAxis(report, axis).title)
  return titles.length > 1 ? `all of ${titles.join(", ")}` : "everything that decides"
}

function isMetric(report: RunReport, column: VariantColumn): boolean {
  return report.metrics.some((metric) => metric.name === column.id)
}

function Content({ column, variant, best }: { column: VariantColumn; variant: VariantReport; best: boolean }) {
  const { report } = usePage()
  const figure = column.figure(variant)
  if (column.id === "failed") {
    const failed = failedCount(variant)
    const story = Object.entries(variant.outcomes).map(([outcome, times]) => `${outcome}: ${count(times ?? 0)}`)
    return (
      <span class={failed > 0 ? "bad" : ""} title={story.join(", ")}>
        {best ? <b>{count(failed)}</b> : count(failed)}
      </span>
    )
  }
  const second = column.second?.(variant)
  if (!second || figure.status === "unknown")
    return <FigureCell figure={figure} unit={column.unit} strong={best} bare={!isMetric(report, column)} />
  const { text } = variantCell(column, variant)
  const story = `p50: ${figureStory(figure, column.unit)}\np99: ${figureStory(second, column.unit)}`
  return <span title={story}>{best ? <b>{text}</b> : text}</span>
}

/** The primary metric by group of samples, when there are groups. */
function Groups() {
  const { report } = usePage()
  const metric = report.metrics.find((entry) => entry.primary)
  const figures = report.variants.map(
    (variant) => variant.quality.find((qualityFigure) => qualityFigure.metric === metric?.name)?.groups ?? {},
  )
  const groups = [...new Set(figures.flatMap((byGroup) => Object.keys(byGroup)))]
  if (!metric || groups.length < 2) return null
  return (
    <details>
      <summary>By group of samples</summary>
      <DataTable
        label="By group of samples"
        headings={[
          "variant",
          ...groups.map((group) => (
            <Explained key={group} word="group">
              <Foreign text={group} limit={60} />
            </Explained>
          )),
        ]}
      >
        {report.variants.map((variant, index) => (
          <tr key={variant.name}>
            <VariantHead name={variant.name} />
            {groups.map((group) => {
              const figure = figures[index]?.[group]
              const unit = metric.range[1] === 1 ? "share" : "score"
              return (
                <td key={group}>
                  {figure ? <FigureCell figure={figure} unit={unit} /> : <span class="unknown">no answers</span>}
                </td>
              )
            })}
          </tr>
        ))}
      </DataTable>
    </details>
  )
}

function barShare(column: VariantColumn, value: number, variants: readonly VariantReport[]): number | null {
  const values = variants.flatMap((variant) => {
    const figure = column.figure(variant)
    return figure.status === "known" ? [figure.value] : []
  })
  const high = column.unit === "share" ? 1 : Math.max(...values)
  return high > 0 && value >= 0 ? Math.round((value / high) * 100) : null
}

function sorted(variants: readonly VariantReport[], column: VariantColumn, up: boolean): VariantReport[] {
  const value = (variant: VariantReport) => {
    const figure = column.figure(variant)
    return figure.status === "known" ? figure.value : null
  }
  return [...variants].sort((a, b) => {
    const [x, y] = [value(a), value(b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    return up ? x - y : y - x
  })
}
