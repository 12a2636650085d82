import type { RunReport } from "../../../src/core/report/report.ts"
import { count, counted } from "../../../src/words/number.ts"
import { levelText } from "../../../src/words/percent.ts"
import { duration } from "../../../src/words/quantity.ts"
import { statusWords } from "../../wording/whole-failure.ts"
import { usePage } from "../context.tsx"
import { DataTable } from "../data-table.tsx"
import { Folded, Foreign, Section, unbroken } from "../parts.tsx"
import { Explained, PartHeading } from "../words.tsx"
import { variantNotes, verdictMethods, whenUtc } from "./method-facts.ts"
import { unknownReasons } from "./unknown-reasons.ts"

/** Method and limits: how the figures came about, which checks passed, what is unknown, how the file was cut. */
export function Method() {
  const { report, facts } = usePage()
  const { run, dataset } = report
  const unknowns = unknownReasons(report)
  const notes = variantNotes(report)
  const versions = Object.entries(run.versions).map(([name, version]) => `${name} ${version}`)
  const rows: readonly (readonly [string, string])[] = [
    ["run", `${run.id}, ${statusWords(report)}, started ${whenUtc(run.startedAt)}, took ${duration(run.durationMs)}`],
    ["data", `${origin(dataset)}, SHA-256 ${dataset.fingerprint}`],
    ["left out", dataset.skipped.length === 0 ? "no row" : counted(dataset.skipped.length, "row")],
    ["seed and repeats", `${run.seed}; every sample asked ${run.repeats === 1 ? "once" : `${run.repeats} times`}`],
    ["versions", versions.join(", ")],
    [
      "intervals",
      `${levelText(run.alpha)}: Wilson for rates, Student t for means, bootstrap or order statistics for the rest; hover over a figure for its own`,
    ],
    ...verdictMethods(report),
    ["answers in this file", `${count(facts.embeddedAnswers)} of ${count(facts.answers)}`],
    ...(facts.rules.length === 0 ? [] : [["what was shortened", facts.rules.join("; ")] as const]),
  ]
  return (
    <Section id="method" title="Method and limits">
      <dl class="facts">
        {rows.map(([name, text]) => (
          <div key={name + text}>
            <dt>{unbroken(name)}</dt>
            <dd>
              <Foreign text={text} limit={4000} />
            </dd>
          </div>
        ))}
      </dl>
      <PartHeading title="Checks" />
      <ul class="checks">
        {[
          ...report.checks.map((check) => ({ ...check, text: `${check.name}: ${check.message}` })),
          ...report.gate.map((rule) => ({ ...rule, text: `gate, ${rule.variant}: ${rule.rule}: ${rule.message}` })),
        ].map((check, index) => (
          <li key={index} class={check.status}>
            <strong>{check.status}</strong> <Foreign text={check.text} limit={400} />
          </li>
        ))}
      </ul>
      <PartHeading title="Metrics" />
      <DataTable label="Metrics" headings={["metric", { words: "better" }, { words: "signature" }]}>
        {report.metrics.map((metric) => (
          <tr key={metric.name}>
            <th scope="row">
              <Explained word={metric.name}>
                <Foreign text={metric.name} limit={80} />
              </Explained>
              {metric.title !== undefined && (
                <small>
                  {" "}
                  <Foreign text={metric.title} limit={80} />
                </small>
              )}
              {metric.primary && <span class="tag">decides</span>}
            </th>
            <td class="texts">{metric.direction}</td>
            <td class="source">
              <Foreign text={metric.signature} limit={300} />
            </td>
          </tr>
        ))}
      </DataTable>
      {unknowns.length > 0 && (
        <>
          <PartHeading title="Unknown figures, with reasons" />
          <ul>
            {unknowns.map((entry) => (
              <li key={entry.reason + entry.what}>
                <Foreign text={entry.what} limit={300} />: <Foreign text={entry.reason} limit={300} />
              </li>
            ))}
          </ul>
        </>
      )}
      {notes.length > 0 && (
        <>
          <PartHeading title="Notes" />
          <ul>
            {notes.map(({ variants, note }) => (
              <li key={note}>
                <Foreign text={variants} limit={300} />: <Foreign text={note} limit={300} />
              </li>
            ))}
          </ul>
        </>
      )}
      <Folded title="Configuration of the run" text={JSON.stringify(run.config, null, 2)} isCode />
    </Section>
  )
}

function origin({ name, source, samples }: RunReport["dataset"]): string {
  const size = counted(samples, "sample")
  return source === "inline" ? `${size} that stand in the config` : `${name}, ${size}, from ${source}`
}
