// More than the service has; a statement whose text is made up at run time must not fill the server's memory.
const namesMax = 1_000

/** Gives each text the name under which connections prepare it; none once there are too many. */
export function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= namesMax) return known
    const name = `s${names.size + 1}`
    names.set(text, name)
    return name
  }
}
