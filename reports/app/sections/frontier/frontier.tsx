import { counted } from "../../../../src/words/number.ts"
import { levelText, percent } from "../../../../src/words/percent.ts"
import { plainText } from "../../../../src/words/text.ts"
import { axisTitle } from "../../../view-model/axes.ts"
import { axisColumns, isShown, routerLines, shownPoints } from "../../../view-model/frontier.ts"
import { closeUp, FrontierChart } from "../../charts/frontier-chart.tsx"
import { InlineMark } from "../../charts/mark.tsx"
import { readPart, scaled, writePart, type ZoomPart } from "../../charts/zoom-part.ts"
import { usePage } from "../../context.tsx"
import { DataTable } from "../../data-table.tsx"
import { Choice, FigureCell, Foreign, Said, Section, tied } from "../../parts.tsx"
import { setHash, useHashState } from "../../state.ts"
import { Explained } from "../../words.tsx"
import { drawFrontiers } from "./frontier-draws.ts"
import { RankedBars } from "./ranked-bars.tsx"

/** The frontier: which variants are not beaten on both axes, with limits that can be moved and the same as a table. */
export function Frontier() {
  const { report } = usePage()
  const columns = axisColumns(report)
  const initialY = columns.find((column) => column.primary) ?? columns[0]
  const rest = columns.filter((variantColumn) => variantColumn !== initialY)
  const initialX =
    rest.find((variantColumn) => variantColumn.id === "perThousandUsd") ??
    rest.find((variantColumn) => variantColumn.id === "e2eMs") ??
    rest[0]
  const [xId] = useHashState("x", initialX?.id ?? "")
  const [yId] = useHashState("y", initialY?.id ?? "")
  const [xLimit] = useHashState("xLimit", "")
  const [yLimit] = useHashState("yLimit", "")
  const [view, setView] = useHashState("frontier", "map")
  const [zoom, setZoom] = useHashState("zoom", "")
  const [cascades, setCascades] = useHashState("cascades", "")
  const y = columns.find((column) => column.id === yId) ?? initialY
  const others = columns.filter((column) => column !== y)
  // An address may name one figure twice.
  const x =
    others.find((variantColumn) => variantColumn.id === xId) ??
    others.find((variantColumn) => variantColumn === initialX) ??
    others[0]
  if (!x || !y) return null
  const limits = { x: number(xLimit), y: number(yLimit) }
  const { points, missing } = shownPoints(report, x, y, limits)
  const draws = drawFrontiers(points, { x: x.goal, y: y.goal }, report.run.alpha)
  const routers = routerLines(report, x, y)
  const part = readPart(zoom)
  const drawn = { x, y, points, routers: cascades === "yes" ? routers : [] }
  // A limit and a part of the picture are of the figure that they were set on: dollars exclude nothing among seconds.
  const choose = (axis: "x" | "y", initial: string | undefined) => (id: string) =>
    setHash({ [axis]: id === initial ? null : id, [`${axis}Limit`]: null, zoom: null })
  const show = (next: ZoomPart | null) => setZoom(next === null ? "" : writePart(next))
  const members = points.filter((point) => point.onFrontier)
  const options = columns.map((column) => ({ value: column.id, title: column.title }))
  const axes = report.frontier?.axes.map((axis) => plainText(axisTitle(report, axis.name))).join(", ") ?? "none"
  const method = plainText(report.frontier?.method ?? "not computed")
  const lead = `${members.length} of ${points.length} ${points.length === 1 ? "variant" : "variants"} ${members.length === 1 ? "is" : "are"} on the frontier: no other variant is at least as good in both ${y.title} and ${x.title}.`
  return (
    <Section id="frontier" title="Frontier" lead={lead}>
      <div class="controls">
        <fieldset class="views">
          <legend class="hidden">how it is drawn</legend>
          {views.map(([id, title]) => (
            <button key={id} type="button" class="chip" aria-pressed={view === id} onClick={() => setView(id)}>
              {title}
            </button>
          ))}
        </fieldset>
        {view === "map" && (
          <>
            <Choice
              label="up"
              value={y.id}
              options={options.filter((option) => option.value !== x.id)}
              onChange={choose("y", initialY?.id)}
            />
            <Choice
              label="across"
              value={x.id}
              options={options.filter((option) => option.value !== y.id)}
              onChange={choose("x", initialX?.id)}
            />
            <span class="zoom">
              <button type="button" class="plain" onClick={() => show(part ? scaled(part, 0.5) : closeUp(drawn))}>
                zoom in
              </button>{" "}
              <button type="button" class="plain" disabled={!part} onClick={() => show(scaled(part, 2))}>
                zoom out
              </button>{" "}
              <button type="button" class="plain" disabled={!part} onClick={() => show(null)}>
                show all
              </button>
            </span>
            {routers.length > 0 && (
              <button
                type="button"
                class="chip"
                aria-pressed={cascades === "yes"}
                onClick={() => setCascades(cascades === "yes" ? "" : "yes")}
              >
                {routersTitle(routers, report.routers.filter(isShown).length)}
              </button>
            )}
            {(limits.x !== null || limits.y !== null) && (
              <button type="button" class="plain" onClick={() => setHash({ xLimit: null, yLimit: null })}>
                remove limits
              </button>
            )}
          </>
        )}
      </div>
      {view === "bars" ? (
        <RankedBars columns={columns} />
      ) : (
        <FrontierChart
          {...drawn}
          limits={limits}
          draws={draws}
          part={part}
          onZoom={show}
          onLimit={(axis, value) => setHash({ [`${axis}Limit`]: value === null ? null : String(value) })}
        />
      )}
      <p class="legend">
        {view === "bars"
          ? `Every figure on which the variants differ, the best first. All bars of a figure begin at zero; the thin lines are ${levelText(report.run.alpha)} intervals: where two of them overlap, the order may be chance.`
          : `Filled: on the frontier. Hollow: dominated. Whiskers: ${levelText(report.run.alpha)} intervals. Line: the frontier. ${
              draws
                ? "Band: uncertainty of that line. Per cent: probability that a variant is on it; in simulations a share above one half was up to 10 points too high, because the best of several is partly luck. "
                : ""
            }${cascades === "yes" ? routersLegend(routers) : ""}`}
        {view !== "bars" && (
          <span class="by-hand">
            Drag over the picture to look closer. Drag a limit line from the edge, or move it with the arrow keys, to
            shade what it excludes.
          </span>
        )}
      </p>
      {(view === "bars" ? [] : missing).map((row) => (
        <p key={row.variant} class="note">
          <Foreign text={row.variant} limit={60} /> is not shown: <Foreign text={row.reason} limit={200} />
        </p>
      ))}
      <details>
        <summary>The same as a table</summary>
        <DataTable
          label="Frontier as a table"
          headings={[
            "variant",
            ...[y, x].map(({ id, title }) => (
              <Explained key={id} word={id}>
                {title}
              </Explained>
            )),
            ...["on the frontier", "probability, these axes", "probability, all axes", "dominated by"],
          ]}
        >
          {points.map((point) => {
            const variant = report.variants.find((variantReport) => variantReport.name === point.variant)
            const member = report.frontier?.points.find((frontierPoint) => frontierPoint.variant === point.variant)
            return (
              <tr key={point.variant}>
                <th scope="row">
                  <InlineMark variant={point.variant} hollow={!point.onFrontier} />{" "}
                  <Foreign text={point.variant} limit={60} />
                </th>
                <td>{variant && <FigureCell figure={y.figure(variant)} unit={y.unit} />}</td>
                <td>{variant && <FigureCell figure={x.figure(variant)} unit={x.unit} />}</td>
                <td>{point.excluded ? "outside the limits" : point.onFrontier ? "yes" : "no"}</td>
                <Probability value={draws?.membership.get(point.variant) ?? null} />
                <Probability value={member?.membershipProbability ?? null} />
                <td>
                  <Foreign text={member?.dominatedBy.join(", ") || "nothing"} limit={120} />
                </td>
              </tr>
            )
          })}
        </DataTable>
        {report.frontier && (
          <p class="note">
            All axes of the run: {axes}; {method}.
          </p>
        )}
      </details>
      <RouterFindings open={cascades === "yes"} />
    </Section>
  )
}

type Routers = ReturnType<typeof routerLines>

/** What the button that draws them says: asking all and keeping one answer is a single point, and no cascade; some have no place on these axes. */
function routersTitle(routers: Routers, all: number): string {
  const points = routers.filter((line) => line.length === 1).length
  const many = routers.length < all ? `${routers.length} of ` : ""
  return many + (points === 0 ? counted(all, "cascade") : `${counted(all, "way")} of asking several`)
}

function routersLegend(routers: Routers): string {
  const cascade =
    "Dashed: a cascade that asks the first model and escalates where its confidence is low, simulated from this run. "
  const best =
    "Grey ring without a name: all of several variants are asked and a judge keeps one answer, simulated, too. "
  const has = (isPoint: boolean) => routers.some((line) => (line.length === 1) === isPoint)
  return `${has(false) ? cascade : ""}${has(true) ? best : ""}`
}

const views = [
  ["map", "map"],
  ["bars", "bars"],
] as const

function Probability({ value }: { value: number | null }) {
  if (value === null) return <td class="unknown">unknown</td>
  return <td>{percent(Math.round(value * 1000) / 1000)}</td>
}

/** What asking several variants in turn would bring: folded until it is asked for. */
function RouterFindings({ open }: { open: boolean }) {
  const { report } = usePage()
  const all = report.routers.filter(isShown)
  if (all.length === 0) return null
  return (
    <details open={open}>
      <summary>{`${counted(all.length, "way")} of asking several variants, simulated from this run`}</summary>
      {all.map((router) => (
        <p key={`${router.judge} ${router.stages.join()}`} class="note">
          <Said text={router.sentence ?? router.stages.join(" \u2192 ")} limit={400} /> (
          {tied(plainText(router.method))})
        </p>
      ))}
    </details>
  )
}

function number(text: string): number | null {
  const value = Number(text)
  return text !== "" && Number.isFinite(value) ? value : null
}
