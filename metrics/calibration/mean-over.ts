/** The mean of a term over pairs of confidence and correctness. */
export function meanOver(
  term: (confidence: number, correct: number) => number,
): (confidence: Float64Array, correct: Float64Array) => number {
  return (confidence, correct) => {
    let sum = 0
    for (let i = 0; i < confidence.length; i++) sum += term(confidence[i] as number, correct[i] as number)
    return sum / confidence.length
  }
}
