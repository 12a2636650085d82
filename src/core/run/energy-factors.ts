/** What a kilowatt-hour costs and emits where the models run. evalkit knows no such number of its own. @public */
export interface EnergyFactors {
  /** US dollars of a kilowatt-hour. */
  readonly usdPerKwh?: number
  /** Grams of CO2 equivalent of a kilowatt-hour, as the grid's operator or a public table states it. */
  readonly gramsCo2PerKwh?: number
  /** Where the numbers are from, and of when: printed beside every figure that rests on them. */
  readonly source: string
}
