/** What to do about a prompt that a provider does not take. */
export const mediaHints = {
  fewer: "show less in one prompt, or leave such samples out with the data set's filter",
  otherProvider: "choose a provider and a model that take it, or leave such samples out with the data set's filter",
  fetch: 'let evalkit fetch them: media: { urls: "fetch" }',
  smaller: "make the picture smaller",
} as const

/** Why a provider does not take a prompt. */
export const mediaFaults = {
  pictures: (max: number, pictures: number) =>
    `it takes ${max} pictures in one request, and the prompt has ${pictures}`,
  bytesTogether: (max: number, bytes: number) => `it takes ${max} bytes in one request, and the prompt has ${bytes}`,
  noRecordings: "it takes no recordings",
  noPictures: "it takes no pictures",
  noAddresses: "it does not fetch pictures from an address",
  side: (max: number, side: number) => `it takes pictures of ${max} pixels a side, and this one has ${side}`,
  bytes: (what: string, max: number, bytes: number) => `it takes ${what}s of ${max} bytes, and this one has ${bytes}`,
} as const
