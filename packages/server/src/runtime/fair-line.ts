/** What waits, by group; the group that has had the least gets the next turn. */
export type FairLine<item> = {
  readonly size: number
  /** How many of a group wait. */
  waitingOf(group: string): number
  push(group: string, item: item): void
  /** Counts a turn of a group that did not have to wait. */
  pass(group: string): void
  /** The next item of a group that may have a turn, in its group the first that came; undefined where nothing such waits. */
  shift(mayHaveTurn?: (group: string) => boolean): { group: string; item: item } | undefined
  /** Counts what a group has had, in any unit that is the same for all. */
  charge(group: string, cost: number): void
}

// How many groups are remembered while nobody waits.
const idleMax = 256

type Group<item> = { had: number; items: item[]; at: number }

/**
 * Start-time fair queueing: of groups that wait, each gets the same share of the cost that is charged, however many items it has in
 * the line. A group that had nothing for a while is not owed anything for it.
 */
export function fairLine<item>(): FairLine<item> {
  const groups = new Map<string, Group<item>>()
  let size = 0
  /** What the group had whose turn was last, before that turn: where those start who come now. */
  let start = 0

  const groupOf = (name: string): Group<item> => {
    const known = groups.get(name)
    if (known !== undefined) return known
    const made = { had: start, items: [], at: 0 }
    groups.set(name, made)
    return made
  }
  // Whoever had no more than those who come now is one of them.
  const forget = () => {
    for (const [name, { had }] of groups) if (had <= start) groups.delete(name)
  }
  return {
    get size() {
      return size
    },
    waitingOf(name) {
      const group = groups.get(name)
      return group === undefined ? 0 : group.items.length - group.at
    },
    push(name, item) {
      const group = groupOf(name)
      if (isEmpty(group)) group.had = Math.max(group.had, start)
      group.items.push(item)
      size++
    },
    pass(name) {
      const group = groupOf(name)
      group.had = Math.max(group.had, start)
      start = group.had
    },
    shift(mayHaveTurn = () => true) {
      const next = leastServed(groups, mayHaveTurn)
      if (next === undefined) return undefined
      const { name, group } = next
      const item = group.items[group.at] as item
      group.at++
      size--
      start = group.had
      if (isEmpty(group)) {
        group.items = []
        group.at = 0
      }
      if (size === 0 && groups.size > idleMax) forget()
      return { group: name, item }
    },
    charge(name, cost) {
      groupOf(name).had += cost
    },
  }
}

const isEmpty = ({ items, at }: Group<unknown>): boolean => at === items.length

/** Of the groups that wait and may have a turn, the one that has had least. */
function leastServed<item>(
  groups: ReadonlyMap<string, Group<item>>,
  mayHaveTurn: (group: string) => boolean,
): { name: string; group: Group<item> } | undefined {
  let least: { name: string; group: Group<item> } | undefined
  for (const [name, group] of groups) {
    const isNext = !isEmpty(group) && (least === undefined || group.had < least.group.had)
    if (isNext && mayHaveTurn(name)) least = { name, group }
  }
  return least
}
