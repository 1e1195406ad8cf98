/** Runs one step of the demo and prints it with its time; `run` returns its result and the text to print. */
export async function step<result>(title: string, run: () => Promise<[result, string]>): Promise<result> {
  const startedAt = performance.now()
  const [result, outcome] = await run()
  const took = (performance.now() - startedAt).toFixed(0).padStart(6)
  console.log(`  ${title.padEnd(38)} ${took} ms  ${outcome}`)
  return result
}

/** Ends the demo unless something is so. */
export function insist(isTrue: boolean, claim: string): void {
  if (!isTrue) throw new Error(`Expected that ${claim}`)
}
