import { count, counted } from "../../../src/words/number.ts"
import { failedShare, failureReasons, otherFailures, outcomeWords } from "../../wording/failure-reasons.ts"
import { usePage } from "../context.tsx"
import { DataTable } from "../data-table.tsx"
import { Foreign } from "../parts.tsx"
import { Explained } from "../words.tsx"

/** Why requests failed, in the words of the services, with counts; nothing where none did or nobody said why. */
export function Failures() {
  const { report } = usePage()
  const reasons = failureReasons(report)
  if (reasons.length === 0) return null
  const others = report.variants.reduce((sum, variant) => sum + otherFailures(variant), 0)
  return (
    <details class="failures">
      <summary>{`${failedShare(report)}: why`}</summary>
      <DataTable
        label="Failures by reason"
        headings={["requests", { words: "what happened" }, { words: "in its own words" }, { words: "variants" }]}
      >
        {reasons.map(({ outcome, message, count: times, variants }) => (
          <tr key={outcome + message}>
            <td>{count(times)}</td>
            <td class="texts">
              <Explained word={outcome} place="outcome">
                {outcomeWords[outcome] ?? outcome}
              </Explained>
            </td>
            <td class="texts">
              <Foreign text={message} limit={400} />
            </td>
            <td class="texts">
              <Foreign text={variants.join(", ")} limit={200} />
            </td>
          </tr>
        ))}
      </DataTable>
      {others > 0 && <p class="note">{`${counted(others, "more failure")} for other reasons.`}</p>}
    </details>
  )
}
