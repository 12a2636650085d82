/** What calls of simulated users are booked on, apart from those of judges. */
export const userPurpose = "simulated user"
