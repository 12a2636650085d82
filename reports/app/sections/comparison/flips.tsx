import { count } from "../../../../src/words/number.ts"
import { setHash } from "../../state.ts"
import { ColumnHead, PartHeading } from "../../words.tsx"

/** Right and wrong of two variants, two by two, and the way to the samples that flipped. */
export function Flips(props: {
  baseline: string
  candidate: string
  both: number
  lost: number
  won: number
  neither: number
  note: string
}) {
  const { baseline, candidate, both, lost, won, neither, note } = props
  const show = () => {
    setHash({ chip: "flipped", of: candidate, versus: baseline, left: baseline, right: candidate })
    document.getElementById("samples")?.scrollIntoView()
  }
  return (
    <div>
      <PartHeading title="Flips" />
      <table class="flips">
        <thead>
          <tr>
            <td />
            <ColumnHead title="candidate right" />
            <ColumnHead title="candidate wrong" />
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">baseline right</th>
            <td>{count(both)}</td>
            <td class="bad">
              <b>{count(lost)}</b> lost
            </td>
          </tr>
          <tr>
            <th scope="row">baseline wrong</th>
            <td class="good">
              <b>{count(won)}</b> won
            </td>
            <td>{count(neither)}</td>
          </tr>
        </tbody>
      </table>
      <p class="note">{note}</p>
      <p>
        <button type="button" class="plain" onClick={show}>
          read the samples that flipped
        </button>
      </p>
    </div>
  )
}
