/** Micro-euros as the wire has EUR: six digits after the point. */
export function eurText(micro: bigint): string {
  const digits = micro.toString().padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}
