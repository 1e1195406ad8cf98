/** Variables by their names, empty ones left out. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Records that a variable is invalid. `says` completes the sentence that begins with its name, and never holds its value. */
export type Complain = (variable: string, says: string) => void
