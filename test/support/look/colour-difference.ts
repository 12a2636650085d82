type Triple = readonly [number, number, number]

/**
 * How people see linear RGB: rows of the matrices of Machado, Oliveira and Fernandes, "A physiologically-based model for
 * simulation of color vision deficiency" (2009), severity 1.
 */
export const vision = {
  common: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopic: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopic: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopic: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} as const satisfies Record<string, readonly [Triple, Triple, Triple]>

/** Linear RGB of `#rrggbb`, 0..1. */
export function linear(colour: string): Triple {
  const channel = (from: number) => {
    const value = Number.parseInt(colour.slice(from, from + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

/** A colour as CIE L*a*b* (D65) to people of a kind of sight. */
export function seenBy(rgb: Triple, sight: keyof typeof vision): Triple {
  const [r, g, b] = vision[sight].map((row) =>
    Math.min(1, Math.max(0, row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2])),
  ) as unknown as Triple
  const curve = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 / 116) * t + 16 / 116)
  const x = curve((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
  const y = curve(0.2126729 * r + 0.7151522 * g + 0.072175 * b)
  const z = curve((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

/** Contrast of two colours after WCAG 2, 1..21. */
export function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [a, b]
    .map(linear)
    .map(([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue)
    .sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

/** CIEDE2000: about 1 is just seen by people who look at both at once. */
export function colourDifference([l1, a1, b1]: Triple, [l2, a2, b2]: Triple): number {
  const meanChroma = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2
  const stretch = 1 + 0.5 * (1 - Math.sqrt(meanChroma ** 7 / (meanChroma ** 7 + 25 ** 7)))
  const [x1, x2] = [a1 * stretch, a2 * stretch]
  const [c1, c2] = [Math.hypot(x1, b1), Math.hypot(x2, b2)]
  const hue = (x: number, y: number) => (x === 0 && y === 0 ? 0 : (Math.atan2(y, x) / radian + 360) % 360)
  const [h1, h2] = [hue(x1, b1), hue(x2, b2)]
  const isGrey = c1 * c2 === 0
  const distance = Math.abs(h1 - h2)
  const turn = isGrey ? 0 : distance <= 180 ? h2 - h1 : h2 > h1 ? h2 - h1 - 360 : h2 - h1 + 360
  const hueStep = 2 * Math.sqrt(c1 * c2) * Math.sin((turn / 2) * radian)
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2]
  const sum = h1 + h2
  const h = isGrey ? sum : distance <= 180 ? sum / 2 : sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2
  const t =
    1 -
    0.17 * Math.cos((h - 30) * radian) +
    0.24 * Math.cos(2 * h * radian) +
    0.32 * Math.cos((3 * h + 6) * radian) -
    0.2 * Math.cos((4 * h - 63) * radian)
  const lightness = (l2 - l1) / (1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2))
  const chroma = (c2 - c1) / (1 + 0.045 * c)
  const turned = hueStep / (1 + 0.015 * c * t)
  const rotation =
    -2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7)) * Math.sin(60 * Math.exp(-(((h - 275) / 25) ** 2)) * radian)
  return Math.sqrt(lightness ** 2 + chroma ** 2 + turned ** 2 + rotation * chroma * turned)
}

const radian = Math.PI / 180
