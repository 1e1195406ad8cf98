/** The command that a mistyped one was meant to be: it begins so, or is two letters away at most. Undefined where none is near. */
export function closestCommand(typed: string, commands: readonly string[]): string | undefined {
  const text = typed.toLowerCase()
  const [best] = commands
    .map((name) => ({ name, away: text.length > 2 && name.startsWith(text) ? 0 : distance(text, name) }))
    .sort((one, other) => one.away - other.away)
  return best !== undefined && best.away <= 2 ? best.name : undefined
}

/** How many letters must be added, left out or exchanged to make one text of another (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1]
    for (const [j, wanted] of [...other].entries())
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === wanted ? 0 : 1)),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
