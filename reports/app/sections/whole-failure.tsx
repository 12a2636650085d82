import { commandText } from "../../wording/advised-command.ts"
import { noAnswerWords } from "../../wording/verdict-words.ts"
import { statusWords, type WholeFailure } from "../../wording/whole-failure.ts"
import { usePage } from "../context.tsx"
import { Foreign, Said } from "../parts.tsx"
import { Explained } from "../words.tsx"

/** In place of an answer: what happened to the run as a whole, in the words of those who refused, and what to do now. */
export function WholeFailureNotice({ failure }: { failure: WholeFailure }) {
  const { report } = usePage()
  const { title, reasons, advice } = failure
  return (
    <section id="answer" class="answer whole-failure" data-failure={failure.kind} aria-labelledby="answer-title">
      <p class="eyebrow">
        <Foreign text={report.run.name} limit={80} />
        <strong class="status"> {statusWords(report)}</strong>
      </p>
      <h1 id="answer-title">
        <span class="verdict invalid">
          <Explained word={noAnswerWords}>{noAnswerWords}</Explained>
        </span>{" "}
        <Said text={title} limit={500} />
      </h1>
      {reasons.length > 0 && (
        <ul class="reasons">
          {reasons.map((reason) => (
            <li key={reason}>
              <Foreign text={reason} limit={500} />
            </li>
          ))}
        </ul>
      )}
      {advice.map(({ words, command }) => (
        <p class="because" key={words}>
          {words}
          {command !== undefined && (
            <>
              {" "}
              <code>
                {commandText(command)
                  .split(" ")
                  .map((word, i) => (
                    <>
                      {i > 0 && " "}
                      <span>{word}</span>
                    </>
                  ))}
              </code>
            </>
          )}
        </p>
      ))}
    </section>
  )
}
