import type { FlowStep } from "./flow.ts"
import { pictureStyle } from "./picture-style.ts"

const [width, height] = [1000, 250]
const [boxWidth, gap, side] = [120, 20, 20]
const [stepTop, stepHeight] = [96, 46]
const [storeTop, storeHeight] = [196, 34]

/** The way of one sample: a box for each step, above it what the step is given, below it what it leaves on disk. */
export function flowSvg(steps: readonly FlowStep[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">The way of one sample: ${steps.map(({ name }) => name).join(", ")}</title>
<style>${pictureStyle}</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
<rect class="paper" width="${width}" height="${height}" rx="8"/>
<g class="storage"><rect x="${side}" y="${storeTop}" width="${width - 2 * side}" height="${storeHeight}" rx="5"/><text class="name" x="${width / 2}" y="${storeTop + 22}">store</text></g>
${steps.map((step, index) => stepSvg(step, index, index === steps.length - 1)).join("\n")}
</svg>
`
}

function stepSvg(step: FlowStep, index: number, isLast: boolean): string {
  const left = side + index * (boxWidth + gap)
  const centre = left + boxWidth / 2
  const kind = step.room === "reports" ? "catalogue" : "engine"
  const used = step.uses
    .map((room, i) => `<text x="${centre}" y="${26 + i * 16}">${room.replace("src/", "")}</text>`)
    .join("")
  const usedEnd = 20 + step.uses.length * 16
  const parts = [
    `<rect x="${left}" y="${stepTop}" width="${boxWidth}" height="${stepHeight}" rx="5"/>`,
    `<text class="name" x="${centre}" y="${stepTop + 20}">${step.name}</text>`,
    `<text x="${centre}" y="${stepTop + 36}">${step.room.replace("src/", "")}</text>`,
    used,
    ...(step.uses.length > 0 ? [arrow(centre, usedEnd, centre, stepTop - 1)] : []),
    ...(isLast
      ? []
      : [arrow(left + boxWidth, stepTop + stepHeight / 2, left + boxWidth + gap - 1, stepTop + stepHeight / 2)]),
    ...(step.writes === null
      ? []
      : [
          arrow(centre, stepTop + stepHeight, centre, storeTop - 1),
          `<text class="note" x="${centre + 6}" y="${storeTop - 22}">${step.writes}</text>`,
        ]),
  ]
  return `<g class="room ${kind}" data-room="${step.room}">${parts.join("")}</g>`
}

function arrow(x1: number, y1: number, x2: number, y2: number): string {
  return `<path class="arrow" stroke-width="1.5" marker-end="url(#tip)" d="M${x1} ${y1}L${x2} ${y2}"/>`
}
