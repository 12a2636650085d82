import { counted } from "../../../src/words/number.ts"
import type { AnswerText } from "../../page/payload.ts"
import { Foreign } from "../parts.tsx"

/** What each stage of a pipeline had at its end; the one after which the passages that the answer needs were gone is open and says so. */
export function StagePassages({ stages }: { stages: NonNullable<AnswerText["stagePassages"]> }) {
  return (
    <ol class="stage-passages" aria-label="passages by stage">
      {stages.map(([stage, passages, total, isLost], index) => (
        <li key={index}>
          <details open={isLost}>
            <summary>
              after <Foreign text={stage} limit={80} />: {counted(total, "passage")}
              {isLost && <strong> · lost here: the passages that the answer needs are gone</strong>}
            </summary>
            <ol>
              {passages.map((passage, place) => (
                <li key={place}>
                  <Foreign text={passage} limit={20_000} />
                </li>
              ))}
            </ol>
            {total > passages.length && <small>and {counted(total - passages.length, "more passage")}</small>}
          </details>
        </li>
      ))}
    </ol>
  )
}
