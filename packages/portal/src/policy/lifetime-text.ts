import { plural } from '../ui/format.ts'

/** A lifetime in seconds in days, hours and minutes; `help` if none is typed. */
export function lifetimeText(seconds: string, help: string): string {
  const value = Number(seconds)
  if (seconds === '' || !Number.isSafeInteger(value) || value < 60) return help
  const days = Math.floor(value / 86_400)
  const hours = Math.floor((value % 86_400) / 3_600)
  const minutes = Math.floor((value % 3_600) / 60)
  const parts = [
    [days, 'day'],
    [hours, 'hour'],
    [minutes, 'minute'],
  ] as const
  return `${parts.flatMap(([amount, name]) => (amount > 0 ? [plural(amount, name)] : [])).join(', ')}. Longer sessions are shortened to this.`
}
