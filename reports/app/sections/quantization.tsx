import type { QuantizationData } from "../../../src/core/report/report-sections.ts"
import { quantizations } from "../../wording/placed-sections.ts"
import { InlineMark } from "../charts/mark.tsx"
import { usePage } from "../context.tsx"
import { Foreign, figureStory, Section, TableFrame } from "../parts.tsx"
import { Explained, Heading } from "../words.tsx"
import { Sentences } from "./trust/sentences.tsx"

/** What each quantization of a model changes: a table of measures by variants, and what it says in words. */
export function Quantization() {
  const sections = quantizations(usePage().report)
  if (sections.length === 0) return null
  return (
    <Section
      id="quantization"
      title="Quantization"
      lead="The same questions, answered by the same model in other number formats: what changes, and what a correct answer takes."
    >
      {sections.map(({ title, sentences, data }, index) => (
        <article key={index} class="trust" data-kind="quantization">
          <h3>
            <Explained word="quantization" place="section">
              <Foreign text={title} limit={120} />
            </Explained>
          </h3>
          <QuantizationTable title={title} data={data} />
          <Sentences sentences={sentences} />
        </article>
      ))}
    </Section>
  )
}

/** A row per measure, a column per variant; the interval is in the cell, the method in its story. */
export function QuantizationTable({ title, data }: { title: string; data: QuantizationData }) {
  const { positions } = usePage()
  return (
    <TableFrame label={title}>
      <table class="quantization">
        <thead>
          <tr>
            <th scope="col">
              <Heading title="against" /> <Foreign text={data.reference} limit={60} />
            </th>
            {data.variants.map(({ variant }) => (
              <th key={variant} scope="col">
                {positions.has(variant) && <InlineMark variant={variant} />} <Foreign text={variant} limit={60} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.measures.map(({ name, title: measure }, place) => (
            <tr key={name}>
              <th scope="row">
                <Heading title={measure} place="quantization" />
              </th>
              {data.variants.map(({ variant, figures }) => (
                <Cell key={variant} cell={figures[place]} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

function Cell({ cell }: { cell: QuantizationData["variants"][number]["figures"][number] | undefined }) {
  if (!cell || cell.figure.status === "unknown")
    return (
      <td>
        <span class="unknown" title={cell ? figureStory(cell.figure, null) : "not measured"}>
          unknown
        </span>
      </td>
    )
  const [, value = cell.text, interval = ""] = /^(.*?)( \(.*\))?$/.exec(cell.text) ?? []
  return (
    <td title={figureStory(cell.figure, null)}>
      <Foreign text={value} limit={60} />
      {interval && (
        <small class="half">
          <Foreign text={interval} limit={60} />
        </small>
      )}
    </td>
  )
}
