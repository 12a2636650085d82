import { quantizationTable } from "../../view-model/quantization.ts"
import { quantizations } from "../../view-model/sections.ts"
import { usePage } from "../context.tsx"
import { Section } from "../parts.tsx"
import { TableView } from "./figure-table.tsx"
import { SectionPart, Sentences } from "./section-part.tsx"

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
        <SectionPart key={index} kind="quantization" word="quantization" title={title}>
          <TableView title={title} table={quantizationTable(data)} place="quantization" />
          <Sentences sentences={sentences} />
        </SectionPart>
      ))}
    </Section>
  )
}
