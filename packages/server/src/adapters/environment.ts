/** Variables by their names, empty ones left out. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Notes that a variable does not fit and what it wants, never its value. */
export type Complain = (variable: string, wants: string) => void
