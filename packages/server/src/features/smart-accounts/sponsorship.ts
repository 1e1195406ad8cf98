/** The limit for sponsored gas of one wallet in a calendar month (UTC), in micro-EUR: EUR 10 over all chains. */
export const monthlyCapMicro = 10_000_000n

/** Wei at a price (EUR x 10^8 per 10^18 wei) in micro-EUR, rounded up. */
export function microEur(wei: bigint, eurE8: bigint): bigint {
  const divisor = 10n ** 20n
  return (wei * eurE8 + divisor - 1n) / divisor
}
