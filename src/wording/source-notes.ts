export function whichData(a: string, b: string): string {
  return a === b
    ? `the runs used different versions or parts of the same data set (${a})`
    : `the runs used different data sets (${a}, ${b})`
}
