/** Numbers that are appended one by one: eight bytes each, where a list of numbers takes up to three times as much while it grows. */
export class GrowingFloats {
  length = 0
  private held = new Float64Array(1024)

  push(value: number): void {
    if (this.length === this.held.length) {
      const larger = new Float64Array(2 * this.held.length)
      larger.set(this.held)
      this.held = larger
    }
    this.held[this.length++] = value
  }

  at(place: number): number {
    return this.held[place] as number
  }

  /** Those that were appended; it takes no more than them. */
  done(): Float64Array {
    return this.held.slice(0, this.length)
  }
}

/** The same of whole numbers: four bytes each, and nothing until one of them is not 0. */
export class GrowingIntegers {
  length = 0
  private held: Int32Array | null = null

  push(value: number): void {
    const place = this.length++
    if (this.held === null && value === 0) return
    if (this.held === null || place >= this.held.length) {
      const larger = new Int32Array(Math.max(1024, 2 * place))
      if (this.held) larger.set(this.held)
      this.held = larger
    }
    this.held[place] = value
  }

  /** Null where all of them are 0. */
  done(): Int32Array | null {
    return this.held ? this.held.slice(0, this.length) : null
  }
}
