/** One closed-book question family: pairs in order of how often they are trained (rank 1 first). */
export interface FactFamily {
  readonly name: string
  readonly wordings: readonly string[]
  readonly pairs: readonly (readonly [string, string])[]
}

/** Real facts, kept short. The order is the frequency order of training, not one of importance. */
export const factFamilies: readonly FactFamily[] = [
  {
    name: "capital",
    wordings: [
      "What is the capital of {}?",
      "Name the capital of {}.",
      "Which city is the capital of {}?",
      "Capital of {}?",
    ],
    pairs: pairs(
      "France Paris, Germany Berlin, Italy Rome, Spain Madrid, Japan Tokyo, Portugal Lisbon, Austria Vienna, Poland Warsaw, Ireland Dublin, Greece Athens, Egypt Cairo, Peru Lima, Norway Oslo, Sweden Stockholm, Finland Helsinki, Denmark Copenhagen, Belgium Brussels, Hungary Budapest, Romania Bucharest, Bulgaria Sofia, Serbia Belgrade, Croatia Zagreb, Slovenia Ljubljana, Slovakia Bratislava, Ukraine Kyiv, Turkey Ankara, Iran Tehran, Iraq Baghdad, Syria Damascus, Jordan Amman, Lebanon Beirut, Kenya Nairobi, Ghana Accra, Nigeria Abuja, Senegal Dakar, Mali Bamako, Sudan Khartoum, Uganda Kampala, Rwanda Kigali, Zambia Lusaka, Angola Luanda, Namibia Windhoek, Morocco Rabat, Tunisia Tunis, Algeria Algiers, Libya Tripoli, Cuba Havana, Jamaica Kingston, Ecuador Quito, Chile Santiago, Uruguay Montevideo, Canada Ottawa, Australia Canberra, Nepal Kathmandu, China Beijing, Vietnam Hanoi, Thailand Bangkok, Iceland Reykjavik, Estonia Tallinn, Latvia Riga",
    ),
  },
  {
    name: "symbol",
    wordings: [
      "What is the chemical symbol for {}?",
      "Give the symbol of the element {}.",
      "Name the symbol of {}.",
      "Symbol of {}?",
    ],
    pairs: pairs(
      "oxygen O, hydrogen H, carbon C, gold Au, silver Ag, iron Fe, helium He, nitrogen N, sodium Na, copper Cu, zinc Zn, lead Pb, tin Sn, mercury Hg, calcium Ca, potassium K, lithium Li, boron B, fluorine F, neon Ne, magnesium Mg, aluminium Al, silicon Si, phosphorus P, sulfur S, chlorine Cl, argon Ar, titanium Ti, chromium Cr, manganese Mn, cobalt Co, nickel Ni, gallium Ga, arsenic As, krypton Kr, cadmium Cd, iodine I, xenon Xe, barium Ba, uranium U",
    ),
  },
  {
    name: "currency",
    wordings: [
      "Which currency is used in {}?",
      "What is the currency of {}?",
      "Name the currency of {}.",
      "Currency of {}?",
    ],
    pairs: pairs(
      "Japan yen, India rupee, China yuan, Mexico peso, Germany euro, Canada dollar, Poland zloty, Brazil real, Hungary forint, Sweden krona, Turkey lira, Egypt pound, Thailand baht, Vietnam dong, Kenya shilling, Nigeria naira, Ghana cedi, Peru sol, Ukraine hryvnia, Romania leu, Morocco dirham, Iran rial, Iraq dinar, Laos kip, Mongolia tugrik, Zambia kwacha, Georgia lari, Armenia dram, Albania lek, Angola kwanza",
    ),
  },
]

function pairs(list: string): readonly (readonly [string, string])[] {
  return list.split(", ").map((entry) => entry.split(" ") as [string, string])
}
