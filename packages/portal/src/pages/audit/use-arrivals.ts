import { useEffect, useRef, useState } from 'react'

/** The IDs of events that arrived since following began; pass undefined while nobody follows. */
export function useArrivals(items: readonly { id: string }[] | undefined): ReadonlySet<string> {
  const known = useRef<Set<string>>(undefined)
  const [arrivals, setArrivals] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (items === undefined) {
      known.current = undefined
      setArrivals(new Set())
      return
    }
    const before = known.current
    known.current = new Set(items.map(({ id }) => id))
    if (before === undefined) return
    const fresh = items.filter(({ id }) => !before.has(id)).map(({ id }) => id)
    if (fresh.length > 0) setArrivals((all) => new Set([...all, ...fresh]))
  }, [items])
  return arrivals
}
