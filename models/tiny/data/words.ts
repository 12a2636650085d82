/** A person of the passages. Names are spread evenly over gender and name region: eight for each combination. */
export interface Person {
  readonly name: string
  readonly gender: "man" | "woman"
  readonly region: "north" | "south"
}

const names = {
  man: {
    north: ["Tom", "Ben", "Paul", "Karl", "Hugo", "Finn", "Otto", "Marc"],
    south: ["Omar", "Luis", "Amir", "Yusuf", "Kenji", "Ravi", "Diego", "Tariq"],
  },
  woman: {
    north: ["Anna", "Lena", "Nina", "Emma", "Clara", "Ruth", "Greta", "Eva"],
    south: ["Maria", "Fatima", "Aisha", "Mei", "Ines", "Leila", "Priya", "Yuki"],
  },
} as const

/** All 32 people. */
export const people: readonly Person[] = (["man", "woman"] as const).flatMap((gender) =>
  (["north", "south"] as const).flatMap((region) => names[gender][region].map((name) => ({ name, gender, region }))),
)

export const cities =
  "Berlin Oslo Madrid Lisbon Vienna Prague Dublin Athens Cairo Lima Tokyo Seoul Delhi Boston Sydney Rome Paris Warsaw Geneva Toronto".split(
    " ",
  )
export const jobs =
  "nurse teacher baker pilot lawyer painter farmer doctor driver cook writer singer dentist plumber judge tailor".split(
    " ",
  )
export const foods = "rice soup pasta fish bread cheese apples pizza salad noodles beans cake grapes honey".split(" ")
export const pets = "dog cat horse parrot rabbit turtle goat hamster snake duck".split(" ")
export const colors = "red blue green black white yellow brown grey pink purple".split(" ")
export const months = "January February March April May June July August September October November December".split(" ")

/** Lower-case words of four kinds, for lists and multiple choice. */
export const wordKinds = { food: foods, pet: pets, color: colors, job: jobs } as const
export const words: readonly string[] = Object.values(wordKinds).flat()
/** The words of lists that are sorted or rewritten. */
export const listWords: readonly string[] = [...foods, ...pets, ...colors]
