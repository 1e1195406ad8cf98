/** Above any supply there is: what a person would call unlimited. */
const unlimited = 2n ** 128n

/** Whether an allowance is so high that it has no bound in practice. */
export function isUnlimited(amount: bigint | null): boolean {
  return amount === null || amount >= unlimited
}

/** "1.5 ETH": an amount in its smallest unit with the asset's decimals, trailing zeros cut. */
export function nativeDisplay(amount: bigint, asset: { symbol: string; decimals: number }): string {
  const digits = amount.toString().padStart(asset.decimals + 1, '0')
  const whole = digits.slice(0, -asset.decimals)
  const fraction = digits.slice(-asset.decimals).replace(/0+$/, '')
  return `${whole}${fraction === '' ? '' : `.${fraction}`} ${asset.symbol}`
}

/** A token amount whose decimals the bytes do not contain. */
export function tokenDisplay(amount: bigint | null): string {
  return isUnlimited(amount) ? 'unlimited' : `${amount} smallest units`
}
