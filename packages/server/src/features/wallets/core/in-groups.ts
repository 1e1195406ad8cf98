/** How many run at once, and until when further ones begin. */
export type GroupLimits = { groupMax: number; beginWithinMs: number }

/**
 * Runs something for each item, a group after the other, and returns the results in the order of the items. Once `beginWithinMs` have passed, no
 * further group begins: its items are undefined, and nothing was done for them.
 */
export async function inGroups<item, result>(
  items: readonly item[],
  run: (item: item) => Promise<result>,
  { groupMax, beginWithinMs }: GroupLimits,
): Promise<(result | undefined)[]> {
  const beganAt = performance.now()
  const results: (result | undefined)[] = []
  while (results.length < items.length) {
    const group = items.slice(results.length, results.length + groupMax)
    const isLate = results.length > 0 && performance.now() - beganAt >= beginWithinMs
    results.push(...(isLate ? group.map(() => undefined) : await Promise.all(group.map(run))))
  }
  return results
}
