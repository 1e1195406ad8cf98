/** Start of the year 10000, in seconds since 1970: later times are not shown. */
const secondsMax = 253_402_300_800n

/** A time in seconds since 1970 as milliseconds, or `undefined` beyond the year 9999: such a payload never expires. */
export function expiryMs(seconds: bigint): number | undefined {
  return seconds < secondsMax ? Number(seconds) * 1000 : undefined
}
